#include "learn/finetune_run.h"

#include "command/table.h"
#include "learn/finetune_data.h"
#include "learn/shot_contest.h"
#include "learn/training_journal.h"
#include "model/torch_runtime.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view kind = "finetune";

struct FinetuneOutcome {
    std::int64_t run = 0;
    std::string model;
    std::map<std::string, double> before;
    std::map<std::string, double> after;
    std::vector<ShotResult> shots;
};

Json outcome_json(const FinetuneOutcome& outcome) {
    Json shots = Json::array();
    for (const ShotResult& each : outcome.shots)
        shots.push_back(shot_json(each));
    return {{"run", outcome.run},
            {"model", outcome.model},
            {"before", outcome.before},
            {"after", outcome.after},
            {"shots", shots}};
}

std::string outcome_text(const FinetuneOutcome& outcome) {
    Table table({{"on the test matrices"}, {"before", Align::Right}, {"after", Align::Right}});
    for (const auto& [metric, value] : outcome.after) {
        const auto before = outcome.before.find(metric);
        table.add_row({metric, before == outcome.before.end() ? "-" : fmt::format("{:.4f}", before->second),
                       fmt::format("{:.4f}", value)});
    }
    std::string text = fmt::format("kept as {}\n", outcome.model) + table.text();
    if (!outcome.shots.empty())
        text += "\n" + shot_table(outcome.shots);
    return text;
}

class FinetuneRun {
public:
    FinetuneRun(Session& session, JobEvents& events, const FinetuneOrder& order, Workspace& workspace,
                const StoredModel& model, const FinetuneData& data, std::stop_token stop)
        : session_(session)
        , events_(events)
        , order_(order)
        , workspace_(workspace)
        , model_(model)
        , data_(data)
        , stop_(std::move(stop))
        , display_(events.display_style())
        , parameters_(order.settings.json()) {
        parameters_["name"] = order.request.name;
        parameters_["data"] = identity_of(data.data.set);
        parameters_["model_ids"] = data.model_ids;
    }

    [[nodiscard]] ExitCode run() {
        const auto known = find_training_run(workspace_, kind, parameters_.dump());
        if (!known)
            return events_.refuse(known.error());
        const auto taken = find_model(workspace_, order_.request.name);
        if (!taken)
            return events_.refuse(taken.error());
        if (const auto free = check_new_name(workspace_, order_.request.name); !free && !order_.again) {
            if (*taken && *known && (*known)->is_finished && (*taken)->run == (*known)->id) {
                session_.remark(
                    fmt::format("{} was fine-tuned with these settings before; --again does it anew",
                                order_.request.name));
                return tell_done_before(**taken);
            }
            return events_.refuse(free.error(), ExitCode::Usage);
        }
        const bool goes_on = is_gone_on_with(*known, *taken, order_.again);
        const auto run = goes_on ? resumed((*known)->id) : start_run(workspace_, kind, parameters_.dump());
        if (!run)
            return events_.refuse(run.error());
        const auto outcome = finetune(*run);
        display_.clear();
        if (outcome)
            return finished(*outcome);
        const bool is_stopped = outcome.error().fault == Fault::Cancelled;
        // An error here would only hide the first one.
        (void)end_run(workspace_, *run, is_stopped ? RunState::Stopped : RunState::Failed,
                      is_stopped ? std::string() : outcome.error().text());
        if (!is_stopped || !events_.are_told())
            return events_.refuse(outcome.error());
        events_.end({{"run", static_cast<std::int64_t>(*run)}, {"model", nullptr}}, false, true);
        return ExitCode::Interrupted;
    }

private:
    [[nodiscard]] Result<RunId> resumed(RunId run) {
        if (auto done = resume_run(workspace_, run); !done)
            return std::unexpected(std::move(done).error());
        return run;
    }

    void tell_start(RunId run, const FineTuningOptions& options) {
        const TrainingData& data = data_.data;
        events_.start({{"run", static_cast<std::int64_t>(run)},
                       {"name", order_.request.name},
                       {"parent", order_.request.model},
                       {"method", name(options.rule)},
                       {"architecture", architecture_name(model_.checkpoint.model)},
                       {"epochs", options.epochs},
                       {"steps_per_epoch", data_.tuned.size()},
                       {"machines", machine_names(data.set)},
                       {"matrices",
                        {{"train", data_.tuned.size()}, {"validation", 0}, {"test", data.split.test.size()}}},
                       {"notes", data.notes},
                       {"resumed_at", nullptr},
                       {"parameters", parameters_}});
        if (!events_.are_told())
            for (const std::string& note : data.notes)
                session_.remark(note);
    }

    [[nodiscard]] Result<FinetuneOutcome> finetune(RunId run) {
        const TrainingData& data = data_.data;
        const auto options = finetuning_options(workspace_, order_.request, model_);
        if (!options)
            return std::unexpected(options.error());
        tell_start(run, *options);
        TrainingJournal journal(workspace_, run);
        const auto& network = std::get<NetworkDescription>(model_.checkpoint.model.architecture);
        ExampleStore examples(data.set, network, order_.request.threads);
        const MetaParameters parameters = parameters_of(model_.checkpoint);
        const auto test = [&](const NamedTensors& weights) {
            return report_ranking(examples, weights, options->loss, 0, data.split.test, stop_);
        };
        const auto before = test(parameters.weights);
        if (!before)
            return std::unexpected(before.error());
        const auto tell_epoch = [&](int epoch, double loss) {
            journal.add("epoch/training_loss", epoch + 1, loss);
            events_.tell("epoch", {{"epoch", epoch + 1}, {"training_loss", loss}});
            const std::string what = fmt::format("epoch {}, loss {:.4g}", epoch + 1, loss);
            display_.show({.what = what,
                           .done = static_cast<std::uint64_t>(epoch) + 1,
                           .total = static_cast<std::uint64_t>(options->epochs),
                           .left = {}});
        };
        const auto weights = fine_tune(examples, 0, data_.tuned, *options, parameters, tell_epoch, stop_);
        if (!weights)
            return std::unexpected(weights.error());
        const auto after = test(*weights);
        if (!after)
            return std::unexpected(after.error());
        FinetuneOutcome outcome{
            static_cast<std::int64_t>(run), order_.request.name, before->by_name(), after->by_name(), {}};
        auto shots =
            run_shots(workspace_, order_.request, model_, *options, data, journal, events_, display_, stop_);
        if (!shots)
            return std::unexpected(std::move(shots).error());
        outcome.shots = *std::move(shots);
        if (auto kept = keep(journal, checkpoint_of(*weights, outcome), outcome); !kept)
            return std::unexpected(std::move(kept).error());
        return outcome;
    }

    [[nodiscard]] Checkpoint checkpoint_of(const NamedTensors& weights,
                                           const FinetuneOutcome& outcome) const {
        Checkpoint checkpoint;
        checkpoint.model.architecture = model_.checkpoint.model.architecture;
        checkpoint.model.training = {.method = "fine-tuned",
                                     .machines = machine_names(data_.data.set),
                                     .matrices = matrix_names(data_.data.set, data_.tuned),
                                     .seed = order_.request.seed,
                                     .metrics = outcome.after,
                                     .parent = model_.record.name};
        checkpoint.weights = to_arrays(weights);
        return checkpoint;
    }

    [[nodiscard]] Result<void> keep(TrainingJournal& journal, const Checkpoint& checkpoint,
                                    const FinetuneOutcome& outcome) {
        for (const auto& [name, value] : outcome.before)
            journal.add("before/" + name, 0, value);
        for (const auto& [name, value] : outcome.after)
            journal.add("test/" + name, 0, value);
        return in_one_transaction(workspace_, [&]() -> Result<void> {
            const auto old = find_model(workspace_, order_.request.name);
            if (!old)
                return std::unexpected(old.error());
            if (*old && order_.again)
                if (auto removed = remove_model(workspace_, (*old)->id); !removed)
                    return removed;
            if (auto kept = keep_model(workspace_, {order_.request.name, journal.run(), model_.record.id},
                                       checkpoint);
                !kept)
                return std::unexpected(kept.error());
            if (auto flushed = journal.flush(); !flushed)
                return flushed;
            return end_run(workspace_, journal.run(), RunState::Finished);
        });
    }

    [[nodiscard]] ExitCode finished(const FinetuneOutcome& outcome) {
        if (events_.are_told())
            events_.end(outcome_json(outcome), true, false);
        else if (session_.options.json)
            session_.print_json(outcome_json(outcome));
        else
            session_.print(outcome_text(outcome));
        return ExitCode::Done;
    }

    [[nodiscard]] ExitCode tell_done_before(const ModelRecord& model) {
        const auto metrics = stored_metrics(workspace_, *model.run);
        if (!metrics)
            return events_.refuse(metrics.error());
        FinetuneOutcome outcome{static_cast<std::int64_t>(*model.run), model.name, {}, {}, {}};
        for (const auto& [name, points] : *metrics) {
            if (name.starts_with("before/"))
                outcome.before[name.substr(7)] = points.back().value;
            if (name.starts_with("test/"))
                outcome.after[name.substr(5)] = points.back().value;
        }
        outcome.shots = stored_shots(*metrics);
        return finished(outcome);
    }

    Session& session_;
    JobEvents& events_;
    const FinetuneOrder& order_;
    Workspace& workspace_;
    const StoredModel& model_;
    const FinetuneData& data_;
    std::stop_token stop_;
    ProgressDisplay display_;
    Json parameters_;
};

} // namespace

ExitCode run_finetuning(Session& session, JobEvents& events, const FinetuneOrder& order,
                        const std::stop_token& stop) {
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    const auto model = load_model(*workspace, order.request.model);
    if (!model)
        return events.refuse(model.error());
    if (!std::holds_alternative<NetworkDescription>(model->checkpoint.model.architecture))
        return events.refuse({Fault::Input,
                              fmt::format("{} is of trees, which can't be fine-tuned", order.request.model),
                              {},
                              0});
    const TorchRuntime runtime = prepare_torch(order.request.threads);
    ProgressDisplay display(events.display_style());
    auto data = finetune_data(*workspace, order.request, *model, stop, display.sink());
    display.clear();
    if (!data)
        return events.refuse(data.error());
    if (!runtime.warning.empty())
        data->data.notes.push_back(runtime.warning);
    return FinetuneRun(session, events, order, *workspace, *model, *data, stop).run();
}

} // namespace sparsight

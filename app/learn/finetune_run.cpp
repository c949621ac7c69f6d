#include "learn/finetune_run.h"

#include "base/stopwatch.h"
#include "command/table.h"
#include "learn/finetune_data.h"
#include "learn/kept_model.h"
#include "learn/shot_contest.h"
#include "learn/training_journal.h"
#include "model/torch_runtime.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view kind = "finetune";
/// Metrics of the test matrices before anything was learned, as test_prefix.
constexpr std::string_view before_prefix = "before/";

struct FinetuneOutcome {
    std::int64_t run = 0;
    std::string model;
    std::map<std::string, double> before;
    std::map<std::string, double> after;
    std::vector<ShotResult> shots;
    double seconds = 0; ///< of working at it, since it was started last
};

Json outcome_json(const FinetuneOutcome& outcome) {
    Json shots = Json::array();
    for (const ShotResult& each : outcome.shots)
        shots.push_back(shot_json(each));
    return {{"run", outcome.run},     {"model", outcome.model}, {"before", outcome.before},
            {"after", outcome.after}, {"shots", shots},         {"seconds", outcome.seconds}};
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
        std::vector<std::vector<std::size_t>> parts{data.tuned, data.data.split.train};
        if (!order.request.shots.empty()) // all points of a curve are of the same tests
            parts.push_back(data.data.split.test);
        parameters_["data"] = identity_of(
            data.data.set, parts, std::get<NetworkDescription>(model.checkpoint.model.architecture).machine);
        parameters_["model_ids"] = data.model_ids;
    }

    [[nodiscard]] ExitCode run() {
        const auto claimed = claim_run(workspace_, {kind, order_.request.name, parameters_, order_.redo});
        if (!claimed)
            return refuse_claim(events_, claimed.error());
        if (const auto* done = std::get_if<DoneBefore>(&*claimed))
            return tell_done_before(*done);
        const auto& claim = std::get<ClaimedRun>(*claimed);
        replaces_ = claim.replaces;
        replaced_ = claim.model;
        const auto outcome = finetune(claim.id);
        display_.clear();
        return outcome ? finished(*outcome) : failed(claim.id, outcome.error());
    }

private:
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
                       {"replaces", replaces_.empty() ? Json() : Json(replaces_)},
                       {"resumed_at", nullptr},
                       {"parameters", parameters_}});
        if (events_.are_told())
            return;
        if (!replaces_.empty())
            session_.remark(replaces_);
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
        const Stopwatch watch;
        const auto& network = std::get<NetworkDescription>(model_.checkpoint.model.architecture);
        const at::Device device(order_.request.device);
        ExampleStore examples(data.set, network, order_.request.threads, default_kept_coordinates, device);
        const MetaParameters parameters = parameters_of(model_.checkpoint, device);
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
            static_cast<std::int64_t>(run), order_.request.name, before->by_name(), after->by_name(), {}, 0};
        auto shots =
            run_shots(workspace_, order_.request, model_, *options, data, journal, events_, display_, stop_);
        if (!shots)
            return std::unexpected(std::move(shots).error());
        outcome.shots = *std::move(shots);
        outcome.seconds = watch.seconds();
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
            journal.add(std::string(before_prefix) + name, 0, value);
        for (const auto& [name, value] : outcome.after)
            journal.add(std::string(test_prefix) + name, 0, value);
        journal.add(seconds_metric, 0, outcome.seconds);
        return keep_made_model(workspace_, journal,
                               {order_.request.name, model_.record.id, replaced_, checkpoint, {}});
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

    [[nodiscard]] ExitCode failed(RunId run, const Error& error) {
        const bool is_stopped = error.fault == Fault::Cancelled;
        // An error here would only hide the first one.
        [[maybe_unused]] const auto ended =
            end_run(workspace_, run, is_stopped ? RunState::Stopped : RunState::Failed,
                    is_stopped ? std::string() : error.text());
        if (!is_stopped || !events_.are_told())
            return events_.refuse(error);
        events_.end({{"run", static_cast<std::int64_t>(run)}, {"model", nullptr}}, false, true);
        return ExitCode::Interrupted;
    }

    [[nodiscard]] ExitCode tell_done_before(const DoneBefore& done) {
        const ModelRecord& model = done.model;
        const auto options = finetuning_options(workspace_, order_.request, model_);
        if (!options)
            return events_.refuse(options.error());
        tell_start(*model.run, *options);
        session_.remark(
            fmt::format("{} was fine-tuned with these settings before; --again does it anew", model.name));
        const auto metrics = stored_metrics(workspace_, *model.run);
        if (!metrics)
            return events_.refuse(metrics.error());
        FinetuneOutcome outcome{static_cast<std::int64_t>(*model.run), model.name, {}, {}, {}, 0};
        for (const auto& [name, points] : *metrics) {
            if (name.starts_with(before_prefix))
                outcome.before[name.substr(before_prefix.size())] = points.back().value;
            if (name.starts_with(test_prefix))
                outcome.after[name.substr(test_prefix.size())] = points.back().value;
            if (name == seconds_metric)
                outcome.seconds = points.back().value;
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
    std::string replaces_;
    std::optional<ModelRecord> replaced_;
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
    if (auto note = shots_note(order.request.shots, data->data.split.train.size()); !note.empty())
        data->data.notes.push_back(std::move(note));
    return FinetuneRun(session, events, order, *workspace, *model, *data, stop).run();
}

} // namespace sparsight

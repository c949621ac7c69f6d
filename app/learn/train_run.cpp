#include "learn/train_run.h"

#include "learn/follow_training.h"
#include "learn/network_training.h"
#include "learn/stored_model.h"
#include "learning/tree_training.h"
#include "learning/workspace_split.h"
#include "model/torch_runtime.h"
#include "store/splits.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view kind = "train";

/// How long processes that train together wait for one another: the first also tests and reads patterns.
constexpr std::chrono::minutes longest_wait{30};

/// Metrics of the whole run, by RankingReport::by_name() behind the prefix.
constexpr std::string_view test_prefix = "test/";
constexpr std::string_view baseline_prefix = "baseline/";

void add_all(TrainingJournal& journal, std::string_view prefix,
             const std::map<std::string, double>& metrics) {
    for (const auto& [name, value] : metrics)
        journal.add(std::string(prefix) + name, 0, value);
}

Result<std::map<std::string, double>> stored_metrics(Workspace& workspace, RunId run,
                                                     std::string_view prefix) {
    const auto names = metric_names(workspace, run);
    if (!names)
        return std::unexpected(names.error());
    std::map<std::string, double> metrics;
    for (const std::string& name : *names) {
        if (!name.starts_with(prefix))
            continue;
        const auto points = list_metric(workspace, run, name);
        if (!points)
            return std::unexpected(points.error());
        if (!points->empty())
            metrics[name.substr(prefix.size())] = points->back().value;
    }
    return metrics;
}

/// One run, from the moment when its data are there.
class TrainRun {
public:
    TrainRun(Session& session, JobEvents& events, const TrainOrder& order, Workspace& workspace,
             const TrainingData& data, const ProcessGroup& group, std::optional<StoredModel> parent,
             std::stop_token stop)
        : session_(session)
        , events_(events)
        , order_(order)
        , workspace_(workspace)
        , data_(data)
        , group_(group)
        , parent_(std::move(parent))
        , stop_(std::move(stop))
        , display_(events.display_style())
        , parameters_(order.settings.json()) {
        parameters_["name"] = order.request.name;
        parameters_["data"] = identity_of(data.set);
        if (parent_) // one that was trained anew under its name is another one
            parameters_["model_ids"] = {
                {parent_->record.name, static_cast<std::int64_t>(parent_->record.id)}};
    }

    [[nodiscard]] ExitCode run() {
        const auto known = find_training_run(workspace_, kind, parameters_.dump());
        if (!known)
            return events_.refuse(known.error());
        const auto taken = find_model(workspace_, order_.request.name);
        if (!taken)
            return events_.refuse(taken.error());
        if (*taken && !order_.again) {
            if (*known && (*known)->is_finished && (*taken)->run == (*known)->id)
                return tell_done_before(**taken, (*known)->message);
            const auto refused = check_new_name(workspace_, order_.request.name);
            return events_.refuse(refused.error(), ExitCode::Usage);
        }
        const bool goes_on = is_gone_on_with(*known, *taken, order_.again);
        if (order_.finish && !goes_on)
            return events_.refuse(
                {Fault::Input, "there is no stopped run of these settings to finish", {}, 0});
        if (auto free = check_split_name(); !free)
            return events_.refuse(free.error(), ExitCode::Usage);
        const auto run = goes_on ? resumed((*known)->id) : start_run(workspace_, kind, parameters_.dump());
        if (!run)
            return events_.refuse(run.error());
        TrainingJournal journal(workspace_, *run);
        const auto outcome = order_.request.network
                                 ? train_network(journal, goes_on ? (*known)->state : std::nullopt)
                                 : train_trees_alone(journal);
        display_.clear();
        return outcome ? finished(*outcome) : failed(*run, outcome.error());
    }

private:
    [[nodiscard]] Result<RunId> resumed(RunId run) {
        if (auto done = resume_run(workspace_, run); !done)
            return std::unexpected(std::move(done).error());
        return run;
    }

    void tell_start(RunId run, const Json& resumed_at, std::size_t steps_per_epoch) {
        const TrainRequest& request = order_.request;
        const bool is_network = request.network.has_value();
        events_.start({{"run", static_cast<std::int64_t>(run)},
                       {"name", request.name},
                       {"method", is_network ? std::string(name(request.options.method)) : "trees"},
                       {"architecture", is_network ? std::string(name(*request.network)) : "trees"},
                       {"epochs", is_network ? request.options.epochs : 0},
                       {"steps_per_epoch", steps_per_epoch},
                       {"machines", machine_names(data_.set)},
                       {"matrices",
                        {{"train", data_.split.train.size()},
                         {"validation", data_.split.validation.size()},
                         {"test", data_.split.test.size()}}},
                       {"split", request.split.empty() ? request.name : request.split},
                       {"notes", data_.notes},
                       {"resumed_at", resumed_at},
                       {"parameters", parameters_}});
        if (!events_.are_told())
            for (const std::string& note : data_.notes)
                session_.remark(note);
    }

    /// A split that a training kept may be replaced by that training; one of the user's would be lost.
    [[nodiscard]] Result<void> check_split_name() {
        const TrainRequest& request = order_.request;
        if (!request.split.empty())
            return {};
        const auto split = find_split(workspace_, request.name);
        if (!split)
            return std::unexpected(split.error());
        if (!*split)
            return {};
        const auto runs = list_runs(workspace_);
        if (!runs)
            return std::unexpected(runs.error());
        const bool is_ours = std::ranges::any_of(*runs, [&](const RunRecord& run) {
            const Json parameters = Json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
            return run.kind == kind && run.state == RunState::Finished && parameters.is_object() &&
                   parameters.value("name", Json()) == request.name &&
                   parameters.value("split", Json()) == "";
        });
        if (is_ours)
            return {};
        return fail(Fault::Input,
                    fmt::format("there is a split called {} that no training made, and this training would "
                                "replace it: choose another name, or train by it (--split {})",
                                request.name, request.name));
    }

    /// Beside the others, so that `evaluate` can be asked for the test matrices of this model.
    [[nodiscard]] Result<void> keep_own_split() {
        const TrainRequest& request = order_.request;
        return request.split.empty() ? keep_split(workspace_, request.name, data_.split, data_.set)
                                     : Result<void>();
    }

    [[nodiscard]] Result<TrainOutcome> train_network(TrainingJournal& journal,
                                                     const std::optional<StoredTrainingState>& stored) {
        const TrainRequest& request = order_.request;
        auto start = start_of_network(request, data_, parent_ ? &parent_->checkpoint : nullptr);
        if (!start)
            return std::unexpected(std::move(start).error());
        NetworkTraining training(request, data_, *std::move(start), journal, events_, display_);
        bool goes_on = stored.has_value();
        auto begun = training.begin(stored);
        if (!begun && goes_on && order_.again) {
            goes_on = false; // anew is what was asked for
            begun = training.begin({});
        }
        if (!begun)
            return std::unexpected(std::move(begun).error());
        tell_start(journal.run(),
                   goes_on ? Json{{"epoch", training.state().epoch + 1}, {"step", training.state().steps}}
                           : Json(),
                   training.steps_per_epoch());
        std::stop_source now;
        now.request_stop();
        const auto end = training.run(order_.finish ? now.get_token() : stop_, group_);
        if (!end)
            return std::unexpected(end.error());
        TrainOutcome outcome = outcome_of(training.state(), *end, journal.run());
        if (*end == TrainingEnd::Stopped && training.state().steps == 0) {
            constexpr const char* untrained = "stopped before the first step: there is nothing to keep yet";
            if (order_.finish)
                return fail(Fault::Input, untrained);
            if (order_.keep)
                session_.remark(untrained);
            return outcome;
        }
        if (*end == TrainingEnd::Stopped && !order_.keep && !order_.finish)
            return outcome;
        // Stopped and kept: the signal was for the training alone.
        const std::stop_token stop = *end == TrainingEnd::Stopped ? std::stop_token() : stop_;
        auto metrics = training.test(stop);
        if (!metrics)
            return std::unexpected(std::move(metrics).error());
        outcome.metrics = *std::move(metrics);
        if (request.baseline && !data_.split.test.empty() && *end != TrainingEnd::Stopped) {
            auto baseline = baseline_metrics(stop);
            if (!baseline)
                return std::unexpected(std::move(baseline).error());
            outcome.baseline = baseline->second;
        }
        const auto kept = keep_result(journal, training.checkpoint(outcome.metrics), outcome,
                                      parent_ ? std::optional(parent_->record.id) : std::nullopt);
        if (!kept)
            return std::unexpected(kept.error());
        return outcome;
    }

    [[nodiscard]] static TrainOutcome outcome_of(const TrainingState& state, TrainingEnd end, RunId run) {
        TrainOutcome outcome;
        outcome.run = static_cast<std::int64_t>(run);
        outcome.ending = end == TrainingEnd::Finished       ? "finished"
                         : end == TrainingEnd::StoppedEarly ? "stopped early"
                                                            : "stopped";
        outcome.epochs = state.epoch;
        outcome.best_epoch = state.epoch > 0 ? state.best_epoch + 1 : 0;
        return outcome;
    }

    using TrainedTrees = std::pair<BoostedTrees, std::map<std::string, double>>;

    [[nodiscard]] Result<TrainedTrees> baseline_metrics(const std::stop_token& stop) {
        events_.progress("training trees", 0, 0);
        display_.show({.what = "training trees", .done = 0, .total = 0, .left = {}});
        auto trees =
            train_trees(data_.set, data_.split.train,
                        {.seed = order_.request.options.seed, .threads = order_.request.threads}, stop);
        if (!trees)
            return std::unexpected(std::move(trees).error());
        std::map<std::string, double> metrics;
        if (!data_.split.test.empty()) {
            const auto report =
                report_trees(data_.set, *trees, order_.request.options.loss, data_.split.test, stop);
            if (!report)
                return std::unexpected(report.error());
            metrics = report->by_name();
        }
        return TrainedTrees{*std::move(trees), std::move(metrics)};
    }

    [[nodiscard]] Result<TrainOutcome> train_trees_alone(TrainingJournal& journal) {
        tell_start(journal.run(), {}, 0);
        auto trees = baseline_metrics(stop_);
        if (!trees)
            return std::unexpected(std::move(trees).error());
        auto bytes = trees->first.save();
        if (!bytes)
            return std::unexpected(std::move(bytes).error());
        Checkpoint checkpoint;
        checkpoint.model.architecture = TreesDescription{order_.request.op};
        checkpoint.model.training = {.method = "trees",
                                     .machines = machine_names(data_.set),
                                     .matrices = matrix_names(data_.set, data_.split.train),
                                     .seed = order_.request.options.seed,
                                     .metrics = trees->second,
                                     .parent = {}};
        checkpoint.trees = *std::move(bytes);
        TrainOutcome outcome;
        outcome.run = static_cast<std::int64_t>(journal.run());
        outcome.ending = "finished";
        outcome.metrics = trees->second;
        if (auto kept = keep_result(journal, checkpoint, outcome, {}); !kept)
            return std::unexpected(std::move(kept).error());
        return outcome;
    }

    /// Model, metrics and the end of the run at once, so that a run that is finished has its model.
    [[nodiscard]] Result<void> keep_result(TrainingJournal& journal, const Checkpoint& checkpoint,
                                           TrainOutcome& outcome, std::optional<ModelId> parent) {
        add_all(journal, test_prefix, outcome.metrics);
        add_all(journal, baseline_prefix, outcome.baseline.value_or(std::map<std::string, double>()));
        auto done = in_one_transaction(workspace_, [&]() -> Result<void> {
            const auto old = find_model(workspace_, order_.request.name);
            if (!old)
                return std::unexpected(old.error());
            if (*old && order_.again)
                if (auto removed = remove_model(workspace_, (*old)->id); !removed)
                    return removed;
            if (auto kept = keep_model(workspace_, {order_.request.name, journal.run(), parent}, checkpoint);
                !kept)
                return std::unexpected(kept.error());
            if (auto kept = keep_own_split(); !kept)
                return kept;
            if (auto flushed = journal.flush(); !flushed)
                return flushed;
            if (auto removed = remove_training_state(workspace_, journal.run()); !removed)
                return removed;
            return end_run(workspace_, journal.run(), RunState::Finished,
                           outcome.ending == "finished" ? std::string() : outcome.ending);
        });
        if (done)
            outcome.model = order_.request.name;
        return done;
    }

    [[nodiscard]] ExitCode finished(const TrainOutcome& outcome) {
        const bool is_complete = outcome.model.has_value();
        if (!is_complete) {
            const auto run = static_cast<RunId>(outcome.run);
            if (auto ended = end_run(workspace_, run, RunState::Stopped); !ended)
                return events_.refuse(ended.error());
        }
        print(outcome, is_complete);
        if (!is_complete && !events_.are_told() && !session_.options.json)
            session_.remark("stopped: run the same command again to go on");
        return is_complete ? ExitCode::Done : ExitCode::Interrupted;
    }

    void print(const TrainOutcome& outcome, bool is_complete) {
        if (events_.are_told())
            events_.end(outcome_json(outcome), is_complete, !is_complete);
        else if (session_.options.json)
            session_.print_json(outcome_json(outcome));
        else
            session_.print(outcome_text(outcome));
    }

    [[nodiscard]] ExitCode failed(RunId run, const Error& error) {
        if (error.fault == Fault::Cancelled)
            return finished(stopped_behind_the_epochs(run));
        // An error here would only hide the first one.
        (void)end_run(workspace_, run, RunState::Failed, error.text());
        return events_.refuse(error);
    }

    /// While it was tested, or beside it trees were trained: the same command goes on there.
    [[nodiscard]] TrainOutcome stopped_behind_the_epochs(RunId run) {
        TrainOutcome outcome;
        outcome.run = static_cast<std::int64_t>(run);
        outcome.ending = "stopped";
        if (const auto epochs = list_metric(workspace_, run, "epoch/step"))
            outcome.epochs = static_cast<int>(epochs->size());
        return outcome;
    }

    [[nodiscard]] ExitCode tell_done_before(const ModelRecord& model, const std::string& message) {
        TrainOutcome outcome;
        outcome.run = static_cast<std::int64_t>(*model.run);
        outcome.model = model.name;
        outcome.ending = message.empty() ? "finished" : message;
        const auto metrics = stored_metrics(workspace_, *model.run, test_prefix);
        const auto baseline = stored_metrics(workspace_, *model.run, baseline_prefix);
        const auto epochs = list_metric(workspace_, *model.run, "epoch/step");
        for (const Error* error :
             {metrics ? nullptr : &metrics.error(), baseline ? nullptr : &baseline.error(),
              epochs ? nullptr : &epochs.error()})
            if (error != nullptr)
                return events_.refuse(*error);
        outcome.metrics = *metrics;
        if (!baseline->empty())
            outcome.baseline = *baseline;
        outcome.epochs = static_cast<int>(epochs->size());
        tell_start(*model.run, {}, 0);
        session_.remark(fmt::format("{} was trained with these settings before (at {}); --again does it anew",
                                    model.name, model.created));
        print(outcome, true);
        return ExitCode::Done;
    }

    Session& session_;
    JobEvents& events_;
    const TrainOrder& order_;
    Workspace& workspace_;
    const TrainingData& data_;
    const ProcessGroup& group_;
    std::optional<StoredModel> parent_;
    std::stop_token stop_;
    ProgressDisplay display_;
    Json parameters_; ///< the effective configuration
};

} // namespace

ExitCode run_training(Session& session, JobEvents& events, const TrainOrder& order,
                      const std::stop_token& stop) {
    const auto place = process_place();
    if (!place)
        return events.refuse(place.error(), ExitCode::Usage);
    if (place->rank > 0 && !order.request.network)
        return ExitCode::Done; // trees are trained by the first process alone
    const TorchRuntime runtime = prepare_torch(order.request.threads);
    const auto group = ProcessGroup::join(order.request.network ? *place : ProcessPlace{}, longest_wait);
    if (!group)
        return events.refuse(group.error());
    if (group->rank() > 0)
        return follow_training(session, order.request, *group, stop);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    ProgressDisplay display(events.display_style());
    auto data = training_data(*workspace, order.request, stop, display.sink());
    display.clear();
    if (!data)
        return events.refuse(data.error());
    if (!runtime.warning.empty())
        data->notes.push_back(runtime.warning);
    std::optional<StoredModel> parent;
    if (!order.request.parent.empty()) {
        auto loaded = load_model(*workspace, order.request.parent);
        if (!loaded)
            return events.refuse(loaded.error());
        parent = *std::move(loaded);
    }
    return TrainRun(session, events, order, *workspace, *data, *group, std::move(parent), stop).run();
}

} // namespace sparsight

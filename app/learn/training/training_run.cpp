#include "learn/training/training_run.h"

#include "base/progress.h"
#include "learn/training/model_training.h"
#include "learn/training/run_claim.h"
#include "learn/training/training_request.h"
#include "learn/training/training_result.h"
#include "learning/processes/joint_training.h"
#include "learning/training/trainer.h"
#include "model/tensors/compute_device.h"
#include "model/tensors/torch_runtime.h"
#include "workflow/learning/training/model_storage.h"

#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace sparsight {

namespace {

/// What the first process reads as well.
struct Followed {
    TrainingData data;
    NetworkStart start;
};

Result<Followed> read(Workspace& workspace, const TrainRequest& request, const std::stop_token& stop) {
    auto data = training_data(workspace, request, stop, {});
    if (!data)
        return std::unexpected(std::move(data).error());
    std::optional<StoredModel> parent;
    if (!request.parent.empty()) {
        auto loaded = load_model(workspace, request.parent);
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        parent = *std::move(loaded);
    }
    // The weights and where the training stands will be those of the first process.
    auto start = start_of_network(request, *data, parent ? &parent->checkpoint : nullptr);
    if (!start)
        return std::unexpected(std::move(start).error());
    return Followed{*std::move(data), *std::move(start)};
}

Result<TrainingEnd> follow(Session& session, const TrainRequest& request, ProcessGroup& group,
                           const std::stop_token& stop) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    const auto followed =
        workspace ? read(*workspace, request, stop) : Result<Followed>(std::unexpected(workspace.error()));
    const auto agreed = agree_on_start(
        group, followed ? Result<SharedStart>(SharedStart::Train) : std::unexpected(followed.error()), stop);
    if (!agreed)
        return std::unexpected(agreed.error());
    if (*agreed == SharedStart::NothingToDo)
        return TrainingEnd::Finished;
    const at::Device device(request.device);
    ExampleStore examples(followed->data.set, followed->start.network, request.threads,
                          default_kept_coordinates, device);
    const auto result =
        train(examples, followed->data.split, request.options,
              initial_training_state(request.options.method, request.options.inner,
                                     to_tensors(followed->start.weights, true, at::kFloat, device)),
              {}, stop, group);
    if (!result)
        return std::unexpected(result.error());
    return result->end;
}

} // namespace

ExitCode join_training(Session& session, const TrainRequest& request, ProcessGroup& group,
                       const std::stop_token& stop) {
    const auto end = follow(session, request, group, stop);
    if (end)
        return *end == TrainingEnd::Stopped ? ExitCode::Interrupted : ExitCode::Done;
    Error error = end.error();
    error.message = fmt::format("process {} of {}: {}", group.rank(), group.count(), error.message);
    if (error.fault == Fault::Cancelled) {
        session.remark(error.text());
        return ExitCode::Interrupted;
    }
    session.complain(error);
    return ExitCode::SomeFailed;
}

namespace {

constexpr std::string_view kind = "train";

/// How long processes that train together wait for one another: the first also tests and reads patterns.
constexpr std::chrono::minutes longest_wait{30};

/// One run, from the moment when its data are there.
class TrainRun {
public:
    TrainRun(Session& session, JobEvents& events, const TrainOrder& order, Workspace& workspace,
             const TrainingData& data, const ProcessGroup& group, InitialMessage& first_word,
             std::optional<StoredModel> parent, std::stop_token stop)
        : session_(session)
        , events_(events)
        , order_(order)
        , workspace_(workspace)
        , data_(data)
        , group_(group)
        , first_word_(first_word)
        , parent_(std::move(parent))
        , stop_(std::move(stop))
        , display_(events.display_style())
        , parameters_(order.settings.json()) {
        parameters_["name"] = order.request.name;
        parameters_["data"] =
            identity_of(data.set, {data.split.train, data.split.validation}, reads_machine());
        if (parent_) // one that was trained anew under its name is another one
            parameters_["model_ids"] = {
                {parent_->record.name, static_cast<std::int64_t>(parent_->record.id)}};
    }

    [[nodiscard]] ExitCode run() {
        if (order_.request.split.empty())
            if (auto free = check_split_name(workspace_, order_.request.name); !free)
                return refuse_claim(events_, free.error());
        auto claimed =
            claim_run(workspace_, {kind, order_.request.name, parameters_, order_.redo, order_.finish});
        if (!claimed)
            return refuse_claim(events_, claimed.error());
        if (const auto* done = std::get_if<FinishedRun>(&*claimed)) {
            if (auto agreed = first_word_.say(SharedStart::NothingToDo); !agreed)
                return events_.refuse(agreed.error());
            return tell_done_before(*done);
        }
        const auto& claim = std::get<ClaimedRun>(*claimed);
        replaces_ = claim.replaces;
        replaced_ = claim.model;
        TrainingJournal journal(workspace_, claim.id);
        const auto outcome =
            order_.request.network ? train_network(journal, claim.state) : train_trees_alone(journal);
        display_.clear();
        return outcome ? finished(*outcome) : failed(claim.id, outcome.error());
    }

private:
    [[nodiscard]] bool reads_machine() const {
        const auto* network =
            parent_ ? std::get_if<NetworkDescription>(&parent_->checkpoint.model.architecture) : nullptr;
        return network != nullptr ? network->machine : order_.request.machine_features;
    }

    void tell_start_event(RunId run, const Json& resumed_at, std::size_t steps_per_epoch) {
        events_.start(
            start_json(order_.request, data_, {run, steps_per_epoch, replaces_, resumed_at, parameters_}));
    }

    void tell_start(RunId run, const Json& resumed_at, std::size_t steps_per_epoch) {
        tell_start_event(run, resumed_at, steps_per_epoch);
        if (events_.are_told())
            return;
        if (!replaces_.empty())
            session_.remark(replaces_);
        for (const std::string& note : data_.notes)
            session_.remark(note);
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
        if (!begun && goes_on && order_.redo != Redo::Never) {
            goes_on = false; // anew is what was asked for
            begun = training.begin({});
        }
        if (!begun)
            return std::unexpected(std::move(begun).error());
        tell_start(journal.run(),
                   goes_on ? Json{{"epoch", training.state().epoch + 1}, {"step", training.state().steps}}
                           : Json(),
                   training.steps_per_epoch());
        if (auto agreed = first_word_.say(SharedStart::Train); !agreed)
            return std::unexpected(std::move(agreed).error());
        const std::stop_source now;
        now.request_stop();
        const auto end = training.run(order_.finish ? now.get_token() : stop_, group_);
        if (!end)
            return std::unexpected(end.error());
        TrainOutcome outcome = outcome_of(training.state(), *end, journal.run());
        outcome.seconds = training.seconds();
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
        const auto cut_short = [&](Error error) -> Result<TrainOutcome> {
            // An error here would only hide the first one.
            [[maybe_unused]] const auto kept = training.keep_seconds();
            return std::unexpected(std::move(error));
        };
        auto metrics = training.test(stop);
        if (!metrics)
            return cut_short(std::move(metrics).error());
        outcome.metrics = *std::move(metrics);
        outcome.test_matrices = static_cast<int>(data_.split.test.size());
        if (request.baseline && !data_.split.test.empty() && *end != TrainingEnd::Stopped) {
            auto baseline = trees(stop);
            if (!baseline)
                return cut_short(std::move(baseline).error());
            outcome.baseline = baseline->metrics;
        }
        outcome.seconds = training.seconds();
        Checkpoint checkpoint = training.checkpoint(outcome.metrics);
        checkpoint.model.training.settings = settings_in_effect(order_.settings, request);
        return kept(journal, checkpoint, std::move(outcome),
                    parent_ ? std::optional(parent_->record.id) : std::nullopt);
    }

    [[nodiscard]] Result<TrainedTrees> trees(const std::stop_token& stop) {
        return train_and_test_trees(order_.request, data_, stop, progress());
    }

    [[nodiscard]] ProgressSink progress() {
        return [this](const Progress& now) {
            events_.progress(now.stage, now.done, now.total);
            display_.show({.what = std::string(now.stage), .done = now.done, .total = now.total, .left = {}});
        };
    }

    [[nodiscard]] Result<TrainOutcome> train_trees_alone(TrainingJournal& journal) {
        tell_start(journal.run(), {}, 0);
        const Stopwatch watch;
        const auto trained = trees(stop_);
        if (!trained)
            return std::unexpected(trained.error());
        const double seconds = watch.seconds();
        const auto rounds = trace_trees(data_.set, trained->trees, order_.request.options.loss,
                                        data_.split.train, data_.split.validation, stop_, progress());
        if (rounds) // the trees are made: a stop while their curve is drawn costs the curve alone
            tell_rounds(data_, *rounds, seconds, journal, events_);
        const auto checkpoint = checkpoint_of(order_.request, data_, *trained);
        if (!checkpoint)
            return std::unexpected(checkpoint.error());
        TrainOutcome outcome;
        outcome.run = static_cast<std::int64_t>(journal.run());
        outcome.ending = "finished";
        outcome.metrics = trained->metrics;
        outcome.test_matrices = static_cast<int>(data_.split.test.size());
        outcome.seconds = seconds;
        return kept(journal, *checkpoint, std::move(outcome), {});
    }

    /// The model and all that the outcome says, in the workspace.
    [[nodiscard]] Result<TrainOutcome> kept(TrainingJournal& journal, const Checkpoint& checkpoint,
                                            TrainOutcome outcome, std::optional<ModelId> parent) const {
        outcome.model = order_.request.name;
        const StoredTrainingResult result{outcome, checkpoint, parent, replaced_,
                                          order_.request.split.empty() ? &data_ : nullptr};
        if (auto done = store_training_result(workspace_, journal, result); !done)
            return std::unexpected(std::move(done).error());
        return outcome;
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
            return finished(stopped_behind_the_epochs(workspace_, run));
        // An error here would only hide the first one.
        [[maybe_unused]] const auto ended = end_run(workspace_, run, RunState::Failed, error.text());
        return events_.refuse(error);
    }

    [[nodiscard]] ExitCode tell_done_before(const FinishedRun& done) {
        const auto outcome = stored_outcome(workspace_, done);
        if (!outcome)
            return events_.refuse(outcome.error());
        tell_start_event(*done.model.run, {}, 0); // what its data lack was said when it was trained
        session_.remark(fmt::format("{} was trained with these settings before (at {}); --again does it anew",
                                    done.model.name, done.model.created));
        print(*outcome, true);
        return ExitCode::Done;
    }

    Session& session_;
    JobEvents& events_;
    const TrainOrder& order_;
    Workspace& workspace_;
    const TrainingData& data_;
    const ProcessGroup& group_;
    InitialMessage& first_word_;
    std::optional<StoredModel> parent_;
    std::stop_token stop_;
    ProgressDisplay display_;
    Json parameters_; ///< the effective configuration
    std::string replaces_;
    std::optional<ModelRecord> replaced_;
};

} // namespace

ExitCode run_training(Session& session, JobEvents& events, const TrainOrder& of_all,
                      const std::stop_token& stop) {
    const auto place = process_place();
    if (!place)
        return events.refuse(place.error(), ExitCode::Usage);
    TrainOrder order = of_all;
    order.request.device = device_of_process(order.request.device, place->local_rank);
    if (place->rank > 0 && !order.request.network)
        return ExitCode::Done; // trees are trained by the first process alone
    const TorchRuntime runtime = prepare_torch(order.request.threads);
    auto group = ProcessGroup::join(order.request.network ? *place : ProcessPlace{}, longest_wait, stop);
    if (!group)
        return events.refuse(group.error());
    if (group->rank() > 0)
        return join_training(session, order.request, *group, stop);
    InitialMessage first_word(*group, stop);
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
    return TrainRun(session, events, order, *workspace, *data, *group, first_word, std::move(parent), stop)
        .run();
}

} // namespace sparsight

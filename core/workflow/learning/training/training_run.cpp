#include "workflow/learning/training/training_run.h"

#include "learning/training/trainer.h"
#include "model/boosted_trees.h"
#include "model/tensors/torch_runtime.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/training/model_training.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

/// How long processes that train together wait for one another: the first also tests and reads patterns.
constexpr std::chrono::minutes longest_wait{30};

} // namespace

TrainingProcess::TrainingProcess(int rank, std::stop_token stop)
    : rank_(rank)
    , stop_(std::move(stop)) {}

TrainingProcess::TrainingProcess(TrainingProcess&& other) noexcept
    : rank_(other.rank_)
    , group_(std::exchange(other.group_, std::nullopt))
    , warning_(std::move(other.warning_))
    , stop_(std::move(other.stop_))
    , has_agreed_(other.has_agreed_) {}

TrainingProcess::~TrainingProcess() {
    if (is_first() && group_ && !has_agreed_) [[maybe_unused]]
        const auto agreed = agree(fail(stop_.stop_requested() ? Fault::Cancelled : Fault::Environment, ""));
}

Result<TrainingProcess> TrainingProcess::join(TrainRequest& request, const std::stop_token& stop) {
    const auto place = process_place();
    if (!place)
        return std::unexpected(place.error());
    request.device = device_of_process(request.device, place->local_rank);
    TrainingProcess process(place->rank, stop);
    if (place->rank > 0 && !request.is_network())
        return process; // trees are trained by the first process alone
    const auto runtime = prepare_torch(request.threads);
    if (!runtime)
        return std::unexpected(runtime.error());
    process.warning_ = runtime->warning;
    auto group = ProcessGroup::join(request.is_network() ? *place : ProcessPlace{}, longest_wait, stop);
    if (!group)
        return std::unexpected(std::move(group).error());
    process.group_ = *std::move(group);
    return process;
}

Result<SharedStart> TrainingProcess::agree(Result<SharedStart> mine) {
    has_agreed_ = true;
    return agree_on_start(*group_, std::move(mine), stop_);
}

namespace {

/// What the first process reads as well.
struct Followed {
    TrainingData data;
    NetworkStart start;
};

Result<Followed> read(Workspace& workspace, const LearningDomains& domains, const TrainRequest& request,
                      const std::stop_token& stop) {
    auto data = training_data(workspace, request, stop, {});
    if (!data)
        return std::unexpected(std::move(data).error());
    std::optional<StoredModel> parent;
    if (!request.parent.empty()) {
        auto loaded = load_model(workspace, domains, request.parent);
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        parent = *std::move(loaded);
    }
    // The weights and where the training stands will be those of the first process.
    auto start = start_of_network(request, *data, parent ? &*parent : nullptr);
    if (!start)
        return std::unexpected(std::move(start).error());
    return Followed{*std::move(data), *std::move(start)};
}

Result<TrainingEnd> follow(const WorkspaceLocation& location, const LearningDomains& domains,
                           const TrainRequest& request, TrainingProcess& process,
                           const std::stop_token& stop) {
    auto workspace = location.open(WorkspaceAccess::Read);
    const auto followed = workspace ? read(*workspace, domains, request, stop)
                                    : Result<Followed>(std::unexpected(workspace.error()));
    const auto agreed =
        process.agree(followed ? Result<SharedStart>(SharedStart::Train) : std::unexpected(followed.error()));
    if (!agreed)
        return std::unexpected(agreed.error());
    if (*agreed == SharedStart::NothingToDo)
        return TrainingEnd::Finished;
    const at::Device device(request.device);
    ExampleStore examples(followed->data.set, followed->start.encoder, request.threads,
                          default_kept_coordinates, device);
    const auto result =
        train(examples, followed->data.split, request.options,
              initial_training_state(request.options.method, request.options.inner,
                                     to_tensors(followed->start.weights, true, at::kFloat, device)),
              {}, stop, process.group());
    if (!result)
        return std::unexpected(result.error());
    return result->end;
}

} // namespace

Result<TrainingEnd> join_training(const WorkspaceLocation& location, const LearningDomains& domains,
                                  const TrainRequest& request, TrainingProcess& process,
                                  const std::stop_token& stop) {
    auto end = follow(location, domains, request, process, stop);
    if (!end)
        end.error().message = fmt::format("process {} of {}: {}", process.group().rank(),
                                          process.group().count(), end.error().message);
    return end;
}

namespace {

constexpr std::string_view kind = "train";

/// One run, from the moment when its data are there.
class TrainRun {
public:
    TrainRun(Workspace& workspace, const LearningDomains& domains, const TrainOrder& order,
             const TrainingData& data, TrainingProcess& process, std::optional<StoredModel> parent,
             Observer& observer, std::stop_token stop)
        : workspace_(workspace)
        , domains_(domains)
        , order_(order)
        , data_(data)
        , process_(process)
        , parent_(std::move(parent))
        , observer_(observer)
        , stop_(std::move(stop))
        , parameters_(order.settings.json()) {
        if (!order.request.split_by) // as of runs before there were other splits: they are found again
            parameters_.erase("split_by");
        leave_out_later_settings(order.request, [&](const char* setting) { parameters_.erase(setting); });
        parameters_["name"] = order.request.name;
        parameters_["domain"] = order.request.domain->domain().name();
        if (data.by == SplitBy::Row)
            parameters_[regret_parameter] = regret_of_workloads;
        parameters_["data"] =
            identity_of(data.set, {data.split.train, data.split.validation}, reads_machine());
        if (parent_) // one that was trained anew under its name is another one
            parameters_["model_ids"] = {
                {parent_->record.name, static_cast<std::int64_t>(parent_->record.id)}};
    }

    [[nodiscard]] Result<TrainOutcome> run() {
        if (keeps_split())
            if (auto free = check_split_name(workspace_, order_.request.name); !free)
                return refused(std::move(free).error());
        auto claimed =
            claim_run(workspace_, {kind, order_.request.name, parameters_, order_.redo, order_.finish});
        if (!claimed)
            return refused(std::move(claimed).error());
        if (const auto* done = std::get_if<FinishedRun>(&*claimed)) {
            if (auto agreed = process_.agree(SharedStart::NothingToDo); !agreed)
                return std::unexpected(std::move(agreed).error());
            return tell_done_before(*done);
        }
        const auto& claim = std::get<ClaimedRun>(*claimed);
        replaces_ = claim.replaces;
        replaced_ = claim.model;
        TrainingJournal journal(workspace_, claim.id);
        auto outcome =
            order_.request.is_network() ? train_network(journal, claim.state) : train_trees_alone(journal);
        return outcome ? ended(*std::move(outcome)) : failed(claim.id, outcome.error());
    }

private:
    [[nodiscard]] static TrainOutcome refused(Error error) {
        TrainOutcome outcome;
        outcome.end = RunEnd::Refused;
        outcome.reason = std::move(error);
        return outcome;
    }

    /// By the model's name, so that others can be tested with the same workloads.
    [[nodiscard]] bool keeps_split() const {
        return order_.request.split.empty() && data_.by == SplitBy::Workload;
    }

    /// Not known where they are parts: how much chance groups of configurations leave, nobody has looked at.
    [[nodiscard]] int test_workloads() const {
        const WholeWorkloads tested = whole_workloads(data_.set, data_.split.test);
        return tested.groups > 0 ? 0 : static_cast<int>(tested.names.size());
    }

    /// From any workload that is learned from.
    [[nodiscard]] bool can_train_trees() const {
        return std::ranges::any_of(data_.set.tasks, [this](const Task& task) {
            return std::ranges::any_of(task.runtimes, [this](const WorkloadRuntimes& runtimes) {
                return can_be_learned(runtimes.milliseconds, goal_of(order_.request.options.loss)) &&
                       std::ranges::find(data_.split.train, runtimes.workload) != data_.split.train.end();
            });
        });
    }

    [[nodiscard]] bool reads_machine() const {
        if (parent_ && is_network(parent_->checkpoint.model))
            return parent_->encoder()->reads_machine();
        return order_.request.machine_features;
    }

    void tell_start_event(RunId run, const Json& resumed_at, std::size_t steps_per_epoch) {
        observer_.start(
            start_json(order_.request, data_, {run, steps_per_epoch, replaces_, resumed_at, parameters_}));
    }

    void tell_start(RunId run, const Json& resumed_at, std::size_t steps_per_epoch) {
        tell_start_event(run, resumed_at, steps_per_epoch);
        if (!replaces_.empty())
            observer_.note(replaces_);
        for (const std::string& note : data_.notes)
            observer_.note(note);
    }

    [[nodiscard]] Result<TrainOutcome> train_network(TrainingJournal& journal,
                                                     const std::optional<StoredTrainingState>& stored) {
        const TrainRequest& request = order_.request;
        auto start = start_of_network(request, data_, parent_ ? &*parent_ : nullptr);
        if (!start)
            return std::unexpected(std::move(start).error());
        NetworkTraining training(request, data_, *std::move(start), journal, observer_);
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
        if (auto agreed = process_.agree(SharedStart::Train); !agreed)
            return std::unexpected(std::move(agreed).error());
        const std::stop_source now;
        now.request_stop();
        const auto end = training.run(order_.finish ? now.get_token() : stop_, process_.group());
        if (!end)
            return std::unexpected(end.error());
        TrainOutcome outcome = outcome_of(training.state(), *end, journal.run());
        outcome.seconds = training.seconds();
        if (*end == TrainingEnd::Stopped && training.state().steps == 0) {
            constexpr const char* untrained = "stopped before the first step: there is nothing to keep yet";
            if (order_.finish)
                return fail(Fault::Input, untrained);
            if (order_.keep)
                observer_.remark(untrained);
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
        outcome.test_workloads = test_workloads();
        if (request.baseline && !data_.split.test.empty() && *end != TrainingEnd::Stopped &&
            can_train_trees()) {
            auto baseline = trees(stop);
            if (!baseline)
                return cut_short(std::move(baseline).error());
            outcome.baseline = baseline->metrics;
        }
        outcome.seconds = training.seconds();
        Checkpoint checkpoint = training.checkpoint(outcome.metrics);
        checkpoint.model.training.settings = settings_in_effect(order_.settings, request);
        checkpoint.model.training.computed_with =
            computing_environment(request.threads, process_.group().count(), request.device);
        return kept(journal, checkpoint, std::move(outcome),
                    parent_ ? std::optional(parent_->record.id) : std::nullopt);
    }

    [[nodiscard]] Result<TrainedTrees> trees(const std::stop_token& stop) {
        return train_and_test_trees(order_.request, data_, stop, observer_.sink());
    }

    [[nodiscard]] Result<TrainOutcome> train_trees_alone(TrainingJournal& journal) {
        tell_start(journal.run(), {}, 0);
        const Stopwatch watch;
        const auto trained = trees(stop_);
        if (!trained)
            return std::unexpected(trained.error());
        const double seconds = watch.seconds();
        const auto rounds = trace_trees(data_.set, trained->trees, order_.request.options.loss,
                                        data_.split.train, data_.split.validation, stop_, observer_.sink());
        if (rounds) // the trees are made: a stop while their curve is drawn costs the curve alone
            tell_rounds(data_, *rounds, seconds, journal, observer_);
        auto checkpoint = checkpoint_of(order_.request, data_, *trained);
        if (!checkpoint)
            return std::unexpected(std::move(checkpoint).error());
        checkpoint->model.training.computed_with = trees_environment(order_.request.threads);
        TrainOutcome outcome;
        outcome.run = static_cast<std::int64_t>(journal.run());
        outcome.ending = "finished";
        outcome.metrics = trained->metrics;
        outcome.test_workloads = test_workloads();
        outcome.seconds = seconds;
        return kept(journal, *checkpoint, std::move(outcome), {});
    }

    /// The model and all that the outcome says, in the workspace.
    [[nodiscard]] Result<TrainOutcome> kept(TrainingJournal& journal, const Checkpoint& checkpoint,
                                            TrainOutcome outcome, std::optional<ModelId> parent) const {
        outcome.model = order_.request.name;
        outcome.domain = domains_.require(data_.set.setting.domain).value(); // its data were read
        const StoredTrainingResult result{outcome, checkpoint, parent, replaced_,
                                          keeps_split() ? &data_ : nullptr};
        if (auto done = store_training_result(workspace_, journal, result); !done)
            return std::unexpected(std::move(done).error());
        return outcome;
    }

    [[nodiscard]] Result<TrainOutcome> ended(TrainOutcome outcome) {
        if (outcome.model)
            return outcome;
        outcome.end = RunEnd::Stopped;
        if (auto noted = end_run(workspace_, static_cast<RunId>(outcome.run), RunState::Stopped); !noted)
            return std::unexpected(std::move(noted).error());
        return outcome;
    }

    [[nodiscard]] Result<TrainOutcome> failed(RunId run, const Error& error) {
        if (error.fault == Fault::Cancelled)
            return ended(stopped_behind_the_epochs(workspace_, run));
        // An error here would only hide the first one.
        [[maybe_unused]] const auto noted = end_run(workspace_, run, RunState::Failed, error.text());
        return std::unexpected(error);
    }

    [[nodiscard]] Result<TrainOutcome> tell_done_before(const FinishedRun& done) {
        auto outcome = stored_outcome(workspace_, domains_, done);
        if (!outcome)
            return outcome;
        tell_start_event(*done.model.run, {}, 0); // what its data lack was said when it was trained
        observer_.remark(
            fmt::format("{} was trained with these settings before (at {}); --again does it anew",
                        done.model.name, done.model.created));
        return outcome;
    }

    Workspace& workspace_;
    const LearningDomains& domains_;
    const TrainOrder& order_;
    const TrainingData& data_;
    TrainingProcess& process_;
    std::optional<StoredModel> parent_;
    Observer& observer_;
    std::stop_token stop_;
    Json parameters_; ///< the effective configuration
    std::string replaces_;
    std::optional<ModelRecord> replaced_;
};

} // namespace

Result<TrainOutcome> run_training(Workspace& workspace, const LearningDomains& domains,
                                  const TrainOrder& order, TrainingProcess& process, Observer& observer,
                                  const std::stop_token& stop) {
    auto data =
        training_data(workspace, order.request, stop, [&](const Progress& state) { observer.show(state); });
    if (!data)
        return std::unexpected(std::move(data).error());
    std::ranges::move(settings_without_effect(order.settings, order.request),
                      std::back_inserter(data->notes));
    if (!process.warning().empty())
        data->notes.push_back(process.warning());
    std::optional<StoredModel> parent;
    if (!order.request.parent.empty()) {
        auto loaded = load_model(workspace, domains, order.request.parent);
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        parent = *std::move(loaded);
    }
    return TrainRun(workspace, domains, order, *data, process, std::move(parent), observer, stop).run();
}

} // namespace sparsight

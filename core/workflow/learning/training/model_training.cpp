#include "workflow/learning/training/model_training.h"

#include "base/process.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds step_interval{50};

/// Of the metrics, and in the event: what the simulator of a gray box does alone in the validation.
constexpr const char* simulator_group = "validation_of_simulator";

/// How many workloads each side has, and how many groups of their configurations; null: none.
std::pair<Json, Json> counts_json(const TaskSet& set, const WorkloadSplit& split) {
    Json workloads = Json::object();
    Json groups;
    for (const auto& [side, places] :
         {std::pair("train", &split.train), std::pair("validation", &split.validation),
          std::pair("test", &split.test)}) {
        const WholeWorkloads whole = whole_workloads(set, *places);
        workloads[side] = whole.names.size();
        if (whole.groups > 0)
            groups[side] = whole.groups;
    }
    return {std::move(workloads), std::move(groups)};
}

} // namespace

Json start_json(const TrainRequest& request, const TrainingData& data, const TrainingStart& start) {
    const bool is_network = request.is_network();
    const auto [workloads, groups] = counts_json(data.set, data.split);
    Json json{{"run", static_cast<std::int64_t>(start.run)},
              {"name", request.name},
              {"method", is_network ? std::string(name(request.options.method)) : "trees"},
              {"architecture", request.architecture},
              {"epochs", is_network ? request.options.epochs : 0},
              {"steps_per_epoch", start.steps_per_epoch},
              {"machines", machine_names(data.set)},
              {"matrices", workloads},
              {"split", !request.split.empty()         ? request.split
                        : data.by == SplitBy::Workload ? request.name
                                                       : fmt::format("by {}", name(data.by))},
              {"notes", data.notes},
              {"replaces", start.replaces.empty() ? Json() : Json(start.replaces)},
              {"resumed_at", start.resumed_at},
              {"parameters", start.parameters}};
    if (!groups.is_null())
        json["groups"] = groups;
    return json;
}

namespace {

/// {"overall": {NAME: NUMBER}, MACHINE: {NAME: NUMBER}}.
Json validation_json(const TaskSet& set, const std::vector<RankingReport>& tasks,
                     const RankingReport& overall) {
    Json json{{"overall", overall.by_name()}};
    for (std::size_t task = 0; task < tasks.size(); ++task)
        json[set.tasks[task].machine] = tasks[task].by_name();
    return json;
}

/// The same, as metrics: "GROUP/NAME" and "GROUP/MACHINE/NAME".
void record_validation(std::string_view group, std::int64_t epoch, const TaskSet& set,
                       const std::vector<RankingReport>& tasks, const RankingReport& overall,
                       TrainingJournal& journal) {
    for (const auto& [name, value] : overall.by_name())
        journal.add(fmt::format("{}/{}", group, name), epoch, value);
    for (std::size_t task = 0; task < tasks.size(); ++task)
        for (const auto& [name, value] : tasks[task].by_name())
            journal.add(fmt::format("{}/{}/{}", group, set.tasks[task].machine, name), epoch, value);
}

} // namespace

void StepEvents::add(const StepReport& step, double seconds) {
    if (step.epoch != epoch_)
        flush();
    epoch_ = step.epoch;
    seconds_ = seconds;
    losses_.push_back(step.loss);
    gradient_norms_.push_back(step.gradient_norm);
    if (Clock::now() - told_ >= step_interval)
        flush();
}

void StepEvents::flush() {
    if (losses_.empty())
        return;
    observer_.event("steps", {{"first", done_ + 1},
                              {"losses", losses_},
                              {"gradient_norms", gradient_norms_},
                              {"epoch", epoch_ + 1},
                              {"seconds", seconds_}});
    done_ += static_cast<std::int64_t>(losses_.size());
    losses_.clear();
    gradient_norms_.clear();
    told_ = Clock::now();
}

void tell_rounds(const TrainingData& data, const std::vector<TreesRound>& rounds, double seconds,
                 TrainingJournal& journal, Observer& observer) {
    for (const TreesRound& each : rounds) {
        const std::int64_t round = each.rounds;
        const bool is_last = &each == &rounds.back();
        // All rounds are as long as one another: each adds one tree over the same rows.
        const double by_then =
            seconds * static_cast<double>(round) / static_cast<double>(rounds.back().rounds);
        journal.add("epoch/training_loss", round, each.training_loss);
        journal.add("epoch/seconds", round, by_then);
        journal.add("epoch/step", round, static_cast<double>(round));
        Json validation = Json::object();
        if (!each.tasks.empty()) {
            validation = validation_json(data.set, each.tasks, each.overall);
            record_validation("validation", round, data.set, each.tasks, each.overall, journal);
        }
        observer.event("epoch", {{"epoch", round},
                                 {"step", round},
                                 {"training_loss", each.training_loss},
                                 {"seconds", by_then},
                                 {"memory_bytes", occupied_memory()},
                                 {"validation", validation},
                                 {"is_best", is_last}});
    }
}

namespace {

Result<void> check_parent(const TrainRequest& request, const StoredModel& parent) {
    // The encoder knows the name of today.
    const std::string architecture =
        parent.encoder() != nullptr ? parent.encoder()->architecture().name : parent.architecture().name;
    if (architecture != request.architecture)
        return fail(Fault::Input, fmt::format("the model '{}' is of {}; expected {}, as what is trained",
                                              request.parent, architecture, request.architecture));
    const std::string wanted = request.domain->purpose(request.setting);
    if (parent.domain != request.domain || parent.purpose() != wanted)
        return fail(Fault::Input, fmt::format("the model '{}' is for {}; expected {}", request.parent,
                                              parent.purpose(), wanted));
    if (request.machine_features && !parent.encoder()->reads_machine())
        return fail(Fault::Input,
                    fmt::format("the model '{}' does not read descriptions of machines", request.parent));
    return {};
}

} // namespace

Result<NetworkStart> start_of_network(const TrainRequest& request, const TrainingData& data,
                                      const StoredModel* parent) {
    if (parent != nullptr) {
        if (auto checked = check_parent(request, *parent); !checked)
            return std::unexpected(std::move(checked).error());
        return NetworkStart{parent->encoder(), parent->checkpoint.weights, parent->checkpoint.rates};
    }
    auto encoder = request.domain->new_encoder({.architecture = request.architecture,
                                                .reads_machine = request.machine_features,
                                                .tasks = data.set,
                                                .train = data.split.train,
                                                .width = request.width});
    auto weights = draw_weights(encoder->parameters(), request.options.seed);
    return NetworkStart{std::move(encoder), std::move(weights), {}};
}

NetworkTraining::NetworkTraining(const TrainRequest& request, const TrainingData& data, NetworkStart start,
                                 TrainingJournal& journal, Observer& observer)
    : request_(request)
    , data_(data)
    , start_(std::move(start))
    , journal_(journal)
    , observer_(observer)
    , device_(request.device)
    , examples_(data.set, start_.encoder, request.threads, default_kept_coordinates, device_) {}

Result<void> NetworkTraining::begin(const std::optional<StoredTrainingState>& stored) {
    const TrainingOptions& options = request_.options;
    steps_per_epoch_ = plan_epoch(data_.set, data_.split.train, options, 0).size();
    begun_ = std::chrono::steady_clock::now();
    if (!stored) {
        state_ = initial_training_state(options.method, options.inner,
                                        to_tensors(start_.weights, true, at::kFloat, device_));
        if (state_.parameters.rates && !start_.rates.empty())
            state_.parameters.rates = to_tensors(start_.rates, true, at::kFloat, device_);
        return journal_.go_back_to(0, 0);
    }
    auto state =
        parse_training_state(stored->state, options.method, shapes_of(start_.encoder->parameters()), device_);
    if (!state)
        return fail(state.error().fault,
                    fmt::format("the run can't go on from where it was left: {}; --again begins anew",
                                state.error().message));
    state_ = *std::move(state);
    steps_ = state_.steps;
    const auto worked = list_metric(journal_.workspace(), journal_.run(), seconds_metric);
    if (!worked)
        return std::unexpected(worked.error());
    if (!worked->empty())
        seconds_before_ = worked->back().value;
    return journal_.go_back_to(state_.steps, state_.epoch);
}

double NetworkTraining::seconds() const {
    return seconds_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

Result<void> NetworkTraining::keep_seconds() {
    journal_.add(seconds_metric, 0, seconds());
    return journal_.flush();
}

void NetworkTraining::tell_step(const StepReport& step) {
    ++steps_;
    journal_.add("loss", steps_, step.loss);
    step_events_->add(step, seconds());
    const auto total = static_cast<std::uint64_t>(request_.options.epochs) * step.steps;
    const std::uint64_t done = static_cast<std::uint64_t>(step.epoch) * step.steps + step.step;
    const std::string details =
        fmt::format("epoch {} of {}, loss {:.4g}", step.epoch + 1, request_.options.epochs, step.loss);
    observer_.progress({.stage = "training", .done = done, .total = total, .details = details});
}

void NetworkTraining::tell_epoch(const EpochReport& report) {
    step_events_->flush();
    const std::int64_t epoch = report.epoch + 1;
    const double now = seconds();
    journal_.add("epoch/training_loss", epoch, report.training_loss);
    journal_.add("epoch/rate", epoch, report.rate);
    journal_.add("epoch/seconds", epoch, now);
    journal_.add("epoch/examples_per_second", epoch, report.examples_per_second);
    journal_.add("epoch/step", epoch, static_cast<double>(steps_));
    record_validation("validation", epoch, data_.set, report.tasks, report.overall, journal_);
    Json event{{"epoch", epoch},
               {"step", steps_},
               {"training_loss", report.training_loss},
               {"rate", report.rate},
               {"seconds", now},
               {"examples_per_second", report.examples_per_second},
               {"memory_bytes", occupied_memory()},
               {"validation", validation_json(data_.set, report.tasks, report.overall)},
               {"is_best", report.is_best}};
    if (!report.simulator.empty()) {
        const RankingReport overall = combine(report.simulator);
        record_validation(simulator_group, epoch, data_.set, report.simulator, overall, journal_);
        event[simulator_group] = validation_json(data_.set, report.simulator, overall);
    }
    observer_.event("epoch", event);
}

Result<void> NetworkTraining::keep(const TrainingState& state) {
    return state.step == 0 ? journal_.save(state, seconds()) : journal_.save_if_due(state, seconds());
}

Result<TrainingEnd> NetworkTraining::run(const std::stop_token& stop, const ProcessGroup& group) {
    step_events_.emplace(observer_, steps_);
    observer_.resume(static_cast<std::uint64_t>(steps_));
    TrainingObserver observer;
    observer.step = [this](const StepReport& step) { tell_step(step); };
    observer.epoch = [this](const EpochReport& report) { tell_epoch(report); };
    observer.checkpoint = [this](const TrainingState& state) { return keep(state); };
    observer.validation = [this](const Progress& progress) {
        observer_.show({.stage = "validating", .done = progress.done, .total = progress.total});
    };
    auto result = train(examples_, data_.split, request_.options, state_, observer, stop, group);
    step_events_->flush();
    if (!result) {
        // What was seen before it diverged tells why.
        if (auto kept = journal_.flush(); !kept)
            return std::unexpected(std::move(kept).error());
        return std::unexpected(std::move(result).error());
    }
    state_ = std::move(result->state);
    if (auto kept = journal_.save(state_, seconds()); !kept)
        return std::unexpected(std::move(kept).error());
    return result->end;
}

MetaParameters NetworkTraining::best() const {
    if (state_.epoch == 0) // stopped within the first epoch: nothing was compared yet
        return state_.parameters;
    return {state_.best, state_.best_rates};
}

Result<std::map<std::string, double>> NetworkTraining::test(const std::stop_token& stop) {
    if (data_.split.test.empty())
        return std::map<std::string, double>{};
    const ProgressSink progress = [this](const Progress& state) {
        observer_.show({.stage = "testing", .done = state.done, .total = state.total});
    };
    const auto reports =
        validate(examples_, data_.split, data_.split.test, request_.options, best(), stop, progress);
    if (!reports)
        return std::unexpected(reports.error());
    return combine(*reports).by_name();
}

Checkpoint NetworkTraining::checkpoint(const std::map<std::string, double>& metrics) const {
    const MetaParameters parameters = best();
    Checkpoint checkpoint;
    checkpoint.model.architecture = start_.encoder->architecture();
    WholeWorkloads learned = whole_workloads(data_.set, data_.split.train);
    checkpoint.model.training = {.method = std::string(name(request_.options.method)),
                                 .machines = machine_names(data_.set, data_.split.train),
                                 .workloads = std::move(learned.names),
                                 .seed = request_.options.seed,
                                 .metrics = metrics,
                                 .parent =
                                     request_.parent.empty() ? std::nullopt : std::optional(request_.parent),
                                 .groups = learned.groups};
    checkpoint.weights = to_arrays(parameters.weights);
    if (parameters.rates)
        checkpoint.rates = to_arrays(*parameters.rates);
    return checkpoint;
}

Result<TrainedTrees> train_and_test_trees(const TrainRequest& request, const TrainingData& data,
                                          const std::stop_token& stop, const ProgressSink& progress) {
    const std::string_view architecture = request.is_network() ? trees_architecture : request.architecture;
    auto features = request.domain->new_tree_features({.architecture = architecture,
                                                       .reads_machine = request.machine_features,
                                                       .tasks = data.set,
                                                       .train = data.split.train});
    auto trees = train_trees(data.set, std::move(features), data.split.train,
                             {.goal = goal_of_trees(request.options.loss),
                              .seed = request.options.seed,
                              .threads = request.threads},
                             stop, progress);
    if (!trees)
        return std::unexpected(std::move(trees).error());
    std::map<std::string, double> metrics;
    if (!data.split.test.empty()) {
        const auto report = report_trees(data.set, *trees, request.options.loss, data.split.test, stop);
        if (!report)
            return std::unexpected(report.error());
        metrics = report->by_name();
    }
    return TrainedTrees{*std::move(trees), std::move(metrics)};
}

Result<Checkpoint> checkpoint_of(const TrainRequest& request, const TrainingData& data,
                                 const TrainedTrees& trained) {
    auto bytes = trained.trees.save();
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    Checkpoint checkpoint;
    checkpoint.model.architecture = trained.trees.features().architecture();
    WholeWorkloads learned = whole_workloads(data.set, data.split.train);
    checkpoint.model.training = {.method = "trees",
                                 .machines = machine_names(data.set, data.split.train),
                                 .workloads = std::move(learned.names),
                                 .seed = request.options.seed,
                                 .metrics = trained.metrics,
                                 .parent = {},
                                 .groups = learned.groups};
    checkpoint.trees = *std::move(bytes);
    return checkpoint;
}

} // namespace sparsight

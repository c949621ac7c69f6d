#include "domains/sparse/workflow/learning/transfer/transfer_study.h"

#include "domains/sparse/encoder/sparse_learning.h"
#include "learning/tasks/splits.h"
#include "store/workspace.h"
#include "workflow/learning/models/model_storage.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace sparsight {

namespace {

constexpr std::string_view transfer_kind = "experiment tasks";

// Names of metrics: "point/TARGET/SEED/SOURCE/METRIC" by shots, "training/TARGET/SEED/SOURCE/WHAT" and
// "state/WHAT" at step 0; source as the number of its enumerator.
constexpr std::string_view point_prefix = "point/";
constexpr std::string_view training_prefix = "training/";
constexpr const char* owner_target = "state/target";
constexpr const char* owner_seed = "state/seed";
constexpr const char* owner_source = "state/source";

std::string path_of(const TransferCell& cell) {
    return fmt::format("{}/{}/{}/", cell.target, cell.seed, static_cast<int>(cell.source));
}

/// The number at the front of the text, which loses it with the slash behind it.
std::optional<std::size_t> take_number(std::string_view& text) {
    std::size_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto length = static_cast<std::size_t>(stop - text.data());
    if (error != std::errc() || length >= text.size() || text[length] != '/')
        return std::nullopt;
    text.remove_prefix(length + 1);
    return number;
}

std::optional<TransferCell> take_cell(std::string_view& text) {
    const auto target = take_number(text);
    const auto seed = target ? take_number(text) : std::nullopt;
    const auto source = seed ? take_number(text) : std::nullopt;
    if (!source || *source >= all_meta_sources.size())
        return std::nullopt;
    return TransferCell{*target, static_cast<int>(*seed), all_meta_sources[*source]};
}

} // namespace

Result<TransferRecord> TransferRecord::claim(Workspace& workspace, const Json& parameters) {
    std::optional<TransferRecord> record;
    // At once, so that of two that come together one finds what the other has taken.
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const std::string text = parameters.dump();
        const auto known = find_training_run(workspace, transfer_kind, text);
        if (!known)
            return std::unexpected(known.error());
        if (*known && (*known)->is_finished) {
            record.emplace(TransferRecord(workspace, (*known)->id, std::nullopt, true));
            return {};
        }
        const auto run = *known ? Result<RunId>((*known)->id) : start_run(workspace, transfer_kind, text);
        if (!run)
            return std::unexpected(run.error());
        auto hold = RunHold::take(workspace, *run);
        if (!hold)
            return std::unexpected(std::move(hold).error());
        record.emplace(TransferRecord(workspace, *run, *std::move(hold), false));
        return *known ? resume_run(workspace, *run) : Result<void>();
    });
    if (done)
        done = record->read();
    if (!done)
        return std::unexpected(std::move(done).error());
    return *std::move(record);
}

Result<void> TransferRecord::read() {
    const auto metrics = stored_metrics(*workspace_, run());
    if (!metrics)
        return std::unexpected(metrics.error());
    for (const auto& [name, points] : *metrics)
        take(name, points);
    if (metrics->contains(owner_target))
        owner_ = TransferCell{
            static_cast<std::size_t>(metrics->at(owner_target).back().value),
            static_cast<int>(metrics->at(owner_seed).back().value),
            all_meta_sources.at(static_cast<std::size_t>(metrics->at(owner_source).back().value))};
    return {};
}

void TransferRecord::take(const std::string& name, const std::vector<MetricPoint>& points) {
    std::string_view rest = name;
    const bool is_point = rest.starts_with(point_prefix);
    if (!is_point && !rest.starts_with(training_prefix))
        return;
    rest.remove_prefix(is_point ? point_prefix.size() : training_prefix.size());
    const auto cell = take_cell(rest);
    if (!cell)
        return;
    for (const MetricPoint& point : points)
        if (is_point)
            points_[{*cell, static_cast<std::size_t>(point.step)}].emplace(rest, point.value);
        else if (rest == "machines")
            trainings_[*cell].machines = static_cast<std::int64_t>(point.value);
        else if (rest == "steps")
            trainings_[*cell].steps = static_cast<std::int64_t>(point.value);
        else if (rest == "examples")
            trainings_[*cell].examples = static_cast<std::int64_t>(point.value);
}

Result<std::optional<StoredTrainingState>> TransferRecord::state_of(const TransferCell& cell) {
    if (owner_ != cell)
        return std::nullopt;
    return find_training_state(*workspace_, run());
}

void TransferRecord::note_owner(const TransferCell& cell) {
    if (owner_ == cell)
        return;
    journal_.add(owner_target, 0, static_cast<double>(cell.target));
    journal_.add(owner_seed, 0, static_cast<double>(cell.seed));
    journal_.add(owner_source, 0, static_cast<double>(static_cast<int>(cell.source)));
    owner_ = cell;
}

Result<void> TransferRecord::keep_if_due(const TransferCell& cell, const TrainingState& state) {
    if (owner_ != cell)
        return keep(cell, state); // what is kept is another's, and whose it is may not be said before
    return journal_.save_if_due(state, 0);
}

Result<void> TransferRecord::keep(const TransferCell& cell, const TrainingState& state) {
    note_owner(cell);
    return journal_.save(state, 0);
}

void TransferRecord::add(const TransferCell& cell, const TransferTraining& training) {
    trainings_[cell] = training;
    const std::string path = std::string(training_prefix) + path_of(cell);
    journal_.add(path + "machines", 0, static_cast<double>(training.machines));
    journal_.add(path + "steps", 0, static_cast<double>(training.steps));
    journal_.add(path + "examples", 0, static_cast<double>(training.examples));
}

Result<void> TransferRecord::add(const Point& point, const Metrics& metrics) {
    points_[point] = metrics;
    const std::string path = std::string(point_prefix) + path_of(point.first);
    for (const auto& [name, value] : metrics)
        journal_.add(path + name, static_cast<std::int64_t>(point.second), value);
    return journal_.flush();
}

Result<void> TransferRecord::end(RunState state, const std::string& message) {
    if (auto kept = journal_.flush(); !kept)
        return kept;
    return end_run(*workspace_, run(), state, message);
}

namespace {

/// The target's task alone: what it is tested with depends on no other machine.
TaskSet only(const TaskSet& real, std::size_t task) {
    return {real.setting, real.workloads, {real.tasks[task]}};
}

std::size_t count_measured(const Task& task, const std::vector<std::size_t>& matrices) {
    const std::set<std::size_t> wanted(matrices.begin(), matrices.end());
    return static_cast<std::size_t>(std::ranges::count_if(
        task.runtimes, [&](const WorkloadRuntimes& runtimes) { return wanted.contains(runtimes.workload); }));
}

} // namespace

std::vector<TransferCell> TransferStudy::cells() const {
    std::vector<TransferCell> cells;
    for (std::size_t target = 0; target < data_.targets.size(); ++target)
        for (int seed = 1; seed <= request_.seeds; ++seed)
            for (const MetaSource source : request_.sources)
                cells.push_back({target, seed, source});
    return cells;
}

TrainingOptions TransferStudy::training_options(const TransferCell& cell) const {
    TrainingOptions options = request_.meta;
    options.seed = static_cast<std::uint64_t>(cell.seed);
    options.tasks_per_step = data_.targets[cell.target].tasks_per_step;
    return options;
}

std::int64_t TransferStudy::budget(const TransferCell& cell) const {
    return request_.steps * examples_of_full_step(training_options(cell));
}

std::int64_t TransferStudy::training_work(const TransferCell& cell) const {
    return cell.source == MetaSource::Scratch ? 0 : budget(cell) / request_.meta.configurations_per_workload;
}

std::int64_t TransferStudy::point_work(std::size_t shots) const {
    return static_cast<std::int64_t>(shots) * request_.tuning.epochs + 1;
}

Result<WorkloadSplit> TransferStudy::split_of(std::size_t target, int seed) const {
    auto split = transfer_split(data_.real, data_.targets[target].task, request_.test_share,
                                request_.seed + static_cast<std::uint64_t>(seed) - 1);
    if (!split)
        return split;
    if (const auto leaking = leaks(*split, data_.real.workloads); !leaking.empty())
        return fail(Fault::Internal,
                    fmt::format("the test matrix {} is of the family of one that is learned from",
                                data_.real.workloads[leaking.front().relative].name));
    return split;
}

Result<std::size_t> TransferStudy::most_shots(std::size_t target) {
    if (const auto known = most_shots_.find(target); known != most_shots_.end())
        return known->second;
    const Task& task = data_.real.tasks[data_.targets[target].task];
    std::size_t most = task.runtimes.size();
    for (int seed = 1; seed <= request_.seeds; ++seed) {
        const auto split = split_of(target, seed);
        if (!split)
            return std::unexpected(split.error());
        most = std::min(most, count_measured(task, split->train));
    }
    return most_shots_.emplace(target, most).first->second;
}

Result<const TransferStudy::Ground*> TransferStudy::ground_of(const TransferCell& cell) {
    if (ground_ && ground_->target == cell.target && ground_->seed == cell.seed)
        return &*ground_;
    auto split = split_of(cell.target, cell.seed);
    if (!split)
        return std::unexpected(std::move(split).error());
    const auto most = most_shots(cell.target);
    if (!most)
        return std::unexpected(most.error());
    std::set<std::size_t> shots;
    for (const std::size_t wanted : request_.shots)
        shots.insert(std::min(wanted, *most));
    Ground ground{cell.target, cell.seed, *std::move(split), {shots.begin(), shots.end()}, {}};
    ground.encoder = SparseLearning().new_encoder({.architecture = name(request_.architecture),
                                                   .reads_machine = false,
                                                   .tasks = data_.real,
                                                   .train = ground.split.train});
    ground_ = std::move(ground);
    return &*ground_;
}

Result<std::vector<std::size_t>> TransferStudy::shots_of(const TransferCell& cell) {
    const auto ground = ground_of(cell);
    if (!ground)
        return std::unexpected(ground.error());
    return (*ground)->shots;
}

Result<TrainingState> TransferStudy::meta_train(const TransferCell& cell, const Ground& ground) {
    const TransferTarget& target = data_.targets[cell.target];
    const ImaginedTasks& imagined = data_.imagined.at(target.donor);
    const TaskSet tasks = tasks_of(cell.source, data_.real, target.task, imagined.paper, imagined.family);
    const TrainingOptions options = training_options(cell);
    const auto length = training_length(tasks, ground.split.train, options, budget(cell));
    if (!length)
        return std::unexpected(length.error());
    auto state =
        initial_training_state(options.method, options.inner,
                               to_tensors(draw_weights(ground.encoder->parameters(), options.seed), true));
    const auto stored = record_.state_of(cell);
    if (!stored)
        return std::unexpected(stored.error());
    if (*stored) {
        auto left =
            parse_training_state((*stored)->state, options.method, shapes_of(ground.encoder->parameters()));
        if (!left)
            return left;
        state = *std::move(left);
    }
    record_.add(cell, {std::ssize(tasks.tasks), length->steps, length->examples});
    ExampleStore examples(tasks, ground.encoder, request_.threads);
    std::optional<TrainingState> last;
    TrainingObserver observer;
    observer.checkpoint = [&](const TrainingState& now) -> Result<void> {
        last = now;
        observer_.progress(cell, "meta-training", training_work(cell) * now.steps / length->steps);
        return record_.keep_if_due(cell, now);
    };
    auto trained =
        train_for(examples, ground.split.train, options, *length, std::move(state), observer, stop_);
    if (const TrainingState* reached = trained ? &*trained : last ? &*last : nullptr; reached != nullptr)
        if (auto kept = record_.keep(cell, *reached); !kept)
            return std::unexpected(std::move(kept).error());
    return trained;
}

Result<MetaParameters> TransferStudy::parameters(const TransferCell& cell, const Ground& ground) {
    if (cell.source == MetaSource::Scratch)
        return MetaParameters{
            to_tensors(draw_weights(ground.encoder->parameters(), static_cast<std::uint64_t>(cell.seed)),
                       true),
            std::nullopt};
    auto trained = meta_train(cell, ground);
    if (!trained)
        return std::unexpected(std::move(trained).error());
    return std::move(trained->parameters);
}

namespace {

/// Of the only seed; those of a family of test matrices as "METRIC/FAMILY".
std::map<std::string, double> metrics_of(const ShotPoint& point) {
    std::map<std::string, double> metrics = point.seeds.front().by_name();
    for (const auto& [family, report] : point.families.front())
        for (const auto& [metric, value] : report.by_name())
            if (metric == "ordered_pair_accuracy" || metric == "kendall_tau" ||
                metric.starts_with("regret_at_"))
                metrics.emplace(metric + '/' + family, value);
    return metrics;
}

} // namespace

Result<void> TransferStudy::work(const TransferCell& cell) {
    const auto ground = ground_of(cell);
    if (!ground)
        return std::unexpected(ground.error());
    std::vector<std::size_t> missing;
    std::ranges::copy_if((*ground)->shots, std::back_inserter(missing),
                         [&](std::size_t shots) { return !record_.points().contains({cell, shots}); });
    if (missing.empty())
        return {};
    const auto start = parameters(cell, **ground);
    if (!start)
        return std::unexpected(start.error());
    const TaskSet target = only(data_.real, data_.targets[cell.target].task);
    ExampleStore examples(target, (*ground)->encoder, request_.threads);
    const ShotContender contender = tuned_network(
        std::string(name(cell.source)),
        [&](std::uint64_t) { return MetaParameters{leaves(start->weights), start->rates}; }, request_.tuning);
    std::int64_t work = training_work(cell);
    for (const std::size_t shots : missing) {
        observer_.progress(cell, fmt::format("{} of the target", shots), work);
        const auto points = shot_curve(examples, 0, (*ground)->split, std::span(&contender, 1),
                                       {.shots = {shots},
                                        .seeds = 1,
                                        .first_seed = static_cast<std::uint64_t>(cell.seed),
                                        .by_family = true},
                                       {}, stop_);
        if (!points)
            return std::unexpected(points.error());
        const TransferRecord::Point point{cell, shots};
        if (auto kept = record_.add(point, metrics_of(points->front())); !kept)
            return kept;
        observer_.point(point, record_.points().at(point));
        work += point_work(shots);
    }
    return {};
}

} // namespace sparsight

#include "learning/training/tree_training.h"

#include "model/networks/gray_box.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

/// Of a workload, and of the machine behind it.
Result<std::vector<double>> statistics_of(const TreeFeatures& features, const TaskWorkload& workload,
                                          const Task& task) {
    if (features.reads_payload()) {
        const auto payload = workload.load();
        if (!payload)
            return std::unexpected(payload.error());
        return features.statistics_on(**payload, &task.description, 1);
    }
    std::vector<double> statistics = workload.statistics;
    std::ranges::copy(features.machine_numbers(&task.description), std::back_inserter(statistics));
    return statistics;
}

/// Trees learn one order of all: what took longer than the shortest wait of those that were given up ties
/// with these, since some pairs of them have none.
std::vector<double> in_one_order(const WorkloadRuntimes& runtimes) {
    double shortest_wait = std::numeric_limits<double>::infinity();
    for (const double wait : runtimes.waits)
        if (wait > 0)
            shortest_wait = std::min(shortest_wait, wait);
    std::vector<double> times = runtimes.milliseconds;
    for (double& milliseconds : times)
        if (milliseconds > shortest_wait)
            milliseconds = std::numeric_limits<double>::infinity();
    return times;
}

} // namespace

TreesGoal goal_of_trees(Loss loss) {
    if (!predicts_times(loss))
        return TreesGoal::Order;
    return loss == Loss::RelativeError ? TreesGoal::MedianTimes : TreesGoal::Times;
}

Result<BoostedTrees> train_trees(const TaskSet& tasks, std::shared_ptr<const TreeFeatures> features,
                                 std::span<const std::size_t> workloads, const TreesOptions& options,
                                 const std::stop_token& stop, const ProgressSink& progress) {
    const std::unordered_set<std::size_t> wanted(workloads.begin(), workloads.end());
    std::vector<TreesGroup> groups;
    std::uint64_t all = 0;
    for (const Task& task : tasks.tasks)
        all += task.runtimes.size();
    std::uint64_t looked_at = 0;
    for (const Task& task : tasks.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped before the trees were trained");
            if (progress)
                progress({.stage = fmt::format("looking at {}", tasks.words.workload.many),
                          .done = looked_at++,
                          .total = all});
            if (!wanted.contains(runtimes.workload))
                continue;
            std::vector<double> times = in_one_order(runtimes);
            if (!can_be_learned(times,
                                options.goal == TreesGoal::Order ? LearningGoal::Order : LearningGoal::Times))
                continue;
            auto statistics = statistics_of(*features, tasks.workloads[runtimes.workload], task);
            if (!statistics)
                return std::unexpected(std::move(statistics).error());
            groups.push_back({*std::move(statistics), runtimes.configurations, std::move(times)});
        }
    if (groups.empty())
        return fail(Fault::Input, fmt::format("there is nothing to train trees on: none of the {} has {}",
                                              tasks.words.workload.many,
                                              options.goal == TreesGoal::Order ? "an order" : "a time"));
    return BoostedTrees::train(std::move(features), groups, options, stop, progress);
}

namespace {

/// Scores of the runtimes of some workloads, after each of several numbers of rounds.
class RoundScores {
public:
    [[nodiscard]] static Result<RoundScores> read(const TaskSet& tasks, const BoostedTrees& trees,
                                                  const std::unordered_set<std::size_t>& workloads,
                                                  std::span<const int> rounds, const std::stop_token& stop) {
        RoundScores read;
        for (const Task& task : tasks.tasks) {
            std::vector<TreesGroup> groups;
            std::vector<std::size_t>& places = read.places_.emplace_back(task.runtimes.size());
            for (std::size_t runtimes = 0; runtimes < task.runtimes.size(); ++runtimes) {
                const WorkloadRuntimes& each = task.runtimes[runtimes];
                if (!workloads.contains(each.workload))
                    continue;
                if (stop.stop_requested())
                    return fail(Fault::Cancelled, "stopped while trees scored");
                auto statistics = statistics_of(trees.features(), tasks.workloads[each.workload], task);
                if (!statistics)
                    return std::unexpected(std::move(statistics).error());
                places[runtimes] = groups.size();
                groups.push_back({*std::move(statistics), each.configurations, {}});
            }
            auto scores = trees.score_groups(groups, rounds);
            if (!scores)
                return std::unexpected(std::move(scores).error());
            read.scores_.push_back(*std::move(scores));
        }
        return read;
    }

    [[nodiscard]] const std::vector<float>& of(std::size_t task, std::size_t runtimes,
                                               std::size_t round) const {
        return scores_[task][round][places_[task][runtimes]];
    }

private:
    std::vector<std::vector<std::size_t>> places_;                     ///< by task and runtimes
    std::vector<std::vector<std::vector<std::vector<float>>>> scores_; ///< by task, round and place
};

Result<std::vector<RankingReport>> reports_by_task(const TaskSet& tasks, const RoundScores& scores,
                                                   std::size_t round, bool predict_times, Loss loss,
                                                   std::span<const std::size_t> workloads,
                                                   const std::stop_token& stop,
                                                   const ProgressSink& progress) {
    std::vector<RankingReport> reports;
    for (std::size_t task = 0; task < tasks.tasks.size(); ++task) {
        auto report = report_scores(
            tasks, [&](std::size_t runtimes) { return scores.of(task, runtimes, round); }, loss,
            predict_times, task, workloads, stop, progress);
        if (!report)
            return std::unexpected(std::move(report).error());
        reports.push_back(*std::move(report));
    }
    return reports;
}

} // namespace

Result<RankingReport> report_trees(const TaskSet& tasks, const BoostedTrees& trees, Loss loss,
                                   std::span<const std::size_t> workloads, const std::stop_token& stop,
                                   const ProgressSink& progress, int rounds) {
    const auto scores =
        RoundScores::read(tasks, trees, {workloads.begin(), workloads.end()}, std::span(&rounds, 1), stop);
    if (!scores)
        return std::unexpected(scores.error());
    const auto reports =
        reports_by_task(tasks, *scores, 0, trees.predict_times(), loss, workloads, stop, progress);
    if (!reports)
        return std::unexpected(reports.error());
    return combine(*reports);
}

namespace {

std::vector<float> floats_of(const at::Tensor& tensor) {
    const at::Tensor whole = tensor.to(at::Device(at::kCPU), at::kFloat).contiguous();
    return {whole.data_ptr<float>(), whole.data_ptr<float>() + whole.numel()};
}

/// Of all configurations of these runtimes with these times, but for what the simulator refuses: its first
/// score is no time. Scores are logarithms of odds.
Result<TreeRows> rows_to_correct(ExampleStore& examples, const NamedTensors& weights, std::size_t task,
                                 std::size_t runtimes, const std::vector<double>& times,
                                 const std::stop_token& stop) {
    const auto pairs = examples.pair_numbers(weights, task, runtimes, stop);
    if (!pairs)
        return std::unexpected(pairs.error());
    const auto scores = examples.scores(weights, task, runtimes);
    if (!scores)
        return std::unexpected(scores.error());
    const std::vector<float> numbers = floats_of(pairs->numbers);
    const std::vector<float> offsets = floats_of(pairs->offset);
    const std::vector<float> first_scores = floats_of(*scores * top_pairs_sharpness);
    TreeRows rows{static_cast<std::size_t>(pairs->numbers.size(1)), {}, {}, {}};
    for (std::size_t at = 0; at < times.size(); ++at) {
        if (static_cast<double>(offsets[at]) >= never_runs)
            continue;
        const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(at * rows.width);
        rows.numbers.insert(rows.numbers.end(), first, first + static_cast<std::ptrdiff_t>(rows.width));
        rows.first_scores.push_back(first_scores[at]);
        rows.milliseconds.push_back(times[at]);
    }
    return rows;
}

} // namespace

Result<std::shared_ptr<const RowTrees>>
train_correcting_trees(ExampleStore& examples, const FirstWeights& first, std::size_t task,
                       std::span<const std::size_t> workloads, const TreesOptions& options,
                       const std::stop_token& stop, const ProgressSink& progress) {
    const std::string stage = "scoring measured " + examples.tasks().words.configuration.many;
    const std::unordered_set<std::size_t> wanted(workloads.begin(), workloads.end());
    const std::vector<WorkloadRuntimes>& all = examples.tasks().tasks[task].runtimes;
    std::vector<TreeRows> groups;
    std::uint64_t done = 0;
    for (std::size_t runtimes = 0; runtimes < all.size(); ++runtimes) {
        const std::size_t workload = all[runtimes].workload;
        if (!wanted.contains(workload))
            continue;
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped before the trees were trained");
        if (progress)
            progress({.stage = stage, .done = done++, .total = wanted.size()});
        auto group =
            rows_to_correct(examples, first(workload), task, runtimes, in_one_order(all[runtimes]), stop);
        if (!group)
            return std::unexpected(std::move(group).error());
        if (can_be_learned(group->milliseconds, LearningGoal::Order))
            groups.push_back(*std::move(group));
    }
    if (groups.empty())
        return nullptr;
    auto trees = RowTrees::train(groups, options, stop, progress);
    if (!trees)
        return std::unexpected(std::move(trees).error());
    return std::make_shared<const RowTrees>(*std::move(trees));
}

Result<std::vector<TreesRound>> trace_trees(const TaskSet& tasks, const BoostedTrees& trees, Loss loss,
                                            std::span<const std::size_t> training,
                                            std::span<const std::size_t> validation,
                                            const std::stop_token& stop, const ProgressSink& progress) {
    constexpr int points = 10;
    const Result<int> all = trees.rounds();
    if (!all)
        return std::unexpected(all.error());
    std::vector<int> rounds;
    for (int point = 1; point <= points; ++point)
        if (const int until = *all * point / points; until > 0 && (rounds.empty() || rounds.back() < until))
            rounds.push_back(until);
    std::unordered_set<std::size_t> seen(training.begin(), training.end());
    seen.insert(validation.begin(), validation.end());
    const auto scores = RoundScores::read(tasks, trees, seen, rounds, stop);
    if (!scores)
        return std::unexpected(scores.error());
    std::vector<TreesRound> trace;
    for (std::size_t at = 0; at < rounds.size(); ++at) {
        const auto report = [&](std::span<const std::size_t> workloads) {
            return reports_by_task(tasks, *scores, at, trees.predict_times(), loss, workloads, stop, {});
        };
        TreesRound round;
        round.rounds = rounds[at];
        const auto learned = report(training);
        if (!learned)
            return std::unexpected(learned.error());
        round.training_loss = combine(*learned).loss;
        if (!validation.empty()) {
            auto validated = report(validation);
            if (!validated)
                return std::unexpected(std::move(validated).error());
            round.overall = combine(*validated);
            round.tasks = *std::move(validated);
        }
        trace.push_back(std::move(round));
        if (progress)
            progress({.stage = "looking at the rounds", .done = at + 1, .total = rounds.size()});
    }
    return trace;
}

} // namespace sparsight

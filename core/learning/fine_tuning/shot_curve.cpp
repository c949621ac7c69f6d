#include "learning/fine_tuning/shot_curve.h"

#include "learning/fine_tuning/adapted_model.h"

#include "learning/tasks/split_tasks.h"
#include "learning/tasks/splits.h"
#include "model/tensors/torch_runtime.h"
#include "study/student.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

/// Workloads of the split that the task has runtimes of.
WorkloadSplit measured_on(const Task& task, const WorkloadSplit& split) {
    std::vector<std::size_t> measured;
    measured.reserve(task.runtimes.size());
    for (const WorkloadRuntimes& runtimes : task.runtimes)
        measured.push_back(runtimes.workload);
    std::ranges::sort(measured);
    WorkloadSplit kept = split;
    for (std::vector<std::size_t>* side : {&kept.train, &kept.validation, &kept.test})
        std::erase_if(*side,
                      [&](std::size_t workload) { return !std::ranges::binary_search(measured, workload); });
    return kept;
}

/// Numbers of shots that are more than there are to learn from are all the same.
std::vector<std::size_t> different_shots(const std::vector<std::size_t>& wanted, std::size_t available) {
    std::vector<std::size_t> shots;
    for (const std::size_t count : wanted)
        if (shots.empty() || std::min(count, available) != shots.back())
            shots.push_back(std::min(count, available));
    return shots;
}

/// What was learned from so many rows of these workloads, drawn by the seed.
Result<ShotRanking> learned_from_rows(const ExampleStore& examples, std::size_t task,
                                      std::span<const std::size_t> workloads, std::size_t rows,
                                      const ShotContender& contender, std::uint64_t seed,
                                      const std::stop_token& stop) {
    const TaskSet drawn = drawn_rows(examples.tasks(), task, workloads, rows, rows_of_a_step, seed);
    std::vector<std::size_t> all(drawn.workloads.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    ExampleStore store = examples.store_of(drawn);
    return contender.learn({store, 0, all, seed, stop});
}

/// The test workloads by family.
std::map<std::string, std::vector<std::size_t>> test_families(const TaskSet& tasks,
                                                              std::span<const std::size_t> test) {
    const std::vector<std::size_t> first_of = workload_families(tasks.workloads);
    std::map<std::string, std::vector<std::size_t>> families;
    for (const std::size_t workload : test)
        families[tasks.workloads[first_of[workload]].name].push_back(workload);
    return families;
}

} // namespace

namespace {

constexpr std::size_t fewest_seeds = 3; ///< for an interval

} // namespace

MetricRange range_of(std::string_view metric) {
    if (metric == "ordered_pair_accuracy")
        return {0, 1};
    if (metric == "kendall_tau" || metric == "workload_kendall_tau")
        return {-1, 1};
    if (metric == "loss" || metric == "log_time_error" || metric == "time_error" || metric == "speed_error" ||
        metric.starts_with("regret_at_") || metric.starts_with("speedup_at_"))
        return {0, std::numeric_limits<double>::infinity()};
    return {};
}

Interval confidence_interval(std::span<const double> values, const MetricRange& range) {
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / count;
    if (values.size() < fewest_seeds)
        return {mean, std::nullopt, std::nullopt};
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const double half = student_factor(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
    return {mean, std::max(mean - half, range.low), std::min(mean + half, range.high)};
}

std::optional<Interval> confidence_interval(const ShotPoint& point, const std::string& metric) {
    std::vector<double> values;
    for (const RankingReport& report : point.seeds) {
        const auto named = report.by_name();
        if (const auto found = named.find(metric); found != named.end())
            values.push_back(found->second);
    }
    if (values.empty())
        return std::nullopt;
    return confidence_interval(values, range_of(metric));
}

ShotContender tuned_network(std::string name, std::function<MetaParameters(std::uint64_t seed)> start,
                            const FineTuningOptions& options) {
    return {
        std::move(name), [start = std::move(start), options](const ShotDraw& draw) -> Result<ShotRanking> {
            FineTuningOptions seeded = options;
            seeded.seed = draw.seed;
            auto model =
                adapt(draw.examples, draw.task, draw.workloads, seeded, start(draw.seed), {}, draw.stop);
            if (!model)
                return std::unexpected(std::move(model).error());
            return [model = *std::move(model), loss = seeded.loss](ExampleStore& examples, std::size_t task,
                                                                   std::span<const std::size_t> workloads,
                                                                   const std::stop_token& stop) {
                return report_adapted(examples, model, loss, task, workloads, stop);
            };
        }};
}

Result<std::vector<ShotPoint>> shot_curve(ExampleStore& examples, std::size_t task,
                                          const WorkloadSplit& split,
                                          std::span<const ShotContender> contenders,
                                          const ShotCurveOptions& options,
                                          const std::function<void(const ShotPoint&)>& observer,
                                          const std::stop_token& stop, const ProgressSink& progress) {
    const WorkloadSplit measured = measured_on(examples.tasks().tasks[task], split);
    const std::size_t available =
        options.by_row ? count_rows(examples.tasks().tasks[task], measured.train) : measured.train.size();
    const std::vector<std::size_t> shot_counts = different_shots(options.shots, available);
    const auto families = options.by_family ? test_families(examples.tasks(), measured.test)
                                            : std::map<std::string, std::vector<std::size_t>>();
    const auto seeds = static_cast<std::size_t>(std::max(options.seeds, 0));
    const std::uint64_t total = shot_counts.size() * contenders.size() * seeds;
    return guarded([&]() -> Result<std::vector<ShotPoint>> {
        std::vector<ShotPoint> points;
        std::uint64_t done = 0;
        for (const std::size_t shots : shot_counts) {
            for (const ShotContender& contender : contenders) {
                ShotPoint point{contender.name, shots, {}, {}};
                for (std::uint64_t seed = options.first_seed; seed < options.first_seed + seeds; ++seed) {
                    if (progress)
                        progress({"fine-tuning", done++, total});
                    const auto learned =
                        options.by_row
                            ? learned_from_rows(examples, task, measured.train, shots, contender, seed, stop)
                            : contender.learn(
                                  {examples, task, training_subset(measured, shots, seed), seed, stop});
                    if (!learned)
                        return std::unexpected(learned.error());
                    auto report = (*learned)(examples, task, measured.test, stop);
                    if (!report)
                        return std::unexpected(std::move(report).error());
                    point.seeds.push_back(*std::move(report));
                    if (options.by_family)
                        point.families.emplace_back();
                    for (const auto& [family, workloads] : families) {
                        auto of_family = (*learned)(examples, task, workloads, stop);
                        if (!of_family)
                            return std::unexpected(std::move(of_family).error());
                        point.families.back().emplace(family, *std::move(of_family));
                    }
                }
                if (observer)
                    observer(point);
                points.push_back(std::move(point));
            }
        }
        if (progress)
            progress({"fine-tuning", total, total});
        return points;
    });
}

} // namespace sparsight

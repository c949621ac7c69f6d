#include "learning/shot_curve.h"

#include "learning/matrix_split.h"
#include "model/torch_errors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

/// The 97.5 % point of Student's t with n degrees of freedom, from 1; Abramowitz and Stegun, table 26.10.
double student_t(std::size_t freedom) {
    constexpr std::array table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                               2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    return freedom <= table.size() ? table[freedom - 1] : 1.96 + 2.5 / static_cast<double>(freedom);
}

/// Matrices of the split that the task has runtimes of.
MatrixSplit measured_on(const Task& task, const MatrixSplit& split) {
    std::vector<std::size_t> measured;
    measured.reserve(task.runtimes.size());
    for (const MatrixRuntimes& runtimes : task.runtimes)
        measured.push_back(runtimes.matrix);
    std::ranges::sort(measured);
    MatrixSplit kept = split;
    for (std::vector<std::size_t>* side : {&kept.train, &kept.validation, &kept.test})
        std::erase_if(*side,
                      [&](std::size_t matrix) { return !std::ranges::binary_search(measured, matrix); });
    return kept;
}

/// Numbers of shots that are more than there are matrices are all the same.
std::vector<std::size_t> different_shots(const std::vector<std::size_t>& wanted, std::size_t matrices) {
    std::vector<std::size_t> shots;
    for (const std::size_t count : wanted)
        if (shots.empty() || std::min(count, matrices) != shots.back())
            shots.push_back(std::min(count, matrices));
    return shots;
}

} // namespace

MetricRange range_of(std::string_view metric) {
    if (metric == "ordered_pair_accuracy")
        return {0, 1};
    if (metric == "kendall_tau")
        return {-1, 1};
    if (metric == "loss" || metric.starts_with("regret_at_") || metric.starts_with("speedup_at_"))
        return {0, std::numeric_limits<double>::infinity()};
    return {};
}

Interval confidence_interval(std::span<const double> values, const MetricRange& range) {
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / count;
    if (values.size() < 2)
        return {mean, std::nullopt, std::nullopt};
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const double half = student_t(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
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

Result<std::vector<ShotPoint>> shot_curve(ExampleStore& examples, std::size_t task, const MatrixSplit& split,
                                          std::span<const ShotContender> contenders,
                                          const ShotCurveOptions& options,
                                          const std::function<void(const ShotPoint&)>& observer,
                                          const std::stop_token& stop, const ProgressSink& progress) {
    const MatrixSplit measured = measured_on(examples.tasks().tasks[task], split);
    const std::vector<std::size_t> shot_counts = different_shots(options.shots, measured.train.size());
    const auto seeds = static_cast<std::size_t>(std::max(options.seeds, 0));
    const std::uint64_t total = shot_counts.size() * contenders.size() * seeds;
    return guarded([&]() -> Result<std::vector<ShotPoint>> {
        std::vector<ShotPoint> points;
        std::uint64_t done = 0;
        for (const std::size_t shots : shot_counts) {
            for (const ShotContender& contender : contenders) {
                ShotPoint point{contender.name, shots, {}};
                for (std::uint64_t seed = options.first_seed; seed < options.first_seed + seeds; ++seed) {
                    if (progress)
                        progress({"fine-tuning", done++, total});
                    FineTuningOptions tuning = contender.fine_tuning;
                    tuning.seed = seed;
                    const auto matrices = training_subset(measured, shots, seed);
                    const auto weights =
                        fine_tune(examples, task, matrices, tuning, contender.start(seed), {}, stop);
                    if (!weights)
                        return std::unexpected(weights.error());
                    auto report = report_ranking(examples, *weights, tuning.loss, task, measured.test, stop);
                    if (!report)
                        return std::unexpected(std::move(report).error());
                    point.seeds.push_back(*std::move(report));
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

#include "learning/shot_curve.h"

#include "learning/matrix_split.h"

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
    for (const MatrixRuntimes& runtimes : task.runtimes)
        measured.push_back(runtimes.matrix);
    std::ranges::sort(measured);
    MatrixSplit kept = split;
    for (std::vector<std::size_t>* side : {&kept.train, &kept.validation, &kept.test})
        std::erase_if(*side,
                      [&](std::size_t matrix) { return !std::ranges::binary_search(measured, matrix); });
    return kept;
}

} // namespace

Interval confidence_interval(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / count;
    if (values.size() < 2)
        return {mean, mean, mean};
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const double half = student_t(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
    return {mean, mean - half, mean + half};
}

Result<std::vector<ShotPoint>> shot_curve(ExampleStore& examples, std::size_t task, const MatrixSplit& split,
                                          std::span<const ShotContender> contenders,
                                          const ShotCurveOptions& options,
                                          const std::function<void(const ShotPoint&)>& observer,
                                          const std::stop_token& stop) {
    const MatrixSplit measured = measured_on(examples.tasks().tasks[task], split);
    std::vector<ShotPoint> points;
    for (const std::size_t shots : options.shots) {
        if (shots > measured.train.size() && !points.empty() && points.back().shots == measured.train.size())
            break; // there are no more matrices
        for (const ShotContender& contender : contenders) {
            ShotPoint point{contender.name, std::min(shots, measured.train.size()), {}};
            for (int s = 0; s < options.seeds; ++s) {
                const auto seed = static_cast<std::uint64_t>(s + 1);
                FineTuningOptions tuning = contender.fine_tuning;
                tuning.seed = seed;
                const auto matrices = training_subset(measured, shots, seed);
                const auto weights =
                    fine_tune(examples, task, matrices, tuning, contender.start(seed), {}, stop);
                if (!weights)
                    return std::unexpected(weights.error());
                auto report = report_ranking(examples, *weights, tuning.loss, task, measured.test);
                if (!report)
                    return std::unexpected(std::move(report).error());
                point.seeds.push_back(*std::move(report));
            }
            if (observer)
                observer(point);
            points.push_back(std::move(point));
        }
    }
    return points;
}

} // namespace sparsight

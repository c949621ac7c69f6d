// The experiment that measures how good models become with how many workloads of a new machine.
#pragma once

#include "learning/fine_tuning/fine_tuning.h"
#include "learning/training/ranking_report.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// What a contender learns from: workloads of a task (a place in the task set).
struct ShotDraw {
    ExampleStore& examples;
    std::size_t task = 0;
    std::span<const std::size_t> workloads;
    std::uint64_t seed = 1;
    const std::stop_token& stop;
};

/// How what was learned ranks other workloads of a task; the examples may be of another task set.
using ShotRanking =
    std::function<Result<RankingReport>(ExampleStore& examples, std::size_t task,
                                        std::span<const std::size_t> workloads, const std::stop_token& stop)>;

/// A way of using the measurements of a new machine, compared with others on the same ones.
struct ShotContender {
    std::string name; ///< "meta-model", "from scratch"
    std::function<Result<ShotRanking>(const ShotDraw& draw)> learn;
};

/// A network that is fine-tuned; `start` is a function of the seed, since training from scratch starts from
/// different parameters each time. The seed of the options is replaced.
[[nodiscard]] ShotContender tuned_network(std::string name,
                                          std::function<MetaParameters(std::uint64_t seed)> start,
                                          const FineTuningOptions& options);

/// Rows are learned from in groups of as many as a step draws.
inline constexpr std::size_t rows_of_a_step = 32;

struct ShotCurveOptions {
    std::vector<std::size_t> shots{0, 1, 5, 10, 25, 50, 100}; ///< workloads to learn from
    int seeds = 5; ///< each draws its own workloads, the same for all contenders
    std::uint64_t first_seed = 1;
    bool by_row = false;    ///< shots are configurations of the training workloads instead
    bool by_family = false; ///< each family of test workloads is told on its own, too
};

struct ShotPoint {
    std::string contender;
    std::size_t shots = 0;            ///< number of them that were available
    std::vector<RankingReport> seeds; ///< on the test workloads, one for each seed
    /// For each seed, by the name of the first member (workload_families()); empty unless it was asked for.
    std::vector<std::map<std::string, RankingReport>> families{};
};

/// Mean of a metric over seeds with its 95 % confidence interval by Student's t; the interval is absent below
/// three values. Two have a variation, but with a single degree of freedom Student's t makes it thirteen
/// times as wide as its error, which says nothing of the mean. It contains the mean and never exceeds the
/// range of the metric.
struct Interval {
    double mean = 0;
    std::optional<double> low;
    std::optional<double> high;

    bool operator==(const Interval&) const = default;
};
/// The range of a metric; its ends may be infinite.
struct MetricRange {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};
/// The range of a metric by its name (RankingReport::by_name()): accuracies lie in [0, 1], τ in [−1, 1],
/// losses, regrets and speedups are not below 0.
[[nodiscard]] MetricRange range_of(std::string_view metric);

/// At least one value. The interval is cut to the range: with few seeds, such as three, whose t is 4.3, it
/// often exceeds the range, where no value can lie. (It is cut instead of computed on the logit scale: there
/// seeds at an end of the range, such as accuracies of 1 from few pairs, have no place, and seeds near it
/// would make the interval wide on the other side. The part that is cut off covers no possible value, so the
/// coverage stays the same.)
[[nodiscard]] Interval confidence_interval(std::span<const double> values, const MetricRange& range = {});

/// The interval over the reports that have the metric, by its name (RankingReport::by_name()); absent where
/// none has.
[[nodiscard]] std::optional<Interval> confidence_interval(const ShotPoint& point, const std::string& metric);

/// Runs the experiment on one task (place in the task set): each contender is trained on subsets of
/// split.train, or of its rows, which are nested for one seed, and evaluated on split.test. `observer` sees
/// each point when it is measured, contender by contender within a number of shots. `progress` counts the
/// models that are fine-tuned. Errors: those of fine_tune() and report_ranking().
[[nodiscard]] Result<std::vector<ShotPoint>>
shot_curve(ExampleStore& examples, std::size_t task, const WorkloadSplit& split,
           std::span<const ShotContender> contenders, const ShotCurveOptions& options,
           const std::function<void(const ShotPoint&)>& observer = {}, const std::stop_token& stop = {},
           const ProgressSink& progress = {});

} // namespace sparsight

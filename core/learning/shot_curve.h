// How good a model becomes on a new machine with how many measured matrices, beside others with the same
// ones.
#pragma once

#include "learning/fine_tuning.h"
#include "learning/ranking_report.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A way of spending measurements.
struct ShotContender {
    std::string name; ///< "meta-model", "from scratch"
    /// Where it starts; a function of the seed, since what starts from scratch starts somewhere else each
    /// time.
    std::function<MetaParameters(std::uint64_t seed)> start;
    FineTuningOptions fine_tuning; ///< its seed is replaced
};

struct ShotCurveOptions {
    std::vector<std::size_t> shots{0, 1, 5, 10, 25, 50, 100}; ///< matrices to learn from
    int seeds = 5; ///< each draws its own matrices, the same for all contenders
    std::uint64_t first_seed = 1;
};

struct ShotPoint {
    std::string contender;
    std::size_t shots = 0;            ///< matrices that there really were
    std::vector<RankingReport> seeds; ///< on the test matrices, one for each seed
};

/// Mean of a metric over seeds with its 95 % confidence interval by Student's t, absent of a single value:
/// one says nothing of how others would differ. Always around the mean, and never beyond what the metric can
/// be.
struct Interval {
    double mean = 0;
    std::optional<double> low;
    std::optional<double> high;

    bool operator==(const Interval&) const = default;
};
/// What a metric can be: its ends may be infinite.
struct MetricRange {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};
/// By its name (RankingReport::by_name()): accuracies lie in [0, 1], τ in [−1, 1], losses, regrets and
/// speedups are not below 0.
[[nodiscard]] MetricRange range_of(std::string_view metric);

/// At least one value. The interval is cut to the range: of two seeds, whose t is 12.7, it reaches beyond in
/// most cases, and what is beyond can't be. (Cut, and not made on the logit scale: there seeds at an end of
/// the range, as accuracies of 1 of few pairs, have no place, and seeds near it would make the interval wide
/// on the other side. What is cut off covers nothing: the coverage stays what it was.)
[[nodiscard]] Interval confidence_interval(std::span<const double> values, const MetricRange& range = {});

/// Of the reports that have the metric, by its name (RankingReport::by_name()); absent where none has.
[[nodiscard]] std::optional<Interval> confidence_interval(const ShotPoint& point, const std::string& metric);

/// On one task (place in the task set): trained on subsets of split.train, of one seed nested in each other,
/// and evaluated on split.test. Points come as they are measured, contender by contender within a number of
/// shots; `observer` sees each. `progress` counts the models that are fine-tuned. Errors: those of
/// fine_tune() and report_ranking().
[[nodiscard]] Result<std::vector<ShotPoint>>
shot_curve(ExampleStore& examples, std::size_t task, const MatrixSplit& split,
           std::span<const ShotContender> contenders, const ShotCurveOptions& options,
           const std::function<void(const ShotPoint&)>& observer = {}, const std::stop_token& stop = {},
           const ProgressSink& progress = {});

} // namespace sparsight

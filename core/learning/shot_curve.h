// How good a model becomes on a new machine with how many measured matrices, beside others with the same
// ones.
#pragma once

#include "learning/fine_tuning.h"
#include "learning/ranking_report.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
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
/// one says nothing of how others would differ.
struct Interval {
    double mean = 0;
    std::optional<double> low;
    std::optional<double> high;

    bool operator==(const Interval&) const = default;
};
/// At least one value.
[[nodiscard]] Interval confidence_interval(std::span<const double> values);

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

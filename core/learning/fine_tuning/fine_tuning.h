// Adapting a model to a machine that it does not know, from few measurements (the report, "Fine-tuning": the
// inner loop only, 100 matrices, 5 epochs).
#pragma once

#include "learning/training/example_store.h"
#include "learning/training/learning_method.h"
#include "learning/training/ranking_report.h"
#include "model/tensors/losses.h"

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

enum class FineTuningRule {
    /// The steps of the inner loop that the model was meta-trained with, one a matrix: its rate, Meta-SGD's
    /// own rates, for ANIL the predictor alone.
    InnerSteps,
    /// Adam, as in supervised training: its rate falls to nothing over the epochs (a cosine), and gradients
    /// are clipped, so that the last matrices do not outweigh the others and one bad step spoils nothing.
    Adam,
};

/// "inner", "adam".
[[nodiscard]] std::string_view name(FineTuningRule rule);
[[nodiscard]] std::optional<FineTuningRule> parse_fine_tuning_rule(std::string_view text);

/// Epochs that suit a rule: 20 of Adam; 5 of inner steps, as in the report.
[[nodiscard]] int fine_tuning_epochs(FineTuningRule rule);

/// The defaults are those of Adam, the better of the two rules on recorded machines: from WACO's published
/// weights 10 matrices give an ordered pair accuracy of 0.938 ± 0.006, where training from scratch gives
/// 0.923 (WACONet) and 0.929 (statistics) with all 31 that there are, and five inner steps a matrix at a rate
/// of 0.01 give 0.873 ± 0.012 (tests/bench/transfer_benchmark.cpp, 5 seeds).
struct FineTuningOptions {
    FineTuningRule rule = FineTuningRule::Adam;
    Method method = Method::Maml; ///< that the model was trained by
    Loss loss = Loss::PairwiseMargin;
    int epochs = 20;
    int schedules_per_matrix = 32; ///< drawn anew for every step
    double inner_rate = 0.01;
    double adam_rate = 1e-3;     ///< of the first epoch
    double longest_gradient = 1; ///< of Adam, clipped to this norm; 0: never
    std::uint64_t seed = 1;
};

/// Called after each epoch with its number from 0 and the mean loss of its steps.
using FineTuningObserver = std::function<void(int epoch, double loss)>;

/// The weights after fine-tuning on these matrices of a task; no matrices: the weights as they are. Errors: a
/// pattern that can't be had; a loss or weights that are no finite numbers; Fault::Cancelled.
[[nodiscard]] Result<NamedTensors>
fine_tune(ExampleStore& examples, std::size_t task, std::span<const std::size_t> matrices,
          const FineTuningOptions& options, const MetaParameters& parameters,
          const FineTuningObserver& observer = {}, const std::stop_token& stop = {});

// How good a model becomes on a new machine with how many measured matrices, beside others with the same
// ones.

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

// Adapting a model to a machine that it does not know, from few measurements (the report, "Fine-tuning": the
// inner loop only, 100 matrices, 5 epochs), and the experiment that measures how good models become with how
// many workloads.
#pragma once

#include "learning/training/example_store.h"
#include "learning/training/learning_method.h"
#include "learning/training/ranking_report.h"
#include "model/tensors/losses.h"

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

enum class FineTuningRule {
    /// The steps of the inner loop that the model was meta-trained with, one a workload: its rate, Meta-SGD's
    /// own rates, for ANIL the predictor alone.
    InnerSteps,
    /// Adam, as in supervised training: its rate falls to nothing over the epochs (a cosine), and gradients
    /// are clipped, so that the last workloads do not outweigh the others and one bad step spoils nothing.
    Adam,
    /// Of a gray box: its simulator is calibrated, where there are enough workloads for it, and its head is
    /// solved for (closed_form.h).
    ClosedForm,
};

/// With fewer workloads the parameters of a simulator stay as they are described: a calibration to one
/// fits what is special about it.
inline constexpr std::size_t fewest_to_calibrate = 2;

/// From so many workloads on, Adam's steps on all weights of a gray box refine what was solved for. With 175
/// matrices they raise the pairs in order from 0.922 to 0.926, with 25 they lower them from 0.920 to 0.919.
inline constexpr std::size_t fewest_to_refine = 50;

/// "inner", "adam", "closed-form".
[[nodiscard]] std::string_view name(FineTuningRule rule);
[[nodiscard]] std::optional<FineTuningRule> parse_fine_tuning_rule(std::string_view text);

/// Epochs that suit a rule: 20 of Adam; 5 of inner steps, as in the report; the closed form is solved once,
/// and 10 refine it.
[[nodiscard]] int fine_tuning_epochs(FineTuningRule rule);

/// The defaults are those of Adam, the better of the two rules on recorded machines: from WACO's published
/// weights 10 matrices give an ordered pair accuracy of 0.938 ± 0.006. Training from scratch gives 0.923
/// (WACONet) and 0.929 (statistics) with all 31 matrices, and five inner steps a matrix at a rate of 0.01
/// give 0.873 ± 0.012 (tests/bench/transfer_benchmark.cpp, 5 seeds).
struct FineTuningOptions {
    FineTuningRule rule = FineTuningRule::Adam;
    Method method = Method::Maml; ///< by which the model was trained
    Loss loss = Loss::PairwiseMargin;
    int epochs = 20;
    int configurations_per_workload = 32; ///< drawn anew for every step
    double inner_rate = 0.01;
    double adam_rate = 1e-3;     ///< of the first epoch
    double longest_gradient = 1; ///< of Adam, clipped to this norm; 0: never
    std::uint64_t seed = 1;
};

/// Called after each epoch with its number from 0 and the mean loss of its steps.
using FineTuningObserver = std::function<void(int epoch, double loss)>;

/// The weights after fine-tuning on these workloads of a task; no workloads: the weights as they are. Errors:
/// a pattern that can't be had; a loss or weights that are no finite numbers; Fault::Cancelled.
[[nodiscard]] Result<NamedTensors>
fine_tune(ExampleStore& examples, std::size_t task, std::span<const std::size_t> workloads,
          const FineTuningOptions& options, const MetaParameters& parameters,
          const FineTuningObserver& observer = {}, const std::stop_token& stop = {});

/// A way of using the measurements of a new machine, compared with others on the same ones.
struct ShotContender {
    std::string name; ///< "meta-model", "from scratch"
    /// The parameters to start from; a function of the seed, since training from scratch starts from
    /// different parameters each time.
    std::function<MetaParameters(std::uint64_t seed)> start;
    FineTuningOptions fine_tuning; ///< its seed is replaced
};

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

// Adapting a model to a machine that it does not know, from few measurements (the report, "Fine-tuning": the
// inner loop only, 100 matrices, 5 epochs).
#pragma once

#include "learning/example_store.h"
#include "learning/meta_method.h"
#include "model/losses.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

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

} // namespace sparsight

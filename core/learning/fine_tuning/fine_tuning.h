// Adapting a model to a machine that it does not know, from few measurements (the report, "Fine-tuning": the
// inner loop only, 100 matrices, 5 epochs).
#pragma once

#include "base/observer.h"
#include "learning/training/example_store.h"
#include "learning/training/learning_method.h"
#include "model/tensors/losses.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sparsight {

enum class FineTuningRule {
    /// The steps of the inner loop that the model was meta-trained with, one a workload: its rate, Meta-SGD's
    /// own rates, for ANIL the predictor alone. The simulator of a gray box is calibrated first, as below.
    InnerSteps,
    /// Adam, as in supervised training: its rate falls to nothing over the epochs (a cosine), and gradients
    /// are clipped, so that the last workloads do not outweigh the others and one bad step spoils nothing.
    Adam,
    /// Of a gray box: its simulator is calibrated, and its head is solved for (closed_form.h). A calibration
    /// that it had is forgotten: it may be of another machine. Trees correct what the head leaves
    /// (adapted_model.h).
    ClosedForm,
};

/// "inner", "adam", "closed-form".
[[nodiscard]] std::string_view name(FineTuningRule rule);
[[nodiscard]] std::optional<FineTuningRule> parse_fine_tuning_rule(std::string_view text);

/// The defaults are those of Adam, the better of the two rules on recorded machines: from WACO's published
/// weights 10 matrices give an ordered pair accuracy of 0.938 ± 0.006. Training from scratch gives 0.923
/// (WACONet) and 0.929 (statistics) with all 31 matrices, and five inner steps a matrix at a rate of 0.01
/// give 0.873 ± 0.012 (tests/bench/transfer_benchmark.cpp, 5 seeds).
struct FineTuningOptions {
    FineTuningRule rule = FineTuningRule::Adam;
    Method method = Method::Maml; ///< by which the model was trained
    Loss loss = Loss::PairwiseMargin;
    int epochs = 20;                      ///< ClosedForm: without steps
    int configurations_per_workload = 32; ///< drawn anew for every step
    double inner_rate = 0.01;
    double adam_rate = 1e-3;     ///< of the first epoch
    double longest_gradient = 1; ///< of Adam, clipped to this norm; 0: never
    std::uint64_t seed = 1;
};

/// What suits a rule. Adam: the defaults. Inner steps: 5 epochs, as in the report. A gray box: the loss of
/// the top.
[[nodiscard]] FineTuningOptions usual_options(FineTuningRule rule);

/// All measured configurations of these workloads.
[[nodiscard]] std::vector<ExampleChoice> all_configurations(const Task& task,
                                                            std::span<const std::size_t> workloads);

/// Called after each epoch with its number from 0 and the mean loss of its steps.
using FineTuningObserver = std::function<void(int epoch, double loss)>;

/// The weights after fine-tuning on these workloads of a task; no workloads: the weights as they are. Errors:
/// a pattern that can't be had; a loss or weights that are no finite numbers; Fault::Cancelled. `progress` is
/// told what comes before the epochs of a gray box, stage by stage.
[[nodiscard]] Result<NamedTensors>
fine_tune(ExampleStore& examples, std::size_t task, std::span<const std::size_t> workloads,
          const FineTuningOptions& options, const MetaParameters& parameters,
          const FineTuningObserver& observer = {}, const std::stop_token& stop = {},
          const ProgressSink& progress = {});

/// The weights of a gray box with its simulator calibrated to these workloads; as they are where these say
/// nothing of the machine. Errors: those of ExampleStore::calibrate() but for that one.
[[nodiscard]] Result<NamedTensors> with_calibration(ExampleStore& examples, std::size_t task,
                                                    std::span<const std::size_t> workloads,
                                                    std::uint64_t seed, const NamedTensors& weights,
                                                    const std::stop_token& stop = {},
                                                    const ProgressSink& progress = {});

} // namespace sparsight

// What a training run says about its model, as plain values and in words: how a blend weights its network and
// the calibrated simulator, what a gray box is worth beside its simulator, and whether a network is better
// than boosted trees trained on the same data.
#pragma once

#include "study/domain.h"

#include <QString>
#include <optional>

namespace sparsight {

struct TrainingRun;

/// Weights of a blended score: score = network · the network's score + simulator · ln(simulated milliseconds)
/// (model/checkpoints/checkpoint.h).
struct BlendShares {
    double network = 0;
    double simulator = 1;
    bool operator==(const BlendShares&) const = default;
};

/// "score = 0.300 · network + 0.900 · ln(simulated ms)"; where one of the two has no share, the weight of the
/// other one and a statement that it has none.
[[nodiscard]] QString blend_formula(const BlendShares& blend);

/// Of the fine-tuning of a gray box: its pairs in order before, with the simulator alone and after.
[[nodiscard]] QString gray_box_table(const TrainingRun& run, const Noun& workload);

/// Whether the network or the trees order more pairs correctly, by how many percentage points, on how many
/// test workloads, and what to do where the trees are better: `advice`, or else to learn from more workloads
/// (learning/training/model_verdicts.h). One or two test workloads decide nothing, which it says instead of
/// naming a winner. Empty where no trees were trained beside the network.
[[nodiscard]] QString baseline_sentence(const TrainingRun& run, const Noun& workload,
                                        const QString& advice = {});

/// The trees order more pairs correctly, on more than one or two test workloads.
[[nodiscard]] bool is_behind_trees(const TrainingRun& run);

} // namespace sparsight

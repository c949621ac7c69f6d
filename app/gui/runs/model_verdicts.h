// What a training run says about its model, as plain values and in words: how a fine-tuned model weights its
// network and the calibrated simulator and whether that helped, and whether a network is better than boosted
// trees trained on the same data.
#pragma once

#include "study/domain.h"

#include <QString>
#include <optional>

namespace sparsight {

class TrainingRuns;
struct TrainingRun;

/// Weights of a blended score: score = network · the network's score + simulator · ln(simulated milliseconds)
/// (model/checkpoints/checkpoint.h).
struct BlendShares {
    double network = 0;
    double simulator = 1;
    bool operator==(const BlendShares&) const = default;
};

/// Shares of the pairs that are ordered correctly.
struct BlendAccuracies {
    std::optional<double> network{};
    std::optional<double> simulator{};
    std::optional<double> both{};

    [[nodiscard]] bool is_known() const { return network && simulator && both; }
    bool operator==(const BlendAccuracies&) const = default;
};

/// "score = 0.300 · network + 0.900 · ln(simulated ms)"; where one of the two has no share, the weight of the
/// other one and a statement that it has none.
[[nodiscard]] QString blend_formula(const BlendShares& blend);

/// Why the network or the simulator has no share, and what would change that, based on how well both ordered
/// the pairs of the workloads that were learned from (0: number not known). Empty where both have a share.
[[nodiscard]] QString no_share_sentence(const BlendShares& blend, const BlendAccuracies& kept_back,
                                        int workloads, const DomainWords& words);

/// The verdict on the blend: that the network or the simulator has no share; what the blend gained over the
/// better of the two on the test workloads, or that the better one alone would have been better
/// (learning/training/model_verdicts.h).
[[nodiscard]] QString blend_verdict(const BlendShares& blend, const BlendAccuracies& kept_back,
                                    const BlendAccuracies& test, int workloads, const DomainWords& words);

/// Weights and accuracies side by side, as rich text: columns network, simulator, both.
[[nodiscard]] QString blend_table(const BlendShares& blend, const BlendAccuracies& kept_back,
                                  const BlendAccuracies& test, const Noun& workload);

/// Of the fine-tuning of a gray box: its pairs in order before, with the simulator alone and after.
[[nodiscard]] QString gray_box_table(const TrainingRun& run, const Noun& workload);

/// Why a model that is called blended uses only one part, for every place that shows its choices:
/// no_share_sentence() of the model. Empty for other models, and where no model has this name.
[[nodiscard]] QString blend_note(const TrainingRuns& runs, const QString& model);

/// Whether the network or the trees order more pairs correctly, by how many percentage points, on how many
/// test workloads, and what to do where the trees are better: `advice`, or else to learn from more workloads
/// (learning/training/model_verdicts.h). One or two test workloads decide nothing, which it says instead of
/// naming a winner. Empty where no trees were trained beside the network.
[[nodiscard]] QString baseline_sentence(const TrainingRun& run, const Noun& workload,
                                        const QString& advice = {});

/// The trees order more pairs correctly, on more than one or two test workloads.
[[nodiscard]] bool is_behind_trees(const TrainingRun& run);

} // namespace sparsight

// How far a fine-tuned model trusts its network and how far the calibrated simulator, and what that was
// worth, as plain values and in words.
#pragma once

#include <QString>
#include <optional>

namespace sparsight {

/// score = network · the network's + simulator · ln simulated milliseconds (model/simulator_blend.h).
struct BlendShares {
    double network = 0;
    double simulator = 1;
    bool operator==(const BlendShares&) const = default;
};

/// Shares of the pairs in the right order.
struct BlendAccuracies {
    std::optional<double> network{};
    std::optional<double> simulator{};
    std::optional<double> both{};

    [[nodiscard]] bool is_known() const { return network && simulator && both; }
    bool operator==(const BlendAccuracies&) const = default;
};

/// "score = 0.300 · network + 0.900 · ln(simulated ms)"; where one of them has no share, the weight of the
/// other one, and that.
[[nodiscard]] QString blend_formula(const BlendShares& blend);

/// Why the network, or the simulator, has no share, and what would change it, by what both ordered of the
/// matrices that were learned from (0: not known how many). Empty where both have one.
[[nodiscard]] QString no_share_sentence(const BlendShares& blend, const BlendAccuracies& kept_back,
                                        int matrices);

/// What is to be thought of it: that the network, or the simulator, has no share; what both gained over the
/// better one alone on the test matrices, or that one alone would have been better
/// (learning/training/model_verdicts.h).
[[nodiscard]] QString blend_verdict(const BlendShares& blend, const BlendAccuracies& kept_back,
                                    const BlendAccuracies& test, int matrices = 0);

/// Weights and accuracies side by side, as rich text: columns network, simulator, both.
[[nodiscard]] QString blend_table(const BlendShares& blend, const BlendAccuracies& kept_back,
                                  const BlendAccuracies& test);

// Why a model that is called blended is one part alone, wherever its choices are shown.

class TrainingRuns;

/// no_share_sentence() of that model; empty for others, and where there is none of this name.
[[nodiscard]] QString blend_note(const TrainingRuns& runs, const QString& model);

// Who orders more pairs, a network or the boosted trees that learned from the same data, in words
// (learning/baseline_verdict.h).

struct TrainingRun;

/// Who is ahead, by how many percentage points, on how many test matrices, and what to do about it where the
/// trees are. Empty where no trees were trained beside it.
[[nodiscard]] QString baseline_sentence(const TrainingRun& run);

/// The trees order more of the pairs.
[[nodiscard]] bool is_behind_trees(const TrainingRun& run);

} // namespace sparsight

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
/// (learning/blend_verdict.h).
[[nodiscard]] QString blend_verdict(const BlendShares& blend, const BlendAccuracies& kept_back,
                                    const BlendAccuracies& test, int matrices = 0);

/// Weights and accuracies side by side, as rich text: columns network, simulator, both.
[[nodiscard]] QString blend_table(const BlendShares& blend, const BlendAccuracies& kept_back,
                                  const BlendAccuracies& test);

} // namespace sparsight

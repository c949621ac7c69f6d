// What is to be thought of a network beside boosted trees that learned from the same data: decided here for
// all who put it into words. Without LibTorch, as the window has none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace sparsight {

enum class BaselineStanding : std::uint8_t { Behind, Even, Ahead };

/// By shares of pairs in order, on the test matrices of both.
struct BaselineVerdict {
    BaselineStanding standing = BaselineStanding::Even; ///< of the trees
    double model = 0;
    double baseline = 0;

    bool operator==(const BaselineVerdict&) const = default;
};

/// Less than half of a tenth of a percentage point is no difference: it is shown nowhere.
inline constexpr double least_baseline_lead = 0.0005;

/// On fewer test matrices than this who is ahead may be chance, and is said to be.
inline constexpr int enough_test_matrices = 5;

/// Nothing where one of the shares is not known.
[[nodiscard]] constexpr std::optional<BaselineVerdict>
baseline_verdict_of(const std::optional<double>& model, const std::optional<double>& baseline) {
    if (!model || !baseline)
        return std::nullopt;
    const double lead = *baseline - *model;
    return BaselineVerdict{lead > least_baseline_lead    ? BaselineStanding::Ahead
                           : lead < -least_baseline_lead ? BaselineStanding::Behind
                                                         : BaselineStanding::Even,
                           *model, *baseline};
}

// What is to be thought of how a network and the simulator share a score (model/simulator_blend.h): decided
// here for all who put it into words. Without LibTorch, as the window has none.

enum class BlendPart : std::uint8_t { Network, Simulator };

/// The part that got no weight: on what was kept back it made pairs and best schedules no better, but for
/// chance (learning/fine_tuning/blend_weights.h).
[[nodiscard]] constexpr std::optional<BlendPart> part_without_share(double network_weight,
                                                                    double simulator_weight) {
    if (network_weight == 0)
        return BlendPart::Network;
    return simulator_weight == 0 ? std::optional(BlendPart::Simulator) : std::nullopt;
}

enum class BlendWorth : std::uint8_t { Worse, Equal, Better };

/// Of both together against the better one alone, by shares of pairs in order.
struct BlendVerdict {
    BlendWorth worth = BlendWorth::Equal;
    BlendPart better = BlendPart::Simulator; ///< of the two; the simulator where they are equal
    double alone = 0;                        ///< what that one orders
    double gained = 0;                       ///< over it; negative where both are worse

    bool operator==(const BlendVerdict&) const = default;
};

/// Less than half of a tenth of a percentage point is no difference: it is shown nowhere.
inline constexpr double least_blend_gain = 0.0005;

/// Of regrets: half a per cent of a runtime, which is hardly known better.
inline constexpr double least_selection_gain = 0.005;

/// Nothing where one of the shares is not known.
[[nodiscard]] constexpr std::optional<BlendVerdict> blend_verdict_of(const std::optional<double>& network,
                                                                     const std::optional<double>& simulator,
                                                                     const std::optional<double>& both) {
    if (!network || !simulator || !both)
        return std::nullopt;
    const double alone = std::max(*network, *simulator);
    const double gained = *both - alone;
    return BlendVerdict{gained > least_blend_gain    ? BlendWorth::Better
                        : gained < -least_blend_gain ? BlendWorth::Worse
                                                     : BlendWorth::Equal,
                        *simulator >= *network ? BlendPart::Simulator : BlendPart::Network, alone, gained};
}

/// Of both together against the better one alone, by what the best few of a score lose to the fastest
/// (regrets: 0 where they lose nothing). `alone` is the lower regret, and `gained` what both lose less.
[[nodiscard]] constexpr std::optional<BlendVerdict>
selection_verdict_of(const std::optional<double>& network, const std::optional<double>& simulator,
                     const std::optional<double>& both) {
    if (!network || !simulator || !both)
        return std::nullopt;
    const double alone = std::min(*network, *simulator);
    const double gained = alone - *both;
    return BlendVerdict{gained > least_selection_gain    ? BlendWorth::Better
                        : gained < -least_selection_gain ? BlendWorth::Worse
                                                         : BlendWorth::Equal,
                        *simulator <= *network ? BlendPart::Simulator : BlendPart::Network, alone, gained};
}

/// Whether one of them says that both together are worse than one alone, and the other one does not.
[[nodiscard]] constexpr bool contradict(const BlendVerdict& pairs, const BlendVerdict& picks) {
    return (pairs.worth == BlendWorth::Worse) != (picks.worth == BlendWorth::Worse);
}

} // namespace sparsight

// Verdicts about a model: how it compares with boosted trees that learned from the same data, what its
// fine-tuning gained, and whether a blend (model/checkpoints/checkpoint.h) uses both of its parts. Decided
// here for every place that describes them, without LibTorch, since the window has none.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sparsight {

enum class BaselineStanding : std::uint8_t { Behind, Even, Ahead };

/// By shares of pairs in order, on the test workloads of both.
struct BaselineVerdict {
    BaselineStanding standing = BaselineStanding::Even; ///< of the trees
    double model = 0;
    double baseline = 0;

    bool operator==(const BaselineVerdict&) const = default;
};

/// A smaller difference, half of a tenth of a percentage point, is not visible in any figure and counts as
/// none.
inline constexpr double least_baseline_lead = 0.0005;

/// With fewer test workloads than this the lead may be chance, and texts say so.
inline constexpr int enough_test_workloads = 5;

/// Absent where one of the shares is not known.
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

enum class BlendPart : std::uint8_t { Network, Simulator };

/// The part that got no weight.
[[nodiscard]] constexpr std::optional<BlendPart> part_without_share(double network_weight,
                                                                    double simulator_weight) {
    if (network_weight == 0)
        return BlendPart::Network;
    return simulator_weight == 0 ? std::optional(BlendPart::Simulator) : std::nullopt;
}

enum class GainBy : std::uint8_t { Nothing, Network, Simulator, Both };
/// In files: "nothing", "network", "simulator", "both".
[[nodiscard]] constexpr std::string_view name(GainBy by) {
    switch (by) {
    case GainBy::Nothing:
        return "nothing";
    case GainBy::Network:
        return "network";
    case GainBy::Simulator:
        return "simulator";
    case GainBy::Both:
        return "both";
    }
    return "";
}

/// A part with less than this share of a gain did not bring it.
inline constexpr double least_share_of_gain = 0.1;

enum class FinetuneWorth : std::uint8_t { Worse, Equal, Better };
/// In files: "worse", "equal", "better".
[[nodiscard]] constexpr std::string_view name(FinetuneWorth worth) {
    switch (worth) {
    case FinetuneWorth::Worse:
        return "worse";
    case FinetuneWorth::Equal:
        return "equal";
    case FinetuneWorth::Better:
        return "better";
    }
    return "";
}

/// A smaller difference may not be visible in the figures, which have a tenth of a percentage point, and
/// counts as none.
inline constexpr double least_finetune_change = 0.001;

/// The model after a fine-tuning compared with the one before, by shares of pairs in order on the test.
struct FinetuneVerdict {
    FinetuneWorth worth = FinetuneWorth::Equal;
    GainBy gained_by = GainBy::Nothing; ///< nothing unless it is better
    double before = 0;
    double after = 0;
    /// Calibrated, of a gray box: all that its network does is to correct it.
    std::optional<double> corrected_simulator{};

    /// By the correction of a gray box over its calibrated simulator; negative where it did harm.
    [[nodiscard]] constexpr std::optional<double> gained_by_correction() const {
        return corrected_simulator ? std::optional(after - *corrected_simulator) : std::nullopt;
    }
    bool operator==(const FinetuneVerdict&) const = default;
};

/// Absent where the share before or after is not known. A gray box has a simulator alone.
[[nodiscard]] constexpr std::optional<FinetuneVerdict>
finetune_verdict_of(const std::optional<double>& before, const std::optional<double>& simulator_alone,
                    const std::optional<double>& after) {
    if (!before || !after)
        return std::nullopt;
    FinetuneVerdict verdict{.before = *before, .after = *after, .corrected_simulator = simulator_alone};
    const double gain = *after - *before;
    if (gain <= -least_finetune_change)
        verdict.worth = FinetuneWorth::Worse;
    if (gain < least_finetune_change)
        return verdict;
    verdict.worth = FinetuneWorth::Better;
    const double by_network = verdict.gained_by_correction().value_or(gain);
    verdict.gained_by = by_network < least_share_of_gain * gain          ? GainBy::Simulator
                        : gain - by_network < least_share_of_gain * gain ? GainBy::Network
                                                                         : GainBy::Both;
    return verdict;
}

} // namespace sparsight

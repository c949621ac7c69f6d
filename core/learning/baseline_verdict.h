// What is to be thought of a network beside boosted trees that learned from the same data: decided here for
// all who put it into words. Without LibTorch, as the window has none.
#pragma once

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

} // namespace sparsight

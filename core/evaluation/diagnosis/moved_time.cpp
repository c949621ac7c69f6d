#include "evaluation/diagnosis/moved_time.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr double least_factor = 1.25;
constexpr double errors_apart = 2;

} // namespace

std::optional<MovedTime> moved_time(const ResultRow* stored, const HybridTime& now) {
    if (stored == nullptr || stored->status != MeasurementStatus::Measured || !stored->median_ms)
        return std::nullopt;
    if (!now.milliseconds || now.is_at_least || now.turns == 0)
        return std::nullopt;
    const MovedTime moved{*stored->median_ms, *now.milliseconds};
    const double longer = std::max(moved.stored_ms, moved.measured_ms);
    const double shorter = std::min(moved.stored_ms, moved.measured_ms);
    const double errors = std::hypot(stored->spread_ms.value_or(0), now.spread_ms);
    const bool is_apart = longer > least_factor * shorter && longer - shorter > errors_apart * errors;
    return is_apart ? std::optional(moved) : std::nullopt;
}

std::string to_text(const MovedTime& moved, std::string_view what) {
    return fmt::format("the computer was {} than when {} was measured before: {:.3g} against {:.3g} ms",
                       moved.is_slower() ? "slower" : "faster", what, moved.measured_ms, moved.stored_ms);
}

} // namespace sparsight

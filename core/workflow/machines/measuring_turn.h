// The turn to measure on this computer. One program of ours measures at a time; the others wait.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "base/quantity.h"
#include "collection/measuring_domain.h"

#include <optional>
#include <stop_token>

namespace sparsight {

/// The share of the processors that other programs may take before a remark says so: on two processors a
/// fifth of one, more than an idle desktop does.
inline constexpr double disturbing_share = 0.1;

struct MeasuringTurn {
    MeasurementLock lock;            ///< the turn ends with it
    std::optional<Seconds> budget{}; ///< what the wait left of it; absent: without limit
};

/// Waits for the turn, no longer than `budget`, and tells the user about the wait, or that there is no lock.
/// Errors: those of MeasurementLock::take(). Of these Fault::Limit says that the whole budget was waited
/// away, so that nothing can be measured.
[[nodiscard]] Result<MeasuringTurn> measuring_turn(Observer& observer, const std::stop_token& stop,
                                                   std::optional<Seconds> budget = std::nullopt);

} // namespace sparsight

#include "workflow/machines/measuring_turn.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

Result<MeasuringTurn> measuring_turn(Observer& observer, const std::stop_token& stop,
                                     std::optional<Seconds> budget) {
    bool has_waited = false;
    auto lock = MeasurementLock::take(
        stop,
        [&] {
            has_waited = true;
            observer.warn("another program measures on this computer; waiting until it is done");
        },
        budget);
    const bool was_stopped = !lock && lock.error().fault == Fault::Cancelled;
    if (has_waited && !was_stopped)
        observer.event("turn", Json::object()); // programs show the warning until then
    if (!lock)
        return std::unexpected(std::move(lock).error());
    if (!lock->problem().empty())
        observer.warn(lock->problem());
    if (budget)
        *budget -= lock->waited();
    return MeasuringTurn{*std::move(lock), budget};
}

} // namespace sparsight

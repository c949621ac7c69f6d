// SuperSchedules as keys of hashed sets and maps.
#pragma once

#include "schedule/super_schedule.h"

#include <functional>

namespace sparsight {

/// Follows ==, so that it tells apart what is only written differently: put canonical() schedules into a set.
/// The same on every machine.
[[nodiscard]] std::uint64_t hash_value(const SuperSchedule& schedule);

} // namespace sparsight

template <>
struct std::hash<sparsight::SuperSchedule> {
    std::size_t operator()(const sparsight::SuperSchedule& schedule) const {
        return static_cast<std::size_t>(sparsight::hash_value(schedule));
    }
};

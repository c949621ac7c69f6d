// SuperSchedules as the configurations of a domain: their texts, names and decisions.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"
#include "study/configuration.h"
#include "study/domain.h"

#include <memory>

namespace sparsight {

/// Of the schedules of one operator, written as WACO writes them.
[[nodiscard]] std::shared_ptr<const ConfigurationCodec> schedule_codec(Operator op);

/// As a workspace stores it, in the domain of its operator.
[[nodiscard]] WrittenConfiguration written(const SuperSchedule& schedule);

} // namespace sparsight

// SuperSchedules of a workspace: each text once for its operator, beside its canonical text, which tells when
// two texts mean the same.
#pragma once

#include "base/error.h"
#include "schedule/super_schedule.h"

#include <cstdint>
#include <string_view>

namespace sparsight {

class Workspace;

enum class ScheduleId : std::int64_t {};

/// The id of this schedule as written; it is added when it is new.
[[nodiscard]] Result<ScheduleId> record_schedule(Workspace& workspace, const SuperSchedule& schedule);

/// What is written of a schedule in the file. An error names the file and the text: somebody else wrote
/// there.
[[nodiscard]] Result<SuperSchedule> read_stored_schedule(const Workspace& workspace, std::string_view op,
                                                         std::string_view text);

/// How many are known.
[[nodiscard]] Result<std::int64_t> count_schedules(Workspace& workspace);

} // namespace sparsight

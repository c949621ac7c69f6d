// Between the engine's schedules and the plain values of the schedule editor.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "widgets/schedule/editor/schedule_editor.h"

namespace sparsight {

[[nodiscard]] ScheduleDraft draft_of(const SuperSchedule& schedule, const Extents& extents);

/// The schedule as the draft has it, valid or not; an error only where the draft names an operator, an index
/// or a loop that there is not.
[[nodiscard]] Result<SuperSchedule> written_schedule(const ScheduleDraft& draft);
/// The valid schedule of the draft, in canonical form, or why it is not valid.
[[nodiscard]] Result<SuperSchedule> valid_schedule(const ScheduleDraft& draft);

/// What the editor asks: validity, WACO's text, plain words.
[[nodiscard]] ScheduleKnowledge schedule_knowledge();

} // namespace sparsight

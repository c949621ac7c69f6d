// What a SuperSchedule means, in words and as JSON: its splits, its loops, how it stores the matrix, what
// runs in parallel, and, on a given matrix, how much it stores.
#pragma once

#include "command/session.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/workflow/import/named_schedules.h"

#include <string>

namespace sparsight {

[[nodiscard]] std::string meaning_text(const SuperSchedule& schedule);
[[nodiscard]] Json meaning_json(const SuperSchedule& schedule);
[[nodiscard]] std::string to_text(const StorageFacts& storage);
[[nodiscard]] Json to_json(const StorageFacts& storage);

} // namespace sparsight

// What lessons on tuning records add to the demo workspace.
#pragma once

#include "gui/help/lesson.h"

namespace sparsight {

/// "convolution": the times of all configurations on four GPUs (resources/records).
[[nodiscard]] LessonData record_lesson_data();

} // namespace sparsight

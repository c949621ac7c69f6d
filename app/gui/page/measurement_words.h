// What became of a measurement, in the language of the window.
#pragma once

#include "kernel/measurement.h"

#include <QString>

namespace sparsight {

/// "measured", "gave up" …
[[nodiscard]] QString status_text(MeasurementStatus status);
[[nodiscard]] QString status_meaning(MeasurementStatus status);

} // namespace sparsight

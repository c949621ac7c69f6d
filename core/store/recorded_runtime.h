// Runtimes that others have measured, as they write them: a bare number of milliseconds, inf for a run that
// failed.
#pragma once

#include "kernel/measurement.h"

namespace sparsight {

/// Without a spread, which nobody tells.
[[nodiscard]] Measurement recorded_measurement(double milliseconds);

/// A time that is hard to believe (under a microsecond) or too long to be trained on (1000 ms and more), as
/// WACO drops it. What failed is none.
[[nodiscard]] bool is_outlier(double milliseconds);

} // namespace sparsight

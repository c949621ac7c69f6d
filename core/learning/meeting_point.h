// Where processes that train together meet: before c10d connects them, which waits without hearing of
// anything.
#pragma once

#include "base/error.h"
#include "learning/process_place.h"

#include <chrono>
#include <stop_token>

namespace sparsight {

/// Waits until somebody listens there. Errors: nobody did in time (Fault::Environment); Fault::Cancelled.
[[nodiscard]] Result<void> wait_for_listener(const ProcessPlace& place, std::chrono::milliseconds patience,
                                             const std::stop_token& stop);

} // namespace sparsight

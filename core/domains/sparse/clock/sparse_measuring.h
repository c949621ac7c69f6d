// Measuring schedules on this computer with compiled kernels, as the collection of any domain asks for it.
#pragma once

#include "collection/measuring_domain.h"

#include <memory>

namespace sparsight {

/// Its samplers are those of schedule/schedule_choice.h.
[[nodiscard]] std::unique_ptr<const MeasuringDomain> make_sparse_measuring();

} // namespace sparsight

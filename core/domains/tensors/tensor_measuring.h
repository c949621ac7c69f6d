// Measuring schedules of tensors on this computer.
#pragma once

#include "collection/measuring_domain.h"

#include <memory>

namespace sparsight {

[[nodiscard]] std::unique_ptr<const MeasuringDomain> make_tensor_measuring();

} // namespace sparsight

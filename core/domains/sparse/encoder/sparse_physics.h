// The mechanistic simulator as the physics of a gray box.
#pragma once

#include "domains/sparse/schedule/schedule_space.h"
#include "model/networks/physics.h"

#include <memory>

namespace sparsight {

/// Of one operator and extent of its dense index.
[[nodiscard]] std::shared_ptr<const Physics> sparse_physics(const SparseSetting& setting);

} // namespace sparsight

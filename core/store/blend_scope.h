// Where a model that the simulator has a share in (model/simulator_blend.h) is at home: on the machine that
// its simulator was calibrated to, with the dense extent of those measurements.
#pragma once

#include "store/models.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sparsight {

/// A sentence where such a model is used for another machine or dense extent than its own: the simulator's
/// share goes on to tell of its own. Nothing for all others; a setting may have no dense extent. `machine` is
/// a name, empty where nothing is known of it.
[[nodiscard]] std::optional<std::string>
blend_scope_remark(const ModelRecord& model, const std::string& machine, std::optional<std::int64_t> dense);

} // namespace sparsight

// The two kinds of cost models behind cost_model.h.
#pragma once

#include "model/cost_model.h"

#include <memory>
#include <string_view>

namespace sparsight {

/// checkpoint.model.architecture is a NetworkDescription.
[[nodiscard]] Result<std::unique_ptr<CostModel>> make_network_cost_model(const Checkpoint& checkpoint,
                                                                         std::string_view device);
/// checkpoint.model.architecture is a TreesDescription.
[[nodiscard]] Result<std::unique_ptr<CostModel>> make_tree_cost_model(const Checkpoint& checkpoint);

/// description().blend is there: the simulator has its share in the scores of schedules, but none in those of
/// embeddings.
[[nodiscard]] std::unique_ptr<CostModel> blend_with_simulator(std::unique_ptr<CostModel> network);

} // namespace sparsight

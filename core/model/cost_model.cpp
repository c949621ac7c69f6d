#include "model/cost_model.h"

#include "model/cost_model_kinds.h"

namespace sparsight {

Result<std::unique_ptr<CostModel>> make_cost_model(const Checkpoint& checkpoint, std::string_view device) {
    return std::holds_alternative<NetworkDescription>(checkpoint.model.architecture)
               ? make_network_cost_model(checkpoint, device)
               : make_tree_cost_model(checkpoint);
}

} // namespace sparsight

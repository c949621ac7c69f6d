#include "model/cost_model.h"

#include "model/cost_model_kinds.h"

namespace sparsight {

Result<std::unique_ptr<PatternScorer>> CostModel::embed_statistics(const PatternStatistics&,
                                                                   const MachineDescription*) const {
    return fail(Fault::Input, "the model reads more of a matrix than its statistics");
}

Result<std::unique_ptr<CostModel>> make_cost_model(const Checkpoint& checkpoint, std::string_view device) {
    if (!std::holds_alternative<NetworkDescription>(checkpoint.model.architecture))
        return make_tree_cost_model(checkpoint);
    auto network = make_network_cost_model(checkpoint, device);
    if (!network || !checkpoint.model.blend)
        return network;
    return blend_with_simulator(*std::move(network));
}

} // namespace sparsight

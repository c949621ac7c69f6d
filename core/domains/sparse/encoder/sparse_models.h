// Models of matrices and SuperSchedules: their networks, the features of their trees, and their blend with
// the mechanistic simulator.
#pragma once

#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/tensor/pattern.h"
#include "model/cost_model.h"
#include "model/networks/encoder.h"

#include <memory>

namespace sparsight {

class SparseModels final : public ModelDomain {
public:
    [[nodiscard]] Result<std::shared_ptr<const Encoder>>
    encoder(const ModelArchitecture& architecture) const override;
    [[nodiscard]] Result<std::shared_ptr<const TreeFeatures>>
    tree_features(const ModelArchitecture& architecture) const override;
    [[nodiscard]] std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const override;
};

[[nodiscard]] std::shared_ptr<const Encoder> sparse_encoder(NetworkDescription network);
/// Every statistic of domains/sparse/tensor/statistics.h, then of the schedule: log2 of each split, the four
/// formats, the parallel loop, log2 of the chunk, the depth of each loop.
[[nodiscard]] std::shared_ptr<const TreeFeatures> schedule_features(Operator op);

/// The operator of a model whose description was read or made here.
[[nodiscard]] Operator model_operator(const ModelDescription& model);

} // namespace sparsight

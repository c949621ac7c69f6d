// The interpretable model whose true explanations are known, by which explanations are judged (Chaudhary,
// Renda, Mendis, Singh: COMET: neural cost model explanation framework, MLSys 2024): the cost of a block is
// the largest of the number of its instructions / 4, the throughput of each instruction, and for each read
// after write the sum of the throughputs of both instructions.
#pragma once

#include "domains/blocks/code/block_features.h"
#include "domains/blocks/models/block_model.h"
#include "domains/blocks/tables/throughput_table.h"

#include <utility>
#include <vector>

namespace sparsight {

class CrudeModel final : public BlockModel {
public:
    explicit CrudeModel(ThroughputTable table)
        : table_(std::move(table)) {}

    /// An instruction that the table lacks costs nothing, as in the source.
    [[nodiscard]] Result<std::vector<double>> cycles(std::span<const DecodedBlock> blocks) const override;

    /// What makes the cost: every feature that reaches the maximum, in the order of features_of().
    [[nodiscard]] std::vector<BlockFeature> true_explanation(const DecodedBlock& block) const;

private:
    /// Of every feature of the block.
    [[nodiscard]] std::vector<std::pair<BlockFeature, double>> costs(const DecodedBlock& block) const;

    ThroughputTable table_;
};

} // namespace sparsight

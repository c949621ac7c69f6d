#include "domains/blocks/models/crude_model.h"

#include <algorithm>

namespace sparsight {

std::vector<std::pair<BlockFeature, double>> CrudeModel::costs(const DecodedBlock& block) const {
    constexpr double issued_a_cycle = 4;
    std::vector<double> throughputs;
    throughputs.reserve(block.instructions.size());
    for (const Instruction& instruction : block.instructions)
        throughputs.push_back(table_.find(instruction, block.bytes_of(instruction)).value_or(0));
    std::vector<std::pair<BlockFeature, double>> costs;
    for (const BlockFeature& feature : features_of(block.instructions)) {
        switch (feature.kind) {
        case BlockFeatureKind::InstructionCount:
            costs.emplace_back(feature, static_cast<double>(throughputs.size()) / issued_a_cycle);
            break;
        case BlockFeatureKind::Instruction:
            costs.emplace_back(feature, throughputs[feature.at]);
            break;
        case BlockFeatureKind::Dependency:
            if (feature.dependency == DependencyKind::ReadAfterWrite)
                costs.emplace_back(feature, throughputs[feature.at] + throughputs[feature.to]);
            break;
        }
    }
    return costs;
}

Result<std::vector<double>> CrudeModel::cycles(std::span<const DecodedBlock> blocks) const {
    std::vector<double> cycles;
    cycles.reserve(blocks.size());
    for (const DecodedBlock& block : blocks) {
        double most = 0;
        for (const auto& [feature, cost] : costs(block))
            most = std::max(most, cost);
        cycles.push_back(most);
    }
    return cycles;
}

std::vector<BlockFeature> CrudeModel::true_explanation(const DecodedBlock& block) const {
    const auto all = costs(block);
    double most = 0;
    for (const auto& [feature, cost] : all)
        most = std::max(most, cost);
    std::vector<BlockFeature> explanation;
    constexpr double rounding = 1e-9;
    for (const auto& [feature, cost] : all)
        if (cost >= most - rounding)
            explanation.push_back(feature);
    return explanation;
}

} // namespace sparsight

#include "domains/blocks/code/block_features.h"

#include <fmt/format.h>

namespace sparsight {

std::string name(const BlockFeature& feature) {
    switch (feature.kind) {
    case BlockFeatureKind::InstructionCount:
        return "num_insts";
    case BlockFeatureKind::Instruction:
        return fmt::format("inst_{}", feature.at);
    case BlockFeatureKind::Dependency:
        return fmt::format("{}_{}_{}", feature.at, feature.to, name(feature.dependency));
    }
    return {};
}

std::string describe(const BlockFeature& feature) {
    switch (feature.kind) {
    case BlockFeatureKind::InstructionCount:
        return "the number of instructions";
    case BlockFeatureKind::Instruction:
        return fmt::format("instruction {}", feature.at + 1);
    case BlockFeatureKind::Dependency:
        break;
    }
    switch (feature.dependency) {
    case DependencyKind::ReadAfterWrite:
        return fmt::format("instruction {} reads what {} writes", feature.to + 1, feature.at + 1);
    case DependencyKind::WriteAfterRead:
        return fmt::format("instruction {} overwrites what {} reads", feature.to + 1, feature.at + 1);
    case DependencyKind::WriteAfterWrite:
        return fmt::format("instruction {} overwrites what {} writes", feature.to + 1, feature.at + 1);
    }
    return {};
}

std::vector<BlockFeature> features_of(std::span<const Instruction> block) {
    std::vector<BlockFeature> features{{.kind = BlockFeatureKind::InstructionCount}};
    for (std::size_t at = 0; at < block.size(); ++at)
        features.push_back({.kind = BlockFeatureKind::Instruction, .at = at});
    for (const Dependency& dependency : dependencies_of(block, {.only_named = true}))
        features.push_back({.kind = BlockFeatureKind::Dependency,
                            .at = dependency.from,
                            .to = dependency.to,
                            .dependency = dependency.kind});
    return features;
}

} // namespace sparsight

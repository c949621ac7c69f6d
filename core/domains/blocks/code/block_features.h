// What a cost model may look at in a block: how many instructions there are, each instruction, each
// dependency (COMET).
#pragma once

#include "base/error.h"
#include "domains/blocks/code/dependencies.h"
#include "domains/blocks/code/instruction.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class BlockFeatureKind { InstructionCount, Instruction, Dependency };

struct BlockFeature {
    BlockFeatureKind kind = BlockFeatureKind::InstructionCount;
    std::size_t at = 0; ///< the instruction; of a dependency the earlier one; counted from 0
    std::size_t to = 0; ///< of a dependency: the later one
    DependencyKind dependency = DependencyKind::ReadAfterWrite;

    auto operator<=>(const BlockFeature&) const = default;
};

/// "num_insts", "inst_2", "0_1_RAW", as COMET writes them.
[[nodiscard]] std::string name(const BlockFeature& feature);
/// "the number of instructions", "instruction 3", "instruction 2 reads what 1 writes": counted from 1.
[[nodiscard]] std::string describe(const BlockFeature& feature);

/// The number first, then the instructions, then the dependencies through operands that the text names
/// (DependencyRules::only_named).
[[nodiscard]] std::vector<BlockFeature> features_of(std::span<const Instruction> block);

} // namespace sparsight

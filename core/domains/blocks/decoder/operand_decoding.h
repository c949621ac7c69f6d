// An instruction of LLVM as a plain value.
#pragma once

#include "domains/blocks/code/instruction.h"
#include "domains/blocks/decoder/code_target.h"

namespace sparsight {

/// `offset` is that of its first byte in the block.
[[nodiscard]] Instruction to_instruction(const CodeTarget& target, const CodeTarget::Decoded& decoded,
                                         std::size_t offset);

} // namespace sparsight

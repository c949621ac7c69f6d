// Decoded blocks as bytes, by which a program with LLVM hands them to one of the same version that has none.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/instruction.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// What became of one block: its instructions, or why it can't be decoded.
using Decoded = Result<std::vector<Instruction>>;

/// Appends a block. Of an error only the message is kept.
void append(std::string& bytes, const Decoded& block);

/// All blocks that were appended. Error (Internal): the bytes end too early, or name no kind of operand.
[[nodiscard]] Result<std::vector<Decoded>> parse_decoded(std::string_view bytes);

} // namespace sparsight

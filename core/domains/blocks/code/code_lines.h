// Where the instructions of a block stand in the text that it was read from.
#pragma once

#include "domains/blocks/code/instruction.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

/// The line of each instruction, counted from 0. `text` is assembly or hexadecimal digits. None where the
/// lines can't be told: a prefix that stands apart from its instruction, bytes that directives give.
[[nodiscard]] std::vector<std::size_t> lines_of(std::span<const Instruction> block, std::string_view text);

} // namespace sparsight

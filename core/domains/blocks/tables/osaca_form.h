// The names that OSACA's tables give to a form: a mnemonic and classes of operands in the order of AT&T, the
// source first: "ADD mem, gpr" (Laukemann, Hammer, Hofmann, Hager, Wellein: Automated instruction stream
// throughput prediction for Intel and AMD microarchitectures, PMBS 2018).
#pragma once

#include "domains/blocks/code/instruction.h"

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Memory whose load or store does not stay fused with its neighbour: the class that osaca_form_names() has
/// for "mem" where the address has an index, or is relative to rip beside an immediate.
inline constexpr std::string_view unfused_memory = "indexed";

/// One spelling for a form of a table: the mnemonic in upper case, "mm" for the table's "mm0".
[[nodiscard]] std::string osaca_form(std::string_view mnemonic, std::string_view operands);

/// The names under which a table of OSACA may have the form of an instruction, the most exact one first: with
/// the sizes of general registers where they matter ("DIV gpr64"), with its classes, without an operand that
/// the form fixes, as its twin of SSE or AVX, and the mnemonic alone.
[[nodiscard]] std::vector<std::string> osaca_form_names(const Instruction& instruction);

} // namespace sparsight

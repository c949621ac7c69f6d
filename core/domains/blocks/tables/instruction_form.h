// The names that tables of instructions give to a form: "ADD (R64, M64)", as uops.info writes it (Abel,
// Reineke: uops.info, ASPLOS 2019). Its mnemonics are those of Intel's XED.
#pragma once

#include "domains/blocks/code/instruction.h"
#include "domains/blocks/code/machine_code.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// "CMOVNZ" of "cmovne", as Intel's XED writes it. LLVM prints the predicate of a comparison as part of the
/// mnemonic: "CMPPS" of "cmpltps".
[[nodiscard]] std::string xed_mnemonic(const Instruction& instruction);

/// The names under which a table may have the form of an instruction, the most exact one first: with its
/// opcode byte where two encodings mean the same ("MOV_89 (R64, R64)"), with the lock, with an immediate of
/// 8, 16, 32 or 64 bits as encoded, "0" for a zero of 8 bits. `code` is the instruction's bytes.
[[nodiscard]] std::vector<std::string> form_names(const Instruction& instruction,
                                                  std::span<const std::uint8_t> code);

} // namespace sparsight

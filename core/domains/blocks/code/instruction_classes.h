// Classes of instructions by what they do, to see where a cost model errs.
#pragma once

#include "domains/blocks/code/instruction.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

enum class InstructionClass : std::uint8_t {
    Load,           ///< reads memory, whatever else it does
    Store,          ///< writes memory
    Move,           ///< of registers and constants, also vectors
    Arithmetic,     ///< of integers in general registers, addresses and flags too
    Multiplication, ///< of these
    Division,       ///< divisions and roots, also of vectors
    VectorArithmetic,
    Stack,  ///< push, pop
    Branch, ///< jumps, calls, returns
    Other,
};
inline constexpr std::array all_instruction_classes{InstructionClass::Load,
                                                    InstructionClass::Store,
                                                    InstructionClass::Move,
                                                    InstructionClass::Arithmetic,
                                                    InstructionClass::Multiplication,
                                                    InstructionClass::Division,
                                                    InstructionClass::VectorArithmetic,
                                                    InstructionClass::Stack,
                                                    InstructionClass::Branch,
                                                    InstructionClass::Other};

/// "load", "vector arithmetic".
[[nodiscard]] std::string_view name(InstructionClass of);

/// An instruction that loads and adds is in two of them.
[[nodiscard]] std::vector<InstructionClass> classes_of(const Instruction& instruction);
/// Of its instructions, each once, in the order of all_instruction_classes.
[[nodiscard]] std::vector<InstructionClass> classes_of(std::span<const Instruction> block);

} // namespace sparsight

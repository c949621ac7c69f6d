// What the front end of a processor needs for a block, from Sandy Bridge to Skylake (Intel 64 and IA-32
// architectures optimization reference manual; Abel, Reineke: uiCA: accurate throughput prediction of basic
// blocks on recent Intel microarchitectures, ICS 2022).
#pragma once

#include "domains/blocks/code/decoded_block.h"
#include "domains/blocks/tables/instruction_cost.h"
#include "domains/blocks/tables/microarchitecture.h"

#include <span>

namespace sparsight {

struct FrontEnd {
    double width = 4; ///< fused micro-operations
    /// Bytes of code that is decoded anew, as that of an unrolled block is; 0: a loop, whose micro-operations
    /// are kept.
    int fetched_bytes = 16;
    /// Whether any decoder takes what may be fused with a branch: from Skylake on. Before it, the last one
    /// leaves it to the next group, and a pop of r12 ends its group.
    bool has_skylake_decoders = false;
};

/// That of a machine, or Haswell's where it is not described.
[[nodiscard]] constexpr FrontEnd front_end_of(const Microarchitecture& machine) {
    return {.has_skylake_decoders = machine.has_skylake_decoders};
}

/// In how many groups the decoders take one iteration, once many were decoded: four instructions at most, of
/// which only the first may have several micro-operations. `costs` has one entry an instruction, nullptr for
/// an unknown one.
[[nodiscard]] double decode_groups(std::span<const Instruction> block,
                                   std::span<const InstructionCost* const> costs, const FrontEnd& front_end);

/// The cycles in which an iteration is fetched and cut into instructions: five of one line at most, and three
/// cycles more where a prefix changes the length of an immediate.
[[nodiscard]] double fetch_cycles(const DecodedBlock& block, const FrontEnd& front_end);

/// Its stack pointer is added up before the instruction is issued (the stack engine of Intel's manual).
[[nodiscard]] bool is_of_stack_engine(const Instruction& instruction);

/// How often an iteration needs a micro-operation that brings rsp up to date: where an instruction names rsp
/// behind one of the stack engine.
[[nodiscard]] double stack_updates(std::span<const Instruction> block);

} // namespace sparsight

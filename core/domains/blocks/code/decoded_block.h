// A basic block: its machine code and the instructions that the code is made of.
#pragma once

#include "domains/blocks/code/instruction.h"
#include "domains/blocks/code/machine_code.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

struct DecodedBlock {
    MachineCode code;
    std::vector<Instruction> instructions; ///< of all bytes of the code

    [[nodiscard]] std::span<const std::uint8_t> bytes_of(const Instruction& instruction) const {
        return std::span(code).subspan(instruction.offset, instruction.size);
    }
    bool operator==(const DecodedBlock&) const = default;
};

} // namespace sparsight

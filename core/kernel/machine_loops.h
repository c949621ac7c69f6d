// The loops of machine code, from its assembly: what stands between a label and a branch back to it.
#pragma once

#include "kernel/named_processor.h"

#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <memory>
#include <string>
#include <vector>

namespace sparsight {

struct MachineLoop {
    std::string block; ///< of the LLVM IR that it begins with; empty where that was merged with another
    int depth = 0;     ///< loops around it, in its function
    bool innermost = true;
    std::vector<llvm::MCInst> instructions; ///< of one iteration, without the loops inside it
};

/// What the instructions of a processor mean.
struct InstructionSet {
    explicit InstructionSet(const NamedProcessor& processor);

    std::unique_ptr<llvm::MCRegisterInfo> registers;
    std::unique_ptr<llvm::MCInstrInfo> instructions;
};

/// In the order of the code, so that a loop comes before those inside it. Errors (Fault::Internal): LLVM does
/// not read what it has printed.
[[nodiscard]] Result<std::vector<MachineLoop>>
loops_in(const std::string& assembly, const NamedProcessor& processor, const InstructionSet& instruction_set);

} // namespace sparsight

// Machine code for a processor that LLVM knows by name (clang's -mcpu), whether or not it is this
// computer's: its code generator, the loops of its assembly, and their throughput by LLVM's scheduling
// model.
#pragma once

#include "base/error.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <cstdint>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// How loops are shaped for a processor, its code generator, and the scheduling model that says how long its
/// instructions take.
struct NamedProcessor {
    std::string cpu;
    std::string architecture; ///< "x86_64", "aarch64"
    KernelTarget shape;       ///< as KernelTarget::of_this_computer() would say there
    std::unique_ptr<llvm::TargetMachine> code_generator;

    [[nodiscard]] const llvm::MCSubtargetInfo& subtarget() const {
        return *code_generator->getMCSubtargetInfo();
    }
    [[nodiscard]] const llvm::Target& target() const { return code_generator->getTarget(); }
    [[nodiscard]] const llvm::Triple& triple() const { return code_generator->getTargetTriple(); }
};

/// "native" is this computer's processor. Errors (Fault::Input): no such name, with the names there are, or
/// no scheduling model for it; (Fault::Environment) LLVM was built without a code generator for either
/// architecture.
[[nodiscard]] Result<NamedProcessor> find_processor(std::string_view cpu);

/// The processors of an architecture ("x86_64", "aarch64") that have a scheduling model; none where LLVM
/// lacks the architecture.
[[nodiscard]] std::vector<std::string> processors_with_model(std::string_view architecture);

/// A loop of machine code, read from its assembly: the code between a label and a branch back to it.
struct MachineLoop {
    std::string block; ///< of the LLVM IR that it begins with; empty where that was merged with another
    int depth = 0;     ///< loops around it, in its function
    bool innermost = true;
    std::vector<llvm::MCInst> instructions; ///< of one iteration, without the loops inside it
    std::vector<std::uint8_t> code;         ///< their bytes; targets of branches are 0
    std::string text;                       ///< its lines of the assembly, with the loops inside it
};

/// What the instructions of a processor mean.
struct InstructionSet {
    explicit InstructionSet(const NamedProcessor& processor);

    std::unique_ptr<llvm::MCRegisterInfo> registers;
    std::unique_ptr<llvm::MCInstrInfo> instructions;
};

/// The loops in the order of the code, so that a loop comes before those inside it. Errors
/// (Fault::Internal): LLVM does not read what it has printed.
[[nodiscard]] Result<std::vector<MachineLoop>>
loops_in(const std::string& assembly, const NamedProcessor& processor, const InstructionSet& instruction_set);

/// How long a loop body takes on a processor (code_analysis/body_simulation.h).
struct Throughput {
    double cycles = 0;      ///< of one iteration, once many are in flight
    std::string bottleneck; ///< what the cycles are spent on, in words
};

/// Leaves out called functions and the return from them. Errors (Fault::Environment): the model does not
/// know one of the instructions.
[[nodiscard]] Result<Throughput> throughput_of(llvm::ArrayRef<llvm::MCInst> body,
                                               const NamedProcessor& processor,
                                               const InstructionSet& instruction_set);

} // namespace sparsight

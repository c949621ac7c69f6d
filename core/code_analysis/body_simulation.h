// How long the body of a loop takes on a processor, by simulating its pipeline instruction by instruction
// with LLVM's machine-code analyser (llvm-mca) and LLVM's scheduling model of that processor. All loads hit
// the first cache, other addresses are taken to differ, and all branches are predicted.
#pragma once

#include "base/error.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <memory>
#include <string>
#include <vector>

namespace sparsight {

/// A processor with a scheduling model, and the meaning of its instructions. All must outlive what is made of
/// it.
struct ScheduledProcessor {
    const llvm::Target& target;
    const llvm::MCSubtargetInfo& subtarget;
    const llvm::MCInstrInfo& instructions;
    const llvm::MCRegisterInfo& registers;
};

/// Some cycles in any one of these units.
struct UnitUse {
    std::vector<std::string> units; ///< by the names of the scheduling model: "HWPort0"
    double cycles = 0;
};

/// What an instruction needs by itself.
struct InstructionNeeds {
    unsigned micro_operations = 0;
    unsigned latency = 0; ///< from its slowest operand, which is an address where it loads
    std::vector<UnitUse> uses;
};

class BodySimulation {
public:
    /// Leaves out called functions and the return from them. Error (Environment): the model does not know one
    /// of the instructions.
    [[nodiscard]] static Result<BodySimulation> of(llvm::ArrayRef<llvm::MCInst> body,
                                                   const ScheduledProcessor& processor);
    ~BodySimulation();
    BodySimulation(BodySimulation&&) noexcept;
    BodySimulation& operator=(BodySimulation&&) noexcept;

    [[nodiscard]] bool is_empty() const;

    /// Of so many iterations, the first to begin in an idle processor: llvm-mca's "Total Cycles".
    [[nodiscard]] Result<double> total_cycles(unsigned iterations) const;
    /// Of one iteration, once many are in flight.
    [[nodiscard]] Result<double> cycles_an_iteration() const;
    /// The largest of what the width of the processor and each of its units need for one iteration, whatever
    /// waits for what: llvm-mca's "Block RThroughput".
    [[nodiscard]] double reciprocal_throughput() const;
    /// Of each instruction that is not left out.
    [[nodiscard]] std::vector<InstructionNeeds> needs() const;
    /// What the cycles of an iteration are spent on, in words: a unit, or "waiting for results".
    [[nodiscard]] std::string bottleneck(double cycles) const;

private:
    struct State;
    explicit BodySimulation(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace sparsight

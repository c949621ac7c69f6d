// What a loop body takes on a processor, by simulating its pipeline instruction by instruction with LLVM's
// machine-code analyser (llvm-mca) and LLVM's scheduling model of that processor. All loads hit the first
// cache, and all branches are predicted.
#pragma once

#include "kernel/machine_loops.h"

#include <llvm/ADT/ArrayRef.h>

namespace sparsight {

struct Throughput {
    double cycles = 0;      ///< of one iteration, once many are in flight
    std::string bottleneck; ///< what the cycles are spent for, in words
};

/// What is called and the return from it is left out. Errors (Fault::Environment): the model does not know
/// one of the instructions.
[[nodiscard]] Result<Throughput> throughput_of(llvm::ArrayRef<llvm::MCInst> body,
                                               const NamedProcessor& processor,
                                               const InstructionSet& instruction_set);

} // namespace sparsight

// Binds a compiled kernel to its operands and a thread team, and runs it.
#pragma once

#include "kernel/jit.h"
#include "kernel/kernel_operands.h"
#include "kernel/team.h"

namespace sparsight {

class KernelRunner {
public:
    /// Everything is referred to, not copied, but the kernel. The operands must have the shapes of the nest
    /// that was compiled (see kernel_operands.h).
    KernelRunner(CompiledKernel kernel, const KernelOperands& operands, std::int64_t chunk, Team& team);

    /// One run: C is complete afterwards, whatever was in it before.
    void run() { kernel_(context_); }

    /// A run that ends soon after `longest`, wherever it is. False: it left work undone, and C is incomplete;
    /// true also for one that was done before it saw that its time was up.
    [[nodiscard]] bool run_within(Milliseconds longest);

private:
    CompiledKernel kernel_;
    KernelContext context_;
};

} // namespace sparsight

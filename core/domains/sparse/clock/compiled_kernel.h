// Compiling a loop nest to machine code for this computer's CPU, in this process (LLVM ORC; about ten
// milliseconds a kernel), and running it on operands with a thread team.
#pragma once

#include "base/error.h"
#include "base/quantity.h"
#include "domains/sparse/kernel/lowering/kernel_context.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"

#include <memory>
#include <string>

namespace sparsight {

/// What makes the code of a schedule, as it is stored with times: "code 3, LLVM 19.1.7, 8 lanes". The first
/// number changes whenever the same schedule becomes another program.
[[nodiscard]] std::string code_version(const KernelTarget& target);

/// Machine code. It stays in memory as long as a copy of this lives, and keeps the parts of the compiler
/// that it needs alive.
class CompiledKernel {
public:
    void operator()(KernelContext& context) const { code_(&context); }
    [[nodiscard]] Milliseconds compile_time() const { return compile_time_; }

private:
    friend class KernelCompiler;
    std::shared_ptr<const void> owner_;
    void (*code_)(KernelContext*) = nullptr;
    Milliseconds compile_time_{};
};

/// Compiles kernels one after the other; may be used by one thread at a time.
class KernelCompiler {
public:
    /// For the instruction set of this computer. Fails (Fault::Environment) where LLVM has no code generator
    /// for it.
    [[nodiscard]] static Result<KernelCompiler> make();
    ~KernelCompiler();
    KernelCompiler(KernelCompiler&&) noexcept;
    KernelCompiler& operator=(KernelCompiler&&) noexcept;

    [[nodiscard]] const KernelTarget& target() const;
    [[nodiscard]] Result<CompiledKernel> compile(const LoopNest& nest);
    /// The optimised LLVM IR, for people.
    [[nodiscard]] Result<std::string> print_optimised(const LoopNest& nest);
    /// The assembly that compile() would load, for people.
    [[nodiscard]] Result<std::string> print_assembly(const LoopNest& nest);

private:
    struct State;
    explicit KernelCompiler(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

/// Binds a compiled kernel to its operands and a thread team, and runs it.
class KernelRunner {
public:
    /// Refers to everything but the kernel, which it copies. The operands must have the shapes of the nest
    /// that was compiled (see kernel_inputs.h).
    KernelRunner(CompiledKernel kernel, const KernelOperands& operands, std::int64_t chunk, Team& team);

    /// One run: C is complete afterwards, whatever was in it before.
    void run() { kernel_(context_); }

    /// A run that ends soon after `longest`, wherever it is. False: it left work undone, and C is
    /// incomplete. True also for a run that finished before it noticed that its time was up.
    [[nodiscard]] bool run_within(Milliseconds longest);

    /// One run whose chunks are recorded. They are handed out in the same way, but each goes through the
    /// recorder: other runs have nothing of it.
    void run_recorded(ChunkRecorder& recorder);

private:
    CompiledKernel kernel_;
    KernelContext context_;
};

} // namespace sparsight

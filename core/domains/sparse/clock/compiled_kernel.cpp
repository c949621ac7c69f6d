#include "domains/sparse/clock/compiled_kernel.h"

#include "domains/sparse/clock/chunk_recorder.h"
#include "domains/sparse/clock/kernel_module.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <mutex>
#include <thread>

namespace sparsight {

namespace {

namespace orc = llvm::orc;

std::unexpected<Error> refuse(std::string_view what, llvm::Error error) {
    return fail(Fault::Internal, fmt::format("{}: {}", what, llvm::toString(std::move(error))));
}

void initialise_llvm() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
}

/// Counted up with every change of the lowering or the printer that changes code. Times that are stored
/// without one are of 1.
constexpr int generator_version = 3;

} // namespace

std::string code_version(const KernelTarget& target) {
    return fmt::format("code {}, LLVM {}, {} lanes", generator_version, LLVM_VERSION_STRING, target.lanes);
}

struct KernelCompiler::State {
    std::unique_ptr<orc::LLJIT> jit;
    std::unique_ptr<llvm::TargetMachine> machine;
    KernelTarget target;
    std::uint64_t kernels = 0;

    Result<KernelModule> print(const LoopNest& nest, const std::string& name) const {
        return kernel_module(nest, target, *machine, name);
    }
};

Result<KernelCompiler> KernelCompiler::make() {
    initialise_llvm();
    auto host = orc::JITTargetMachineBuilder::detectHost();
    if (!host)
        return refuse("LLVM does not know this computer", host.takeError());
    host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
    host->setOptions(kernel_options());
    auto machine = host->createTargetMachine();
    if (!machine)
        return refuse("LLVM has no code generator for this computer", machine.takeError());
    auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(*host).create();
    if (!jit)
        return refuse("the just-in-time compiler does not start", jit.takeError());
    auto state = std::make_shared<State>();
    state->jit = std::move(*jit);
    state->machine = std::move(*machine);
    state->target = KernelTarget::of_this_computer();
    return KernelCompiler(std::move(state));
}

KernelCompiler::KernelCompiler(std::shared_ptr<State> state)
    : state_(std::move(state)) {}
KernelCompiler::~KernelCompiler() = default;
KernelCompiler::KernelCompiler(KernelCompiler&&) noexcept = default;
KernelCompiler& KernelCompiler::operator=(KernelCompiler&&) noexcept = default;

const KernelTarget& KernelCompiler::target() const {
    return state_->target;
}

Result<CompiledKernel> KernelCompiler::compile(const LoopNest& nest) {
    const auto start = std::chrono::steady_clock::now();
    const std::string name = fmt::format("{}_{}", sparsight::name(nest.op), state_->kernels++);
    auto printed = state_->print(nest, name);
    if (!printed)
        return std::unexpected(printed.error());

    // The code lives as long as the tracker; the tracker needs the JIT.
    struct Owner {
        std::shared_ptr<State> state;
        orc::ResourceTrackerSP tracker;
        ~Owner() { llvm::consumeError(tracker->remove()); }
    };
    const orc::ResourceTrackerSP tracker = state_->jit->getMainJITDylib().createResourceTracker();
    const std::shared_ptr<const Owner> owner(new Owner{state_, tracker});
    orc::ThreadSafeModule module(std::move(printed->module), std::move(printed->context));
    if (auto error = state_->jit->addIRModule(tracker, std::move(module)))
        return refuse("the kernel cannot be added", std::move(error));
    auto address = state_->jit->lookup(name);
    if (!address)
        return refuse("the kernel cannot be compiled", address.takeError());

    CompiledKernel kernel;
    kernel.owner_ = owner;
    kernel.code_ = address->toPtr<void (*)(KernelContext*)>();
    kernel.compile_time_ = std::chrono::steady_clock::now() - start;
    return kernel;
}

Result<std::string> KernelCompiler::print_optimised(const LoopNest& nest) {
    auto printed = state_->print(nest, std::string(sparsight::name(nest.op)));
    if (!printed)
        return std::unexpected(printed.error());
    std::string text;
    llvm::raw_string_ostream stream(text);
    printed->module->print(stream, nullptr);
    return text;
}

Result<std::string> KernelCompiler::print_assembly(const LoopNest& nest) {
    auto printed = state_->print(nest, std::string(sparsight::name(nest.op)));
    if (!printed)
        return std::unexpected(printed.error());
    return assembly_of(*printed->module, *state_->machine);
}

namespace {

constexpr std::int64_t zeroed_at_once = 1 << 16; ///< floats, so that threads share out large outputs

void zero_part(KernelContext* context, const std::int64_t*, std::int64_t begin, std::int64_t end) {
    std::memset(context->c + begin, 0, static_cast<std::size_t>(end - begin) * sizeof(float));
}

void zero_output(KernelContext* context) {
    context->team->run(context, zero_part, nullptr, 0, context->c_size, zeroed_at_once);
}

void run_parallel(KernelContext* context, ParallelBody body, const std::int64_t* captured, std::int64_t begin,
                  std::int64_t end) {
    context->team->run(context, body, captured, begin, end, context->chunk);
}

} // namespace

KernelRunner::KernelRunner(CompiledKernel kernel, const KernelOperands& operands, std::int64_t chunk,
                           Team& team)
    : kernel_(std::move(kernel)) {
    context_.a = operands.a.values.data();
    context_.b = operands.b.data();
    context_.d = operands.d.data();
    context_.c = operands.c.data();
    for (std::size_t level = 0; level < operands.a.levels.size(); ++level) {
        context_.pos[level] = operands.a.levels[level].pos.data();
        context_.crd[level] = operands.a.levels[level].crd.data();
    }
    context_.run_parallel = run_parallel;
    context_.zero_output = zero_output;
    context_.c_size = std::ssize(operands.c);
    context_.chunk = chunk;
    context_.team = &team;
}

bool KernelRunner::run_within(Milliseconds longest) {
    {
        const std::jthread alarm([this, longest](const std::stop_token& ended) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any never;
            never.wait_for(lock, ended, longest, [] { return false; });
            if (!ended.stop_requested())
                context_.abandoned = 1;
        });
        run();
    }
    return context_.abandoned.exchange(0) != KernelContext::left_early;
}

void KernelRunner::run_recorded(ChunkRecorder& recorder) {
    const auto plain_loop = context_.run_parallel;
    const auto plain_zeros = context_.zero_output;
    context_.recorder = &recorder;
    context_.run_parallel = [](KernelContext* context, ParallelBody body, const std::int64_t* captured,
                               std::int64_t begin, std::int64_t end) {
        context->recorder->run_region(context, body, captured, begin, end);
    };
    context_.zero_output = [](KernelContext* context) {
        zero_output(context);
        context->recorder->end_opening();
    };
    recorder.begin_run();
    run();
    recorder.end_run();
    context_.run_parallel = plain_loop;
    context_.zero_output = plain_zeros;
    context_.recorder = nullptr;
}

} // namespace sparsight

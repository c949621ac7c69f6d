#include "kernel/jit.h"

#include "kernel/llvm_printer.h"

#include <chrono>
#include <fmt/format.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <mutex>

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

/// The IR comes out of the printer in nearly its final form, so a handful of passes is all it needs.
void optimise(llvm::Module& module, llvm::TargetMachine& target) {
    llvm::PassBuilder builder(&target);
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);

    llvm::FunctionPassManager passes;
    passes.addPass(llvm::PromotePass());
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
    for (llvm::Function& function : module)
        if (!function.isDeclaration())
            passes.run(function, functions);
}

} // namespace

struct KernelCompiler::State {
    std::unique_ptr<orc::LLJIT> jit;
    std::unique_ptr<llvm::TargetMachine> machine;
    KernelTarget target;
    std::uint64_t kernels = 0;

    struct Printed {
        std::unique_ptr<llvm::LLVMContext> context;
        std::unique_ptr<llvm::Module> module;
    };

    /// A module of its own for each kernel, so that each can be dropped by itself.
    Result<Printed> print(const LoopNest& nest, const std::string& name) const {
        auto context = std::make_unique<llvm::LLVMContext>();
        auto module = std::make_unique<llvm::Module>(name, *context);
        module->setDataLayout(machine->createDataLayout());
        module->setTargetTriple(machine->getTargetTriple().str());
        print_llvm(nest, target, *module, name);
        for (llvm::Function& function : *module) {
            function.addFnAttr("target-cpu", machine->getTargetCPU());
            function.addFnAttr("target-features", machine->getTargetFeatureString());
        }
        std::string defects;
        llvm::raw_string_ostream stream(defects);
        if (llvm::verifyModule(*module, &stream))
            return fail(Fault::Internal, "the printed LLVM IR is not valid: " + defects);
        optimise(*module, *machine);
        return Printed{std::move(context), std::move(module)};
    }
};

Result<KernelCompiler> KernelCompiler::make() {
    initialise_llvm();
    auto host = orc::JITTargetMachineBuilder::detectHost();
    if (!host)
        return refuse("LLVM does not know this computer", host.takeError());
    host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
    host->setOptions(options);
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
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    if (state_->machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
        return fail(Fault::Internal, "LLVM cannot print assembly for this computer");
    passes.run(*printed->module);
    return std::string(text.begin(), text.end());
}

} // namespace sparsight

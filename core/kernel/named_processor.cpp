#include "kernel/named_processor.h"

#include "kernel/kernel_module.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <mutex>

namespace sparsight {

namespace {

constexpr std::array<std::string_view, 2> architectures{"x86_64", "aarch64"};

void initialise_all_targets() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeAllTargetInfos();
        llvm::InitializeAllTargets();
        llvm::InitializeAllTargetMCs();
        llvm::InitializeAllAsmPrinters();
        llvm::InitializeAllAsmParsers();
        llvm::InitializeAllTargetMCAs();
    });
}

std::string triple_of(std::string_view architecture) {
    return fmt::format("{}-unknown-linux-gnu", architecture);
}

const llvm::Target* target_of(std::string_view architecture) {
    initialise_all_targets();
    std::string why_not;
    return llvm::TargetRegistry::lookupTarget(triple_of(architecture), why_not);
}

std::unique_ptr<llvm::MCSubtargetInfo> subtarget(const llvm::Target& target, std::string_view architecture,
                                                 std::string_view cpu) {
    return std::unique_ptr<llvm::MCSubtargetInfo>(
        target.createMCSubtargetInfo(triple_of(architecture), llvm::StringRef(cpu), ""));
}

/// 32-bit processors are listed, too, and the code generator dies of them.
bool runs(const llvm::MCSubtargetInfo& processor) {
    return !processor.getTargetTriple().isX86() || processor.checkFeatures("+64bit");
}

bool is_known(const llvm::MCSubtargetInfo& any, std::string_view cpu) {
    return any.isCPUStringValid(cpu);
}

/// As KernelTarget::of_this_computer(). The size of the caches is no matter of the code's cost.
KernelTarget shape_of(const llvm::MCSubtargetInfo& processor) {
    if (!processor.getTargetTriple().isX86())
        return {4, 24, 0};
    if (processor.checkFeatures("+avx512f,+avx512vl"))
        return {16, 24, 0};
    if (processor.checkFeatures("+avx2,+fma"))
        return {8, 12, 0};
    return {4, 12, 0};
}

Result<NamedProcessor> processor_of(const llvm::Target& target, std::string_view architecture,
                                    const std::string& cpu) {
    const auto processor = subtarget(target, architecture, cpu);
    if (!runs(*processor))
        return fail(Fault::Input, fmt::format("the processor '{}' has no 64-bit instructions", cpu));
    if (!processor->getSchedModel().hasInstrSchedModel())
        return fail(Fault::Input,
                    fmt::format("LLVM has no scheduling model of the processor '{}'; it has of {}", cpu,
                                fmt::join(processors_with_model(architecture), ", ")));
    llvm::TargetOptions options = kernel_options();
    options.MCOptions.AsmVerbose = true; // which names the block that a label begins
    std::unique_ptr<llvm::TargetMachine> generator(
        target.createTargetMachine(triple_of(architecture), cpu, "", options, std::nullopt, std::nullopt,
                                   llvm::CodeGenOptLevel::Default));
    if (!generator)
        return fail(Fault::Environment, fmt::format("LLVM has no code generator for {}", architecture));
    return NamedProcessor{cpu, std::string(architecture), shape_of(*processor), std::move(generator)};
}

} // namespace

std::vector<std::string> processors_with_model(std::string_view architecture) {
    const llvm::Target* target = target_of(architecture);
    if (target == nullptr)
        return {};
    std::vector<std::string> names;
    const auto any = subtarget(*target, architecture, "");
    for (const llvm::SubtargetSubTypeKV& processor : any->getAllProcessorDescriptions())
        if (processor.SchedModel->hasInstrSchedModel() &&
            runs(*subtarget(*target, architecture, processor.Key)))
            names.emplace_back(processor.Key);
    return names;
}

Result<NamedProcessor> find_processor(std::string_view asked) {
    const std::string cpu = asked == "native" ? llvm::sys::getHostCPUName().str() : std::string(asked);
    std::string known;
    for (const std::string_view architecture : architectures) {
        const llvm::Target* target = target_of(architecture);
        if (target == nullptr)
            continue;
        if (is_known(*subtarget(*target, architecture, ""), cpu))
            return processor_of(*target, architecture, cpu);
        known += fmt::format("; {}: {}", architecture, fmt::join(processors_with_model(architecture), ", "));
    }
    if (known.empty())
        return fail(Fault::Environment, "LLVM was built without code generators for x86_64 and aarch64");
    return fail(Fault::Input, fmt::format("LLVM knows no processor '{}'{}", cpu, known));
}

} // namespace sparsight

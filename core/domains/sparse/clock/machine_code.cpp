#include "domains/sparse/clock/machine_code.h"

#include "code_analysis/body_simulation.h"
#include "domains/sparse/clock/kernel_module.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCExpr.h>
#include <llvm/MC/MCFixup.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSymbol.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <map>
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

/// 32-bit processors are listed, too, but crash the code generator.
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

namespace {

struct Code {
    std::vector<llvm::MCInst> instructions;
    std::vector<std::vector<std::uint8_t>> bytes;    ///< of each
    std::map<std::string, std::size_t> labels;       ///< the instruction behind each
    std::map<std::size_t, std::string> targets;      ///< where an instruction at a place branches to
    std::map<std::size_t, const char*> label_places; ///< in the text, by the instruction behind
};

/// Keeps what the parser reads, as llvm-mca does.
class Recorder final : public llvm::MCStreamer {
public:
    Recorder(llvm::MCContext& context, const llvm::MCInstrInfo& meaning, const llvm::MCCodeEmitter& encoder,
             Code& code)
        : MCStreamer(context)
        , meaning_(meaning)
        , encoder_(encoder)
        , code_(code) {}

    void emitLabel(llvm::MCSymbol* symbol, llvm::SMLoc place) override {
        code_.labels[symbol->getName().str()] = code_.instructions.size();
        code_.label_places[code_.instructions.size()] = place.getPointer();
    }
    void emitInstruction(const llvm::MCInst& instruction, const llvm::MCSubtargetInfo& processor) override {
        if (meaning_.get(instruction.getOpcode()).isBranch())
            for (const llvm::MCOperand& operand : instruction)
                if (operand.isExpr())
                    if (const auto* target = llvm::dyn_cast<llvm::MCSymbolRefExpr>(operand.getExpr()))
                        code_.targets[code_.instructions.size()] = target->getSymbol().getName().str();
        code_.instructions.push_back(instruction);
        llvm::SmallVector<char> bytes;
        llvm::SmallVector<llvm::MCFixup> open; // what a linker would fill in
        encoder_.encodeInstruction(instruction, bytes, open, processor);
        code_.bytes.emplace_back(bytes.begin(), bytes.end());
    }
    bool emitSymbolAttribute(llvm::MCSymbol*, llvm::MCSymbolAttr) override { return true; }
    void emitCommonSymbol(llvm::MCSymbol*, std::uint64_t, llvm::Align) override {}
    void emitZerofill(llvm::MCSection*, llvm::MCSymbol*, std::uint64_t, llvm::Align, llvm::SMLoc) override {}

private:
    const llvm::MCInstrInfo& meaning_;
    const llvm::MCCodeEmitter& encoder_;
    Code& code_;
};

Result<Code> parse(const std::string& assembly, const NamedProcessor& processor,
                   const InstructionSet& instruction_set) {
    Code code;
    llvm::SourceMgr source;
    std::string defects;
    source.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(assembly), llvm::SMLoc());
    source.setDiagHandler(
        [](const llvm::SMDiagnostic& defect, void* to) {
            *static_cast<std::string*>(to) += defect.getMessage().str() + "; ";
        },
        &defects);
    const llvm::MCTargetOptions options;
    const std::unique_ptr<llvm::MCAsmInfo> syntax(
        processor.target().createMCAsmInfo(*instruction_set.registers, processor.triple().str(), options));
    llvm::MCContext context(processor.triple(), syntax.get(), instruction_set.registers.get(),
                            &processor.subtarget(), &source);
    const std::unique_ptr<llvm::MCObjectFileInfo> sections(
        processor.target().createMCObjectFileInfo(context, false));
    context.setObjectFileInfo(sections.get());
    const std::unique_ptr<llvm::MCCodeEmitter> encoder(
        processor.target().createMCCodeEmitter(*instruction_set.instructions, context));
    Recorder recorder(context, *instruction_set.instructions, *encoder, code);
    processor.target().createNullTargetStreamer(recorder); // which belongs to the recorder then
    const std::unique_ptr<llvm::MCAsmParser> parser(
        llvm::createMCAsmParser(source, context, recorder, *syntax));
    const std::unique_ptr<llvm::MCTargetAsmParser> dialect(processor.target().createMCAsmParser(
        processor.subtarget(), *parser, *instruction_set.instructions, options));
    if (!dialect)
        return fail(Fault::Environment, "LLVM was built without a parser of assembly for " + processor.cpu);
    parser->setTargetParser(*dialect);
    if (parser->Run(false))
        return fail(Fault::Internal, "LLVM does not read the assembly that it printed: " + defects);
    return code;
}

/// Names of blocks by the label that they begin with: ".LBB0_2:   # %loop.k1.3".
std::map<std::string, std::string> blocks_by_label(std::string_view assembly) {
    std::map<std::string, std::string> blocks;
    while (!assembly.empty()) {
        const std::size_t end = assembly.find('\n');
        const std::string_view line = assembly.substr(0, end);
        assembly.remove_prefix(end == std::string_view::npos ? assembly.size() : end + 1);
        const std::size_t colon = line.find(':');
        const std::size_t name = line.find('%');
        if (line.starts_with(".L") && colon != std::string_view::npos && name != std::string_view::npos)
            blocks[std::string(line.substr(0, colon))] = line.substr(name + 1);
    }
    return blocks;
}

/// Of instructions: from the first to behind the last.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool holds(const Range& other) const {
        return begin <= other.begin && other.end <= end && (begin != other.begin || end != other.end);
    }
};

std::vector<Range> back_branches(const Code& code) {
    std::map<std::size_t, std::size_t> ends; // several branches to one label are one loop
    for (const auto& [at, target] : code.targets)
        if (const auto label = code.labels.find(target); label != code.labels.end() && label->second <= at)
            ends[label->second] = std::max(ends[label->second], at + 1);
    std::vector<Range> ranges;
    ranges.reserve(ends.size());
    for (const auto& [begin, end] : ends)
        ranges.push_back({begin, end});
    return ranges;
}

class LoopFinder {
public:
    LoopFinder(const Code& code, const std::string& assembly)
        : code_(code)
        , assembly_(assembly)
        , ranges_(back_branches(code)) {
        const auto blocks = blocks_by_label(assembly);
        for (const auto& [label, at] : code.labels)
            if (const auto block = blocks.find(label);
                block != blocks.end() && !loop_of_block(block->second).empty())
                blocks_[at] = block->second;
    }

    std::vector<MachineLoop> run() const {
        std::vector<MachineLoop> loops;
        loops.reserve(ranges_.size());
        for (const Range& range : ranges_)
            loops.push_back(loop(range));
        return loops;
    }

private:
    [[nodiscard]] MachineLoop loop(const Range& range) const {
        MachineLoop loop;
        loop.depth = static_cast<int>(
            std::ranges::count_if(ranges_, [&](const Range& other) { return other.holds(range); }));
        for (std::size_t at = range.begin; at < range.end; ++at) {
            const bool inside = std::ranges::any_of(ranges_, [&](const Range& other) {
                return range.holds(other) && other.begin <= at && at < other.end;
            });
            loop.innermost = loop.innermost && !inside;
            if (inside)
                continue;
            loop.instructions.push_back(code_.instructions[at]);
            loop.code.insert(loop.code.end(), code_.bytes[at].begin(), code_.bytes[at].end());
            if (const auto block = blocks_.find(at); loop.block.empty() && block != blocks_.end())
                loop.block = block->second;
        }
        loop.text = text(range);
        return loop;
    }

    /// From the label that the last instruction branches back to.
    [[nodiscard]] std::string text(const Range& range) const {
        const auto label = code_.label_places.find(range.begin);
        const char* const first = label != code_.label_places.end() ? label->second : nullptr;
        const char* const last = code_.instructions[range.end - 1].getLoc().getPointer();
        const char* const begin = assembly_.data();
        if (first == nullptr || last == nullptr || first < begin || last < first ||
            last >= begin + assembly_.size())
            return {};
        const std::size_t end = assembly_.find('\n', static_cast<std::size_t>(last - begin));
        const auto from = static_cast<std::size_t>(first - begin);
        return assembly_.substr(from, end == std::string::npos ? end : end + 1 - from);
    }

    const Code& code_;
    const std::string& assembly_;
    std::vector<Range> ranges_;
    std::map<std::size_t, std::string> blocks_; ///< of loops, by the instruction that they begin with
};

} // namespace

InstructionSet::InstructionSet(const NamedProcessor& processor)
    : registers(processor.target().createMCRegInfo(processor.triple().str()))
    , instructions(processor.target().createMCInstrInfo()) {}

Result<std::vector<MachineLoop>> loops_in(const std::string& assembly, const NamedProcessor& processor,
                                          const InstructionSet& instruction_set) {
    const auto code = parse(assembly, processor, instruction_set);
    if (!code)
        return std::unexpected(code.error());
    return LoopFinder(*code, assembly).run();
}

Result<Throughput> throughput_of(llvm::ArrayRef<llvm::MCInst> body, const NamedProcessor& processor,
                                 const InstructionSet& instruction_set) {
    const auto simulation =
        BodySimulation::of(body, {processor.target(), processor.subtarget(), *instruction_set.instructions,
                                  *instruction_set.registers});
    if (!simulation)
        return std::unexpected(simulation.error());
    if (simulation->is_empty())
        return Throughput{0, "calls"};
    const auto cycles = simulation->cycles_an_iteration();
    if (!cycles)
        return std::unexpected(cycles.error());
    return Throughput{*cycles, simulation->bottleneck(*cycles)};
}

} // namespace sparsight

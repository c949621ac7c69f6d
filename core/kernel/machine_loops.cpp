#include "kernel/machine_loops.h"

#include "kernel/loop_blocks.h"

#include <algorithm>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCExpr.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSymbol.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <map>

namespace sparsight {

namespace {

struct Code {
    std::vector<llvm::MCInst> instructions;
    std::map<std::string, std::size_t> labels;  ///< the instruction behind each
    std::map<std::size_t, std::string> targets; ///< where an instruction at a place branches to
};

/// Keeps what the parser reads, as llvm-mca does.
class Recorder final : public llvm::MCStreamer {
public:
    Recorder(llvm::MCContext& context, const llvm::MCInstrInfo& meaning, Code& code)
        : MCStreamer(context)
        , meaning_(meaning)
        , code_(code) {}

    void emitLabel(llvm::MCSymbol* symbol, llvm::SMLoc) override {
        code_.labels[symbol->getName().str()] = code_.instructions.size();
    }
    void emitInstruction(const llvm::MCInst& instruction, const llvm::MCSubtargetInfo&) override {
        if (meaning_.get(instruction.getOpcode()).isBranch())
            for (const llvm::MCOperand& operand : instruction)
                if (operand.isExpr())
                    if (const auto* target = llvm::dyn_cast<llvm::MCSymbolRefExpr>(operand.getExpr()))
                        code_.targets[code_.instructions.size()] = target->getSymbol().getName().str();
        code_.instructions.push_back(instruction);
    }
    bool emitSymbolAttribute(llvm::MCSymbol*, llvm::MCSymbolAttr) override { return true; }
    void emitCommonSymbol(llvm::MCSymbol*, std::uint64_t, llvm::Align) override {}
    void emitZerofill(llvm::MCSection*, llvm::MCSymbol*, std::uint64_t, llvm::Align, llvm::SMLoc) override {}

private:
    const llvm::MCInstrInfo& meaning_;
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
    Recorder recorder(context, *instruction_set.instructions, code);
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
            if (const auto block = blocks_.find(at); loop.block.empty() && block != blocks_.end())
                loop.block = block->second;
        }
        return loop;
    }

    const Code& code_;
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

} // namespace sparsight

#include "domains/blocks/decoder/code_target.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <mutex>

namespace sparsight {
namespace {

constexpr std::size_t longest_instruction = 15; ///< bytes
constexpr const char* triple_text = "x86_64-unknown-linux-gnu";

void initialise_x86() {
    static std::once_flag once;
    std::call_once(once, [] {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmParser();
        LLVMInitializeX86Disassembler();
    });
}

int bits_of_class(llvm::StringRef name) {
    static const std::map<llvm::StringRef, int> bits{
        {"GR8", 8},          {"GR16", 16},        {"GR32", 32},      {"GR64", 64},  {"VR64", 64},
        {"VR128X", 128},     {"VR256X", 256},     {"VR512", 512},    {"VK64", 64},  {"RST", 80},
        {"SEGMENT_REG", 16}, {"CONTROL_REG", 64}, {"DEBUG_REG", 64}, {"BNDR", 128}, {"TILE", 8192}};
    const auto known = bits.find(name);
    return known == bits.end() ? 0 : known->second;
}

/// What LLVM makes up: pairs of masks (K0_K1), upper halves (HAX).
bool is_made_up(llvm::StringRef name) {
    return name.contains('_') || (name.starts_with("H") && name.size() >= 3);
}

/// "\tlock\n\tadd\teax, 1" as "lock add eax, 1".
std::string with_single_blanks(std::string_view text) {
    std::string result;
    for (const char sign : text) {
        const bool is_blank = sign == ' ' || sign == '\t' || sign == '\n';
        if (is_blank && (result.empty() || result.back() == ' '))
            continue;
        result += is_blank ? ' ' : sign;
    }
    if (!result.empty() && result.back() == ' ')
        result.pop_back();
    return result;
}

} // namespace

CodeTarget::CodeTarget(const llvm::Target& target)
    : target_(target)
    , triple_(triple_text)
    , registers_(target.createMCRegInfo(triple_text))
    , syntax_(target.createMCAsmInfo(*registers_, triple_text, options_))
    , instructions_(target.createMCInstrInfo())
    , subtarget_(target.createMCSubtargetInfo(triple_text, "", ""))
    , context_(std::make_unique<llvm::MCContext>(triple_, syntax_.get(), registers_.get(), subtarget_.get()))
    , disassembler_(target.createMCDisassembler(*subtarget_, *context_)) {
    for (const auto& [syntax, variant] : {std::pair(AssemblySyntax::Att, 0), {AssemblySyntax::Intel, 1}})
        printers_.emplace(syntax, target.createMCInstPrinter(triple_, static_cast<unsigned>(variant),
                                                             *syntax_, *instructions_, *registers_));
    emitter_.reset(target.createMCCodeEmitter(*instructions_, *context_));
    name_registers();
    constexpr llvm::StringRef reversed = "_REV";
    for (unsigned opcode = 0; opcode < instructions_->getNumOpcodes(); ++opcode)
        if (llvm::StringRef name = instructions_->getName(opcode); name.consume_back(reversed))
            loading_forms_[name.str()] = opcode;
}

Result<std::unique_ptr<CodeTarget>> CodeTarget::make() {
    initialise_x86();
    std::string why_not;
    const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple_text, why_not);
    if (target == nullptr)
        return fail(Fault::Environment, "LLVM was built without x86: " + why_not);
    return std::unique_ptr<CodeTarget>(new CodeTarget(*target));
}

void CodeTarget::name_registers() {
    named_.resize(registers_->getNumRegs());
    for (unsigned number = 1; number < registers_->getNumRegs(); ++number) {
        Register& reg = named_[number];
        reg.name = llvm::StringRef(registers_->getName(number)).lower();
        reg.whole = reg.name;
        for (const llvm::MCPhysReg larger : registers_->superregs(number))
            if (!is_made_up(registers_->getName(larger)) && registers_->superregs(larger).empty())
                reg.whole = llvm::StringRef(registers_->getName(larger)).lower();
    }
    // A mask has pairs of masks above it, and no single register.
    for (const llvm::MCRegisterClass& of : registers_->regclasses())
        if (const int bits = bits_of_class(registers_->getRegClassName(&of)); bits > 0)
            for (const llvm::MCPhysReg number : of)
                named_[number].bits = bits;
    for (unsigned number = 1; number < named_.size(); ++number) {
        const Register& reg = named_[number];
        const bool is_high_byte = reg.bits == 8 && reg.name.size() == 2 && reg.name.back() == 'h';
        if (reg.bits > 0 && !is_high_byte)
            parts_.try_emplace({reg.whole, reg.bits}, number);
    }
}

std::optional<MachineCode> CodeTarget::encode_loading(const Decoded& decoded) const {
    const llvm::StringRef name = instructions_->getName(decoded.instruction.getOpcode());
    const auto other = loading_forms_.find(name.str());
    if (other == loading_forms_.end())
        return std::nullopt;
    Decoded loading = decoded;
    loading.instruction.setOpcode(other->second);
    return encode(loading);
}

MachineCode CodeTarget::encode(const Decoded& decoded) const {
    llvm::SmallVector<char, 16> bytes;
    llvm::SmallVector<llvm::MCFixup, 4> fixups;
    for (const llvm::MCInst& prefix : decoded.prefixes)
        emitter_->encodeInstruction(prefix, bytes, fixups, *subtarget_);
    emitter_->encodeInstruction(decoded.instruction, bytes, fixups, *subtarget_);
    return {bytes.begin(), bytes.end()};
}

std::optional<unsigned> CodeTarget::part(const std::string& whole, int bits) const {
    const auto known = parts_.find({whole, bits});
    return known == parts_.end() ? std::nullopt : std::optional(known->second);
}

bool CodeTarget::is_prefix(const llvm::MCInst& instruction) const {
    return instructions_->getName(instruction.getOpcode()).ends_with("_PREFIX");
}

Result<CodeTarget::Decoded> CodeTarget::decode(std::span<const std::uint8_t> code, std::size_t offset) const {
    Decoded decoded;
    const auto rest = code.subspan(offset);
    while (true) {
        const auto left = rest.subspan(decoded.size);
        std::uint64_t size = 0;
        llvm::MCInst instruction;
        const auto status = disassembler_->getInstruction(
            instruction, size, llvm::ArrayRef<std::uint8_t>(left.data(), left.size()), offset, llvm::nulls());
        if (status == llvm::MCDisassembler::Fail || size == 0 || size > left.size())
            break;
        decoded.size += size;
        if (decoded.size > longest_instruction)
            break;
        if (!is_prefix(instruction)) {
            decoded.instruction = std::move(instruction);
            return decoded;
        }
        decoded.prefixes.push_back(std::move(instruction));
    }
    return fail(Fault::Input, fmt::format("byte {} begins no x86-64 instruction: {}{}", offset + 1,
                                          to_hex(rest.first(std::min(rest.size(), longest_instruction))),
                                          rest.size() > longest_instruction ? "…" : ""));
}

std::string CodeTarget::print(const Decoded& decoded, AssemblySyntax syntax) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (const llvm::MCInst& prefix : decoded.prefixes) {
        printers_.at(syntax)->printInst(&prefix, 0, "", *subtarget_, stream);
        stream << ' ';
    }
    printers_.at(syntax)->printInst(&decoded.instruction, 0, "", *subtarget_, stream);
    stream.flush();
    return with_single_blanks(text);
}

} // namespace sparsight

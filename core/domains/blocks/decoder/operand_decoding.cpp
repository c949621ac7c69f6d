#include "domains/blocks/decoder/operand_decoding.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <llvm/MC/MCInstrDesc.h>
#include <utility>

namespace sparsight {
namespace {

// Of X86BaseInfo.h, which LLVM does not install.
constexpr std::uint8_t rounding_control = llvm::MCOI::OPERAND_FIRST_TARGET;
constexpr std::uint8_t condition_code = rounding_control + 1;

constexpr std::array<std::string_view, 12> prefix_words{"lock",     "rep",      "repe",  "repne",
                                                        "data16",   "addr32",   "rex64", "notrack",
                                                        "xacquire", "xrelease", "bnd",   "cs"};

/// The words of an instruction before its operands, and the operands, in Intel's syntax.
struct TextParts {
    std::vector<std::string> prefixes;
    std::string mnemonic;
    std::vector<std::string> operands;
};

TextParts parts_of(std::string_view text) {
    TextParts parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text = trimmed(text.substr(end));
        if (word.starts_with('{')) // "{vex}": how it is encoded
            continue;
        if (std::ranges::find(prefix_words, word) == prefix_words.end() || text.empty()) {
            parts.mnemonic = word;
            break;
        }
        parts.prefixes.emplace_back(word);
    }
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size()); // no address has a comma
        parts.operands.emplace_back(trimmed(text.substr(0, end)));
        text = end == text.size() ? std::string_view() : text.substr(end + 1);
    }
    return parts;
}

/// Of "xmmword ptr [rax]"; 0 for "[rax]".
int bits_in(std::string_view operand) {
    constexpr std::array<std::pair<std::string_view, int>, 10> sizes{{{"byte", 8},
                                                                      {"word", 16},
                                                                      {"dword", 32},
                                                                      {"fword", 48},
                                                                      {"qword", 64},
                                                                      {"tbyte", 80},
                                                                      {"xword", 80},
                                                                      {"xmmword", 128},
                                                                      {"ymmword", 256},
                                                                      {"zmmword", 512}}};
    const std::string_view word = operand.substr(0, std::min(operand.find(' '), operand.size()));
    for (const auto& [name, bits] : sizes)
        if (word == name)
            return bits;
    return 0;
}

/// "xmm0 {k1} {z}" is xmm0, "st(1)" is LLVM's st1, "st" st0.
std::string register_name(std::string_view operand) {
    std::string name(trimmed(operand.substr(0, std::min(operand.find('{'), operand.size()))));
    if (name == "st")
        return "st0";
    if (name.starts_with("st(") && name.size() == 5)
        return std::string("st") + name[3];
    return name;
}

class OperandReader {
public:
    OperandReader(const CodeTarget& target, const llvm::MCInst& instruction)
        : target_(target)
        , instruction_(instruction)
        , meaning_(target.instructions().get(instruction.getOpcode())) {}

    /// In the order of LLVM, which is that of Intel's syntax but for registers that the form fixes.
    std::deque<Operand> run() {
        for (unsigned at = 0; at < instruction_.getNumOperands();) {
            const unsigned count = memory_parts(at);
            if (count > 0)
                take_memory(at, count);
            else
                take(at);
            at += std::max(count, 1U);
        }
        return std::move(operands_);
    }

private:
    [[nodiscard]] std::uint8_t type(unsigned at) const {
        return at < meaning_.getNumOperands() ? meaning_.operands()[at].OperandType
                                              : std::uint8_t{llvm::MCOI::OPERAND_UNKNOWN};
    }

    /// How many operands from this one on make an address: 5 in general; of string instructions 2 or 1 each,
    /// and 2 of an address without registers.
    [[nodiscard]] unsigned memory_parts(unsigned at) const {
        constexpr unsigned general = 5;
        if (name().starts_with("LEA") && at == 1 && instruction_.getNumOperands() == at + general)
            return general; // an address that is no memory operand to LLVM
        unsigned count = 0;
        while (at + count < instruction_.getNumOperands() && type(at + count) == llvm::MCOI::OPERAND_MEMORY)
            ++count;
        if (count >= general)
            return general;
        if (count == 3) // of movs and cmps
            return is_segment(at + 1) ? 2 : 1;
        return count;
    }

    [[nodiscard]] bool is_segment(unsigned at) const {
        const llvm::MCOperand& operand = instruction_.getOperand(at);
        return operand.isReg() && (operand.getReg() == 0 || target_.reg(operand.getReg()).bits == 16);
    }

    [[nodiscard]] std::optional<Register> register_at(unsigned at) const {
        const llvm::MCOperand& operand = instruction_.getOperand(at);
        if (!operand.isReg() || operand.getReg() == 0)
            return std::nullopt;
        return target_.reg(operand.getReg());
    }

    [[nodiscard]] std::int64_t number_at(unsigned at) const {
        const llvm::MCOperand& operand = instruction_.getOperand(at);
        return operand.isImm() ? operand.getImm() : 0;
    }

    void take_memory(unsigned at, unsigned count) {
        Operand operand{.kind = OperandKind::Memory};
        const bool is_pushed = name().starts_with("PUSH") || name().starts_with("CALL");
        const bool is_popped = name().starts_with("POP") && !name().starts_with("POPCNT");
        operand.is_read = meaning_.mayLoad() && !is_popped;
        operand.is_written = meaning_.mayStore() && !is_pushed;
        if (count == 5) {
            operand.address = {register_at(at + 4), register_at(at), register_at(at + 2),
                               static_cast<int>(number_at(at + 1)), number_at(at + 3)};
        } else if (instruction_.getOperand(at).isReg()) { // of a string instruction
            operand.address.base = register_at(at);
            if (count == 2)
                operand.address.segment = register_at(at + 1);
            const bool is_source = count == 2;
            operand.is_read = is_source || !meaning_.mayStore();
            operand.is_written = !is_source && meaning_.mayStore();
        } else {
            operand.address.displacement = number_at(at);
            if (count == 2)
                operand.address.segment = register_at(at + 1);
        }
        operands_.push_back(std::move(operand));
    }

    void take(unsigned at) {
        const llvm::MCOperand& value = instruction_.getOperand(at);
        const std::uint8_t kind = type(at);
        if (kind == rounding_control || kind == condition_code)
            return; // part of the mnemonic
        if (value.isReg()) {
            if (value.getReg() != 0)
                take_register(at, value.getReg());
        } else if (value.isImm()) {
            operands_.push_back(
                {.kind = kind == llvm::MCOI::OPERAND_PCREL ? OperandKind::Target : OperandKind::Immediate,
                 .is_read = true,
                 .value = value.getImm()});
        }
    }

    /// A source that is tied to a destination is the same operand of the text.
    void take_register(unsigned at, unsigned number) {
        const int tied =
            at < meaning_.getNumOperands() ? meaning_.getOperandConstraint(at, llvm::MCOI::TIED_TO) : -1;
        const bool is_written = at < meaning_.getNumDefs();
        if (tied >= 0)
            for (Operand& earlier : operands_)
                if (earlier.kind == OperandKind::Register && earlier.is_written &&
                    earlier.reg == target_.reg(number)) {
                    earlier.is_read = true;
                    return;
                }
        const Register& reg = target_.reg(number);
        operands_.push_back({.kind = OperandKind::Register,
                             .bits = reg.bits,
                             .is_read = !is_written,
                             .is_written = is_written,
                             .reg = reg});
    }

    [[nodiscard]] llvm::StringRef name() const {
        return target_.instructions().getName(instruction_.getOpcode());
    }

    const CodeTarget& target_;
    const llvm::MCInst& instruction_;
    const llvm::MCInstrDesc& meaning_;
    std::deque<Operand> operands_;
};

std::vector<ImplicitRegister> implicit_registers(const CodeTarget& target, const llvm::MCInstrDesc& meaning) {
    std::vector<ImplicitRegister> registers;
    const auto entry = [&](unsigned number) -> ImplicitRegister& {
        const Register& reg = target.reg(number);
        const auto known = std::ranges::find(registers, reg, &ImplicitRegister::reg);
        return known != registers.end() ? *known : registers.emplace_back(ImplicitRegister{reg});
    };
    for (const llvm::MCPhysReg number : meaning.implicit_uses())
        entry(number).is_read = true;
    for (const llvm::MCPhysReg number : meaning.implicit_defs())
        entry(number).is_written = true;
    return registers;
}

/// What a repeated instruction counts with.
void add_counter(const CodeTarget& target, Instruction& instruction) {
    const bool is_repeated = std::ranges::any_of(
        instruction.prefixes, [](const std::string& prefix) { return prefix.starts_with("rep"); });
    const auto counter = target.part("rcx", 64);
    if (is_repeated && counter)
        instruction.implicit.push_back({target.reg(*counter), true, true});
}

/// Brings the operands into the order of the text, with the registers that the form fixes among them: cl of
/// "shl eax, cl".
std::vector<Operand> in_order_of(const std::vector<std::string>& texts, std::deque<Operand> operands,
                                 std::vector<ImplicitRegister>& implicit) {
    std::vector<Operand> ordered;
    const auto take = [&](std::deque<Operand>::iterator found) {
        ordered.push_back(std::move(*found));
        operands.erase(found);
    };
    for (const std::string& text : texts) {
        const bool is_memory = text.find('[') != std::string::npos;
        const auto kind = is_memory ? OperandKind::Memory : OperandKind::Register;
        const std::string name = is_memory ? std::string() : register_name(text);
        const auto found = std::ranges::find_if(operands, [&](const Operand& operand) {
            return operand.kind == kind && (is_memory || operand.reg.name == name);
        });
        const auto fixed = std::ranges::find(implicit, name, [](const auto& each) { return each.reg.name; });
        if (found != operands.end()) {
            take(found);
            if (is_memory)
                ordered.back().bits = bits_in(text);
        } else if (!is_memory && fixed != implicit.end()) {
            ordered.push_back({.kind = OperandKind::Register,
                               .bits = fixed->reg.bits,
                               .is_read = fixed->is_read,
                               .is_written = fixed->is_written,
                               .reg = fixed->reg});
            implicit.erase(fixed);
        } else if (const auto number = std::ranges::find_if(operands,
                                                            [](const Operand& operand) {
                                                                return operand.kind ==
                                                                           OperandKind::Immediate ||
                                                                       operand.kind == OperandKind::Target;
                                                            });
                   number != operands.end()) {
            take(number);
        }
    }
    std::ranges::move(operands, std::back_inserter(ordered));
    return ordered;
}

} // namespace

Instruction to_instruction(const CodeTarget& target, const CodeTarget::Decoded& decoded, std::size_t offset) {
    const llvm::MCInstrDesc& meaning = target.instructions().get(decoded.instruction.getOpcode());
    Instruction instruction{.offset = offset,
                            .size = decoded.size,
                            .opcode = target.instructions().getName(decoded.instruction.getOpcode()).str(),
                            .text = target.print(decoded, AssemblySyntax::Intel),
                            .reads_memory = meaning.mayLoad(),
                            .writes_memory = meaning.mayStore()};
    TextParts parts = parts_of(instruction.text);
    instruction.prefixes = std::move(parts.prefixes);
    instruction.mnemonic = std::move(parts.mnemonic);
    instruction.implicit = implicit_registers(target, meaning);
    add_counter(target, instruction);
    instruction.operands =
        in_order_of(parts.operands, OperandReader(target, decoded.instruction).run(), instruction.implicit);
    for (const Operand& operand : instruction.operands) { // of string instructions LLVM does not say it
        const bool is_memory = operand.kind == OperandKind::Memory;
        instruction.reads_memory = instruction.reads_memory || (is_memory && operand.is_read);
        instruction.writes_memory = instruction.writes_memory || (is_memory && operand.is_written);
    }
    return instruction;
}

} // namespace sparsight

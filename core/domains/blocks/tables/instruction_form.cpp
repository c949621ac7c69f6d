#include "domains/blocks/tables/instruction_form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace sparsight {
namespace {

using Renames = std::pair<std::string_view, std::string_view>;

/// Conditions as XED names them; those that are not here are named alike.
constexpr std::array<Renames, 8> conditions{{{"e", "Z"},
                                             {"ne", "NZ"},
                                             {"ae", "NB"},
                                             {"a", "NBE"},
                                             {"ge", "NL"},
                                             {"g", "NLE"},
                                             {"pe", "P"},
                                             {"po", "NP"}}};

/// Mnemonics that LLVM names in another way.
constexpr std::array<Renames, 7> mnemonics{{{"movabs", "MOV"},
                                            {"call", "CALL_NEAR"},
                                            {"ret", "RET_NEAR"},
                                            {"sal", "SHL"},
                                            {"pushf", "PUSHFQ"},
                                            {"popf", "POPFQ"},
                                            {"wait", "FWAIT"}}};

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return result;
}

std::string renamed(std::string_view word, std::span<const Renames> names) {
    for (const auto& [from, to] : names)
        if (word == from)
            return std::string(to);
    return upper(word);
}

std::string register_word(const Register& reg) {
    if (reg.whole.starts_with("zmm"))
        return upper(reg.name.substr(0, 3)); // XMM, YMM, ZMM
    if (reg.name.starts_with("mm"))
        return "MM";
    if (reg.name.starts_with("k"))
        return "K";
    if (reg.bits == 16 && reg.name.size() == 2 && reg.name.back() == 's')
        return "SEG";
    if (reg.bits == 8)
        return reg.name.size() == 2 && reg.name.back() == 'h' ? "R8h" : "R8l";
    return fmt::format("R{}", reg.bits);
}

/// The bits of an immediate as its opcode of LLVM tells them: "ADD64ri8", "MOV32ri".
int immediate_bits(const Instruction& instruction) {
    const std::string_view opcode = instruction.opcode;
    for (const auto& [ending, bits] :
         {std::pair<std::string_view, int>("i8", 8), {"i16", 16}, {"i32", 32}, {"i64", 64}})
        if (opcode.ends_with(ending))
            return bits;
    const int bits = instruction.operands.empty() ? 0 : instruction.operands.front().bits;
    const bool is_vector = bits >= 128;
    const bool is_shift = opcode.starts_with("SH") || opcode.starts_with("SA") || opcode.starts_with("RO") ||
                          opcode.starts_with("RC") || opcode.starts_with("BT");
    if (is_vector || is_shift || bits == 8)
        return 8;
    if (opcode == "MOV64ri") // movabs
        return 64;
    return std::min(bits == 0 ? 32 : bits, 32);
}

/// The words for one operand, the most exact one first.
std::vector<std::string> operand_words(const Instruction& instruction, const Operand& operand) {
    switch (operand.kind) {
    case OperandKind::Register: {
        const std::string general = register_word(operand.reg);
        const bool may_be_fixed =
            operand.reg.whole == "rax" || operand.reg.whole == "rcx" || operand.reg.whole == "rdx";
        return may_be_fixed ? std::vector<std::string>{general, upper(operand.reg.name)}
                            : std::vector{general};
    }
    case OperandKind::Memory:
        if (operand.address.index && operand.address.index->whole.starts_with("zmm"))
            return {"VSIB_" + upper(operand.address.index->name.substr(0, 3))};
        return {fmt::format("M{}", operand.bits), "M512", "M"};
    case OperandKind::Immediate: {
        const int bits = immediate_bits(instruction);
        std::vector<std::string> words{fmt::format("I{}", bits)};
        if (operand.value == 1)
            words.insert(words.begin(), "1");
        if (operand.value == 0)
            words.emplace_back("0");
        return words;
    }
    case OperandKind::Target:
        return {"Rel8", "Rel32"};
    }
    return {};
}

/// All combinations, the first words first.
std::vector<std::string> operand_lists(const Instruction& instruction) {
    std::vector<std::string> lists{""};
    for (const Operand& operand : instruction.operands) {
        std::vector<std::string> longer;
        for (const std::string& list : lists)
            for (const std::string& word : operand_words(instruction, operand))
                longer.push_back(list.empty() ? word : fmt::format("{}, {}", list, word));
        lists = std::move(longer);
    }
    if (instruction.opcode.ends_with("r1") || instruction.opcode.ends_with("m1")) // shifts and rotations by 1
        for (std::string& list : lists)
            list += ", 1";
    return lists;
}

/// The opcode's own byte, behind prefixes and the escape 0f: "89", "0F28".
std::vector<std::string> opcode_words(std::span<const std::uint8_t> code) {
    std::size_t at = 0;
    const auto is_prefix = [](std::uint8_t byte) {
        return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0 || byte == 0x2e || byte == 0x36 ||
               byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65 || byte == 0x67 ||
               (byte & 0xf0) == 0x40;
    };
    while (at < code.size() && is_prefix(code[at]))
        ++at;
    if (at >= code.size())
        return {};
    const std::uint8_t first = code[at];
    if (first == 0xc5 && at + 2 < code.size())
        return {fmt::format("{:02X}", code[at + 2])};
    if (first == 0xc4 && at + 3 < code.size())
        return {fmt::format("{:02X}", code[at + 3])};
    if (first == 0x0f && at + 1 < code.size())
        return {fmt::format("0F{:02X}", code[at + 1]), fmt::format("{:02X}", code[at + 1])};
    return {fmt::format("{:02X}", first)};
}

std::string lea_word(const Instruction& instruction) {
    for (const Operand& operand : instruction.operands) {
        if (operand.kind != OperandKind::Memory)
            continue;
        const MemoryAddress& address = operand.address;
        std::string word = "LEA";
        if (address.base && address.base->whole == "rip")
            return word + "_R_D32";
        if (address.base)
            word += "_B";
        if (address.index)
            word += address.scale > 1 ? "_IS" : "_I";
        const bool is_short = address.displacement >= -128 && address.displacement < 128;
        if (address.displacement != 0 || !address.base)
            word += is_short && address.base ? "_D8" : "_D32";
        return word;
    }
    return "LEA";
}

} // namespace

std::string xed_mnemonic(const Instruction& instruction) {
    const std::string_view word = instruction.mnemonic;
    for (const std::string_view family : {"cmov", "set", "j"})
        if (word.starts_with(family) && word != "jmp" && !word.starts_with("jr") && !word.starts_with("jecx"))
            return upper(family) + renamed(word.substr(family.size()), conditions);
    for (const std::string_view family : {"vcmp", "cmp", "vpcmp"})
        if (word.starts_with(family) && word.size() > family.size() + 2 &&
            instruction.opcode.starts_with(upper(family) + upper(word.substr(word.size() - 2))))
            return upper(family) + upper(word.substr(word.size() - 2));
    return renamed(word, mnemonics);
}

std::vector<std::string> form_names(const Instruction& instruction, std::span<const std::uint8_t> code) {
    if (instruction.mnemonic == "lea" && !instruction.operands.empty())
        return {
            fmt::format("{} ({})", lea_word(instruction), register_word(instruction.operands.front().reg))};
    const std::string mnemonic = xed_mnemonic(instruction);
    std::vector<std::string> heads;
    for (const std::string& prefix : instruction.prefixes)
        if (prefix == "lock" || prefix == "repe" || prefix == "repne" || prefix == "rep")
            heads.push_back(mnemonic + "_" + (prefix == "rep" ? "REPE" : upper(prefix)));
    for (const std::string& opcode : opcode_words(code))
        heads.push_back(mnemonic + "_" + opcode);
    heads.push_back(mnemonic);
    for (const std::string_view ending : {"_R0", "_R4", "_XMM", "_IMMB", "_IMMZ", "_REX64", "_W", "_CL"})
        heads.push_back(mnemonic + std::string(ending));
    std::vector<std::string> names;
    for (const std::string& list : operand_lists(instruction))
        for (const std::string& head : heads)
            names.push_back(list.empty() ? head : fmt::format("{} ({})", head, list));
    for (const std::string& head : heads) // of string instructions, whose operands have no choice
        names.push_back(head);
    return names;
}

} // namespace sparsight

#include "domains/blocks/tables/osaca_form.h"

#include "base/text.h"
#include "domains/blocks/tables/instruction_form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace sparsight {
namespace {

/// OSACA's tables have one form for all sizes of general registers. These cost more or less by size.
constexpr std::array<std::string_view, 6> sized_mnemonics{"MOV", "BSWAP", "MUL", "IMUL", "DIV", "IDIV"};

std::string osaca_mnemonic(const Instruction& instruction) {
    if (instruction.mnemonic == "call")
        return "CALL";
    if (instruction.mnemonic == "ret")
        return "RET";
    // A processor without TZCNT executes its bytes as BSF with a prefix that means nothing.
    if (instruction.mnemonic == "tzcnt")
        return "BSF";
    return xed_mnemonic(instruction);
}

bool stays_unfused(const Instruction& instruction, const MemoryAddress& address) {
    const bool is_by_rip = address.base && address.base->whole == "rip";
    return address.index || (is_by_rip && std::ranges::any_of(instruction.operands, [](const Operand& each) {
                                 return each.kind == OperandKind::Immediate;
                             }));
}

std::string class_of(const Instruction& instruction, const Operand& operand) {
    switch (operand.kind) {
    case OperandKind::Register:
        if (operand.reg.whole.starts_with("zmm"))
            return operand.reg.name.substr(0, 3);
        if (operand.reg.name.starts_with("mm"))
            return "mm";
        if (operand.reg.name.starts_with("st"))
            return "st";
        return "gpr";
    case OperandKind::Memory:
        return std::string(stays_unfused(instruction, operand.address) ? unfused_memory : "mem");
    case OperandKind::Immediate:
        return "imm";
    case OperandKind::Target:
        return "identifier";
    }
    return {};
}

/// Three parts to add, or what counts as three: Intel's optimization manual (3.5.1.3, "Using LEA") names
/// base, index and displacement, rbp or r13 as a base with an index, and an address by rip.
bool is_slow_lea(const MemoryAddress& address) {
    if (!address.base)
        return false;
    const bool has_hidden_displacement = address.base->whole == "rbp" || address.base->whole == "r13";
    return address.base->whole == "rip" ||
           (address.index && (address.displacement != 0 || has_hidden_displacement));
}

std::string joined_form(std::string_view mnemonic, std::span<const std::string> classes) {
    return classes.empty() ? std::string(mnemonic) : fmt::format("{} {}", mnemonic, fmt::join(classes, ", "));
}

void add_sized_name(const Instruction& instruction, std::string_view mnemonic,
                    std::span<const std::string> classes, std::vector<std::string>& names) {
    if (std::ranges::find(sized_mnemonics, mnemonic) == sized_mnemonics.end())
        return;
    std::vector<std::string> sized(classes.begin(), classes.end());
    for (std::size_t at = 0; at < sized.size() && at < instruction.operands.size(); ++at) {
        const Operand& operand = instruction.operands[instruction.operands.size() - 1 - at];
        if (operand.kind == OperandKind::Register)
            sized[at] += fmt::format("{}", operand.bits);
        if (operand.kind == OperandKind::Memory)
            sized[at] = fmt::format("mem{}", operand.bits);
    }
    names.push_back(joined_form(mnemonic, sized));
}

} // namespace

std::string osaca_form(std::string_view mnemonic, std::string_view operands) {
    std::string name(mnemonic);
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::vector<std::string> classes;
    while (!operands.empty()) {
        const std::size_t end = std::min(operands.find(','), operands.size());
        const std::string_view word = trimmed(operands.substr(0, end));
        classes.emplace_back(word == "mm0" ? "mm" : word);
        operands.remove_prefix(std::min(end + 1, operands.size()));
    }
    return joined_form(name, classes);
}

std::vector<std::string> osaca_form_names(const Instruction& instruction) {
    const std::string mnemonic = osaca_mnemonic(instruction);
    std::vector<std::string> classes;
    for (const Operand& operand : instruction.operands | std::views::reverse)
        classes.push_back(class_of(instruction, operand));
    std::vector<std::string> names;
    if (mnemonic == "LEA")
        for (const Operand& operand : instruction.operands)
            if (operand.kind == OperandKind::Memory)
                return {is_slow_lea(operand.address) ? "LEA slow" : "LEA mem, gpr"};
    const bool is_by_one = instruction.opcode.ends_with("r1") || instruction.opcode.ends_with("m1");
    if (is_by_one) // a shift or rotation by 1, whose number the text does not have
        classes.insert(classes.begin(), "imm");
    add_sized_name(instruction, mnemonic, classes, names);
    names.push_back(joined_form(mnemonic, classes));
    if (classes.size() == 3 && classes.front() == "xmm") // blendvps: xmm0 is always the third
        names.push_back(joined_form(mnemonic, std::span(classes).subspan(1)));
    const bool is_avx = mnemonic.starts_with('V');
    if (is_avx && classes.size() >= 2) {
        const std::string twin = mnemonic.substr(1);
        names.push_back(joined_form(twin, classes));
        names.push_back(joined_form(twin, std::span(classes).first(classes.size() - 1)));
    }
    if (!classes.empty())
        names.push_back(mnemonic);
    return names;
}

} // namespace sparsight

#include "domains/blocks/code/instruction_classes.h"

#include <algorithm>
#include <initializer_list>

namespace sparsight {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return text.starts_with(part); });
}

bool uses_vectors(const Instruction& instruction) {
    constexpr int general_bits = 64;
    return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
        return operand.kind == OperandKind::Register &&
               (operand.reg.bits > general_bits || operand.reg.whole.starts_with("zmm"));
    });
}

/// What it does beside loads and stores.
InstructionClass work_of(const Instruction& instruction) {
    const std::string_view name = instruction.mnemonic;
    if (begins_with_any(name, {"push", "pop"}) && !name.starts_with("popcnt"))
        return InstructionClass::Stack;
    if (begins_with_any(name, {"j", "call", "ret", "loop"}))
        return InstructionClass::Branch;
    if (has_any(name, {"div", "sqrt"}))
        return InstructionClass::Division;
    if (begins_with_any(name, {"mov", "vmov", "lddqu", "vlddqu"}) || name == "xchg")
        return InstructionClass::Move;
    if (uses_vectors(instruction))
        return InstructionClass::VectorArithmetic;
    if (name.starts_with("mul") || name.starts_with("imul"))
        return InstructionClass::Multiplication;
    if (begins_with_any(name,
                        {"add",    "adc",   "sub",  "sbb",  "inc",   "dec",  "neg",  "not", "and",   "or",
                         "xor",    "cmp",   "test", "lea",  "sh",    "sa",   "ro",   "rc",  "bt",    "bs",
                         "set",    "cmov",  "cdq",  "cqo",  "cwd",   "cdqe", "cwde", "cbw", "tzcnt", "lzcnt",
                         "popcnt", "bswap", "blsr", "blsi", "bextr", "pext", "pdep"}))
        return InstructionClass::Arithmetic;
    return InstructionClass::Other;
}

} // namespace

std::string_view name(InstructionClass of) {
    switch (of) {
    case InstructionClass::Load:
        return "load";
    case InstructionClass::Store:
        return "store";
    case InstructionClass::Move:
        return "move";
    case InstructionClass::Arithmetic:
        return "integer arithmetic";
    case InstructionClass::Multiplication:
        return "integer multiplication";
    case InstructionClass::Division:
        return "division or root";
    case InstructionClass::VectorArithmetic:
        return "vector arithmetic";
    case InstructionClass::Stack:
        return "stack";
    case InstructionClass::Branch:
        return "branch";
    case InstructionClass::Other:
        return "other";
    }
    return {};
}

std::vector<InstructionClass> classes_of(const Instruction& instruction) {
    std::vector<InstructionClass> classes;
    const InstructionClass work = work_of(instruction);
    if (instruction.reads_memory && work != InstructionClass::Stack)
        classes.push_back(InstructionClass::Load);
    if (instruction.writes_memory && work != InstructionClass::Stack)
        classes.push_back(InstructionClass::Store);
    if (classes.empty() || work != InstructionClass::Move) // a load alone is no move of registers
        classes.push_back(work);
    return classes;
}

std::vector<InstructionClass> classes_of(std::span<const Instruction> block) {
    std::vector<InstructionClass> classes;
    for (const Instruction& instruction : block)
        for (const InstructionClass each : classes_of(instruction))
            if (std::ranges::find(classes, each) == classes.end())
                classes.push_back(each);
    std::ranges::sort(classes);
    return classes;
}

} // namespace sparsight

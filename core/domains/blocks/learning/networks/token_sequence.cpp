#include "domains/blocks/learning/networks/token_sequence.h"

#include <algorithm>

namespace sparsight {
namespace {

void add(std::vector<std::string>& tokens, const MemoryAddress& address) {
    tokens.emplace_back("<M>");
    for (const auto& reg : {address.base, address.index, address.segment})
        if (reg)
            tokens.push_back(reg->name);
    if (address.displacement != 0)
        tokens.emplace_back("CONST");
    tokens.emplace_back("</M>");
}

void add(std::vector<std::string>& tokens, const Operand& operand) {
    switch (operand.kind) {
    case OperandKind::Register:
        tokens.push_back(operand.reg.name);
        break;
    case OperandKind::Memory:
        add(tokens, operand.address);
        break;
    case OperandKind::Immediate:
    case OperandKind::Target:
        tokens.emplace_back("CONST");
        break;
    }
}

bool is_listed(const Register& reg) {
    return reg.bits > 0 && reg.whole != "rip";
}

/// rsp of an instruction that moves it; nullptr where there is none.
const Register* moved_stack(const Instruction& instruction) {
    for (const ImplicitRegister& implicit : instruction.implicit)
        if (implicit.reg.whole == "rsp" && implicit.is_written)
            return &implicit.reg;
    return nullptr;
}

bool is_source(const Operand& operand) {
    const bool is_number = operand.kind == OperandKind::Immediate || operand.kind == OperandKind::Target;
    const bool is_address_alone =
        operand.kind == OperandKind::Memory && !operand.is_read && !operand.is_written;
    return operand.is_read || is_number || is_address_alone;
}

enum class Side { Sources, Destinations };

void add_side(std::vector<std::string>& tokens, const Instruction& instruction, Side side) {
    const bool reads = side == Side::Sources;
    bool names_memory = false;
    for (const Operand& operand : instruction.operands)
        if (reads ? is_source(operand) : operand.is_written) {
            add(tokens, operand);
            names_memory = names_memory || operand.kind == OperandKind::Memory;
        }
    for (const ImplicitRegister& implicit : instruction.implicit)
        if ((reads ? implicit.is_read : implicit.is_written) && is_listed(implicit.reg))
            tokens.push_back(implicit.reg.name);
    const Register* const stack = moved_stack(instruction);
    const bool has_memory = reads ? instruction.reads_memory : instruction.writes_memory;
    if (stack != nullptr && has_memory && !names_memory) {
        MemoryAddress top;
        top.base = *stack;
        add(tokens, top);
    }
}

} // namespace

std::vector<std::string> token_sequence(const Instruction& instruction) {
    std::vector<std::string> tokens = instruction.prefixes;
    tokens.push_back(instruction.mnemonic);
    tokens.emplace_back("<S>");
    add_side(tokens, instruction, Side::Sources);
    tokens.emplace_back("<D>");
    add_side(tokens, instruction, Side::Destinations);
    tokens.emplace_back("<E>");
    return tokens;
}

} // namespace sparsight

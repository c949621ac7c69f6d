#include "domains/blocks/models/front_end.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace sparsight {
namespace {

constexpr int decoders = 4;

/// Intel's manual, "macro-fusion".
bool may_fuse_with_branch(const Instruction& instruction) {
    constexpr std::array<std::string_view, 7> mnemonics{"cmp", "test", "add", "sub", "and", "inc", "dec"};
    return !instruction.writes_memory &&
           std::ranges::find(mnemonics, instruction.mnemonic) != mnemonics.end();
}

/// Its byte is that of pop rsp, which needs the first decoder.
bool is_pop_of_r12(const Instruction& instruction) {
    return instruction.mnemonic == "pop" && !instruction.operands.empty() &&
           (instruction.operands.front().reg.name == "r12" || instruction.operands.front().reg.name == "rsp");
}

/// Whether the operand size prefix makes an immediate of 16 bits out of one of 32.
bool has_length_changing_prefix(const Instruction& instruction) {
    constexpr std::array<std::string_view, 11> mnemonics{"adc", "add", "and", "cmp",  "imul", "mov",
                                                         "or",  "sbb", "sub", "test", "xor"};
    constexpr std::array<std::string_view, 5> endings{"16i16", "16ri", "16mi", "16rri", "16rmi"};
    return std::ranges::any_of(
               endings, [&](std::string_view ending) { return instruction.opcode.ends_with(ending); }) &&
           std::ranges::find(mnemonics, instruction.mnemonic) != mnemonics.end();
}

bool is_stack_pointer(const std::optional<Register>& reg) {
    return reg && reg->whole == "rsp";
}

bool names_stack_pointer(const Instruction& instruction) {
    return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
        return operand.kind == OperandKind::Register
                   ? is_stack_pointer(operand.reg)
                   : operand.kind == OperandKind::Memory && is_stack_pointer(operand.address.base);
    });
}

struct DecodedInstruction {
    double micro_operations = 1;
    bool is_never_last = false;
    bool needs_first = false;
    bool ends_group = false;
};

DecodedInstruction decoded(const Instruction& instruction, const InstructionCost* cost,
                           const FrontEnd& front_end) {
    const double count = cost == nullptr ? 1 : cost->decoded;
    const bool is_pop = is_pop_of_r12(instruction);
    return {count, !front_end.has_skylake_decoders && may_fuse_with_branch(instruction), count > 1 || is_pop,
            !front_end.has_skylake_decoders && is_pop};
}

} // namespace

double decode_groups(std::span<const Instruction> block, std::span<const InstructionCost* const> costs,
                     const FrontEnd& front_end) {
    constexpr int first_iterations = 12; // until the groups lie as they stay
    constexpr int counted_iterations = 12;
    std::vector<DecodedInstruction> instructions;
    for (std::size_t at = 0; at < block.size(); ++at)
        instructions.push_back(decoded(block[at], costs[at], front_end));
    double groups = 0;
    int in_group = decoders; // the first instruction opens a group
    for (int iteration = 0; iteration < first_iterations + counted_iterations; ++iteration) {
        if (iteration == first_iterations)
            groups = 0;
        for (const DecodedInstruction& each : instructions) {
            if (in_group >= decoders || each.needs_first ||
                (each.is_never_last && in_group == decoders - 1)) {
                ++groups;
                in_group = 0;
            }
            ++in_group;
            if (each.ends_group)
                in_group = decoders;
            if (each.micro_operations > decoders) { // of microcode, which has the front end for itself
                groups += std::ceil(each.micro_operations / decoders) - 1;
                in_group = decoders;
            }
        }
    }
    return groups / counted_iterations;
}

double fetch_cycles(const DecodedBlock& block, const FrontEnd& front_end) {
    constexpr int most_in_line = 5;
    constexpr int changed_length = 3;
    const auto bytes = static_cast<std::size_t>(front_end.fetched_bytes);
    const std::size_t iterations = bytes; // after which lines begin where the first one did
    std::size_t cycles = 0;
    std::size_t lines = 0;
    std::size_t end = 0;
    int in_line = 0;
    for (std::size_t iteration = 0; iteration < iterations; ++iteration)
        for (const Instruction& instruction : block.instructions) {
            end += instruction.size;
            if (const std::size_t line = (end + bytes - 1) / bytes; line != lines) {
                cycles += line - lines;
                lines = line;
                in_line = 0;
            }
            if (++in_line > most_in_line) {
                ++cycles;
                in_line = 1;
            }
        }
    const auto changed = std::ranges::count_if(block.instructions, has_length_changing_prefix);
    return static_cast<double>(cycles) / static_cast<double>(iterations) +
           static_cast<double>(changed_length * changed);
}

bool is_of_stack_engine(const Instruction& instruction) {
    constexpr std::array<std::string_view, 4> mnemonics{"push", "pop", "call", "ret"};
    return std::ranges::find(mnemonics, instruction.mnemonic) != mnemonics.end();
}

double stack_updates(std::span<const Instruction> block) {
    if (std::ranges::none_of(block, is_of_stack_engine))
        return 0;
    int updates = 0;
    bool is_behind = false;
    for (int iteration = 0; iteration < 2; ++iteration) { // the second one begins as all others do
        updates = 0;
        for (const Instruction& instruction : block) {
            if (is_behind && names_stack_pointer(instruction)) {
                ++updates;
                is_behind = false;
            }
            is_behind = is_behind || is_of_stack_engine(instruction);
        }
    }
    return updates;
}

} // namespace sparsight

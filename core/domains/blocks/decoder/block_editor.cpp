#include "domains/blocks/decoder/block_editor.h"

#include "domains/blocks/decoder/code_target.h"
#include "domains/blocks/decoder/operand_decoding.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <string>
#include <utility>

namespace sparsight {
namespace {

/// What compilers emit most often (of 95 000 blocks of BHive), with two registers to be drawn; a line stands
/// there more than once where it is more frequent.
constexpr std::string_view common_code = R"(
mov rcx, qword ptr [rdx + 8]
mov ecx, dword ptr [rdx + 16]
mov rcx, rdx
mov rcx, rdx
mov ecx, edx
mov ecx, 1
lea rcx, [rdx + 8]
add rcx, 8
add rcx, rdx
sub ecx, 1
and ecx, 7
or ecx, edx
xor ecx, ecx
shl rcx, 3
shr ecx, 2
cmp rcx, rdx
cmp ecx, 4
test rcx, rcx
test ecx, ecx
movzx ecx, byte ptr [rdx]
mov qword ptr [rdx + 24], rcx
)";

/// rsp is left out: what a block keeps on the stack is found by it.
constexpr std::array<std::string_view, 15> general_registers{
    "rax", "rcx", "rdx", "rbx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};

using Names = std::set<std::string, std::less<>>;

Names used_registers(std::span<const Instruction> block) {
    Names used;
    for (const Instruction& instruction : block) {
        for (const ImplicitRegister& implicit : instruction.implicit)
            used.insert(implicit.reg.whole);
        for (const Operand& operand : instruction.operands) {
            if (operand.kind == OperandKind::Register)
                used.insert(operand.reg.whole);
            for (const auto& reg : {operand.address.base, operand.address.index})
                if (reg)
                    used.insert(reg->whole);
        }
    }
    return used;
}

std::vector<std::string> registers_like(std::string_view whole) {
    std::vector<std::string> names;
    if (std::ranges::find(general_registers, whole) != general_registers.end())
        names.assign(general_registers.begin(), general_registers.end());
    else if (whole.starts_with("zmm"))
        for (int number = 0; number < 16; ++number) // those that every encoding knows
            names.push_back(fmt::format("zmm{}", number));
    return names;
}

bool has_high_byte(const Instruction& instruction) {
    return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
        return operand.kind == OperandKind::Register && operand.reg.bits == 8 &&
               operand.reg.name.size() == 2 && operand.reg.name.back() == 'h';
    });
}

} // namespace

struct BlockEditor::State {
    const CodeTarget& target;
    DecodedBlock block;
    std::vector<CodeTarget::Decoded> instructions{};
    std::vector<CodeTarget::Decoded> common{};
    Names used{};

    /// One that the block does not use where there is one, and never `whole`; empty where none is alike.
    [[nodiscard]] std::string other_register(const std::string& whole, const Names& taken,
                                             Random& random) const {
        std::vector<std::string> free;
        std::vector<std::string> others;
        for (std::string& name : registers_like(whole)) {
            if (name == whole)
                continue;
            if (!used.contains(name) && !taken.contains(name))
                free.push_back(name);
            others.push_back(std::move(name));
        }
        const auto& from = free.empty() ? others : free;
        return from.empty() ? std::string() : random.pick(std::span<const std::string>(from));
    }

    /// Of a read after write what is read, otherwise what is written; an operand that is both in any case.
    void rename(llvm::MCInst& instruction, const Dependency& dependency, const std::string& other) const {
        const llvm::MCInstrDesc& meaning = target.instructions().get(instruction.getOpcode());
        const bool renames_reads = dependency.kind == DependencyKind::ReadAfterWrite;
        const auto is_shared = [&](unsigned at) {
            const llvm::MCOperand& operand = instruction.getOperand(at);
            return operand.isReg() && operand.getReg() != 0 &&
                   target.reg(operand.getReg()).whole == dependency.through;
        };
        const auto is_tied = [&](unsigned at) {
            return at < meaning.getNumOperands() &&
                   meaning.getOperandConstraint(at, llvm::MCOI::TIED_TO) >= 0;
        };
        bool has_both = false; // of what is shared: an operand that is read and written
        for (unsigned at = 0; at < instruction.getNumOperands(); ++at)
            has_both = has_both || (is_shared(at) && is_tied(at));
        for (unsigned at = 0; at < instruction.getNumOperands(); ++at) {
            const bool is_written = at < meaning.getNumDefs();
            if (!is_shared(at) || (!has_both && is_written == renames_reads))
                continue;
            llvm::MCOperand& operand = instruction.getOperand(at);
            if (const auto part = target.part(other, target.reg(operand.getReg()).bits))
                operand.setReg(*part);
        }
    }

    void break_in(llvm::MCInst& instruction, const Instruction& meaning, const Dependency& dependency,
                  Names& taken, Random& random) const {
        if (dependency.through == "memory")
            return move_address(instruction);
        if (has_high_byte(meaning)) // which has no room for registers of 64 bits
            return;
        const std::string other = other_register(dependency.through, taken, random);
        if (other.empty())
            return;
        taken.insert(other);
        rename(instruction, dependency, other);
    }

    /// By a page that nothing else of the block is on.
    void move_address(llvm::MCInst& instruction) const {
        constexpr std::int64_t far_away = 0x10000;
        const llvm::MCInstrDesc& meaning = target.instructions().get(instruction.getOpcode());
        for (unsigned at = 0; at + 4 < instruction.getNumOperands() && at < meaning.getNumOperands(); ++at)
            if (meaning.operands()[at].OperandType == llvm::MCOI::OPERAND_MEMORY) {
                llvm::MCOperand& displacement = instruction.getOperand(at + 3);
                if (displacement.isImm())
                    displacement.setImm(displacement.getImm() + far_away);
                return;
            }
    }

    [[nodiscard]] CodeTarget::Decoded common_instruction(Names& taken, Random& random) const {
        CodeTarget::Decoded drawn = common[random.below(common.size())];
        // Both at once, as the first one drawn may be the second one's name.
        const std::string target_name = other_register("rcx", taken, random);
        taken.insert(target_name);
        const std::string source_name = other_register("rdx", taken, random);
        for (llvm::MCOperand& operand : drawn.instruction)
            if (operand.isReg() && operand.getReg() != 0) {
                const Register& reg = target.reg(operand.getReg());
                const std::string& name = reg.whole == "rcx" ? target_name : source_name;
                if (reg.whole == "rcx" || reg.whole == "rdx")
                    if (const auto part = target.part(name, reg.bits))
                        operand.setReg(*part);
            }
        return drawn;
    }
};

BlockEditor::BlockEditor(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
BlockEditor::~BlockEditor() = default;
BlockEditor::BlockEditor(BlockEditor&&) noexcept = default;
BlockEditor& BlockEditor::operator=(BlockEditor&&) noexcept = default;

Result<BlockEditor> BlockEditor::make(const BlockDecoder& decoder, std::span<const std::uint8_t> code) {
    const CodeTarget& target = decoder.target();
    auto state = std::make_unique<State>(State{target, {{code.begin(), code.end()}, {}}});
    auto instructions = decoder.decode(code);
    if (!instructions)
        return std::unexpected(std::move(instructions).error());
    state->block.instructions = *std::move(instructions);
    state->used = used_registers(state->block.instructions);
    for (const Instruction& instruction : state->block.instructions)
        state->instructions.push_back(*target.decode(code, instruction.offset));
    const auto common = decoder.assemble(common_code, AssemblySyntax::Intel);
    if (!common)
        return std::unexpected(common.error());
    for (std::size_t offset = 0; offset < common->size();) {
        const auto decoded = target.decode(*common, offset);
        if (!decoded)
            return std::unexpected(decoded.error());
        state->common.push_back(*decoded);
        offset += decoded->size;
    }
    return BlockEditor(std::move(state));
}

const DecodedBlock& BlockEditor::block() const {
    return state_->block;
}

DecodedBlock BlockEditor::changed(const BlockChange& change, Random& random) const {
    DecodedBlock result;
    Names taken;
    for (std::size_t at = 0; at < state_->instructions.size(); ++at) {
        if (change.is_left_out[at])
            continue;
        CodeTarget::Decoded instruction = state_->instructions[at];
        if (change.is_replaced[at])
            instruction = state_->common_instruction(taken, random);
        else
            for (const Dependency& dependency : change.broken)
                if (dependency.to == at && !change.is_left_out[dependency.from] &&
                    !change.is_replaced[dependency.from])
                    state_->break_in(instruction.instruction, state_->block.instructions[at], dependency,
                                     taken, random);
        const MachineCode bytes = state_->target.encode(instruction);
        const auto decoded = state_->target.decode(bytes, 0);
        if (!decoded) // an opcode without an encoding of its own
            continue;
        result.instructions.push_back(to_instruction(state_->target, *decoded, result.code.size()));
        result.code.insert(result.code.end(), bytes.begin(), bytes.end());
    }
    return result;
}

} // namespace sparsight

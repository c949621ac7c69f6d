#include "domains/blocks/decoder/block_decoder.h"

#include "domains/blocks/decoder/code_target.h"
#include "domains/blocks/decoder/operand_decoding.h"
#include "domains/blocks/decoder/text_assembly.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

/// What makes an assembler choose an encoding that it would not choose by itself.
constexpr std::array<std::string_view, 6> encoding_marks{"{load} ",   "{vex3} ",  "{evex} ",
                                                         "{disp32} ", "{disp8} ", "data16 "};

/// Other texts for the same instruction, of which each asks for another encoding.
std::vector<std::string> other_forms(const std::string& text, std::span<const std::uint8_t> code) {
    std::vector<std::string> forms;
    for (const std::string_view mark : encoding_marks)
        forms.push_back(std::string(mark) + text);
    // Compilers align loops with a long no-op, whose prefixes of 16 bits precede the segment's.
    std::string prefixes;
    for (const std::uint8_t byte : code) {
        if (byte != 0x66)
            break;
        prefixes += "data16 ";
    }
    for (const auto& [narrow, wide] :
         {std::pair<std::string_view, std::string_view>("nopw ", "nopl "), {"nop word ptr", "nop dword ptr"}})
        if (text.starts_with(narrow))
            forms.push_back(fmt::format("{}{{disp32}} {}{}", prefixes, wide, text.substr(narrow.size())));
    return forms;
}

/// Branches name a place, not the distance that LLVM prints: "jne .+4".
std::string with_target(const std::string& text, const Instruction& instruction) {
    for (const Operand& operand : instruction.operands)
        if (operand.kind == OperandKind::Target) {
            const std::size_t blank = text.find_last_of(' ');
            const auto distance = operand.value + static_cast<std::int64_t>(instruction.size);
            return fmt::format("{} .{:+}", text.substr(0, blank), distance);
        }
    return text;
}

} // namespace

struct BlockDecoder::State {
    std::unique_ptr<CodeTarget> target;

    [[nodiscard]] bool makes(const std::string& text, AssemblySyntax syntax,
                             std::span<const std::uint8_t> code) const {
        const auto assembled = assemble_text(*target, text, syntax);
        return assembled && std::ranges::equal(*assembled, code);
    }

    [[nodiscard]] std::string exact_text(std::span<const std::uint8_t> code, const std::string& text,
                                         AssemblySyntax syntax) const {
        if (makes(text, syntax, code))
            return text;
        for (const std::string& other : other_forms(text, code))
            if (makes(other, syntax, code))
                return other;
        return text;
    }
};

BlockDecoder::BlockDecoder(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
BlockDecoder::~BlockDecoder() = default;
BlockDecoder::BlockDecoder(BlockDecoder&&) noexcept = default;
BlockDecoder& BlockDecoder::operator=(BlockDecoder&&) noexcept = default;

Result<BlockDecoder> BlockDecoder::make() {
    auto target = CodeTarget::make();
    if (!target)
        return std::unexpected(std::move(target).error());
    return BlockDecoder(std::make_unique<State>(*std::move(target)));
}

const CodeTarget& BlockDecoder::target() const {
    return *state_->target;
}

Result<std::vector<Instruction>> BlockDecoder::decode(std::span<const std::uint8_t> code) const {
    std::vector<Instruction> instructions;
    for (std::size_t offset = 0; offset < code.size();) {
        const auto decoded = state_->target->decode(code, offset);
        if (!decoded)
            return std::unexpected(decoded.error());
        if (instructions.size() == most_instructions)
            return fail(Fault::Limit, fmt::format("found more than {} instructions, expected a basic block",
                                                  most_instructions));
        instructions.push_back(to_instruction(*state_->target, *decoded, offset));
        offset += decoded->size;
    }
    return instructions;
}

Result<std::string> BlockDecoder::print(std::span<const std::uint8_t> code, AssemblySyntax syntax) const {
    std::vector<std::string> lines;
    std::vector<Instruction> instructions;
    std::string text;
    for (std::size_t offset = 0; offset < code.size();) {
        const auto decoded = state_->target->decode(code, offset);
        if (!decoded)
            return std::unexpected(decoded.error());
        instructions.push_back(to_instruction(*state_->target, *decoded, offset));
        lines.push_back(with_target(state_->target->print(*decoded, syntax), instructions.back()));
        text += lines.back() + "\n";
        offset += decoded->size;
    }
    if (state_->makes(text, syntax, code))
        return text;
    text.clear();
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const Instruction& instruction = instructions[at];
        text += state_->exact_text(code.subspan(instruction.offset, instruction.size), lines[at], syntax);
        text += '\n';
    }
    return text;
}

Result<MachineCode> BlockDecoder::assemble(std::string_view text, AssemblySyntax syntax) const {
    return assemble_text(*state_->target, text, syntax);
}

} // namespace sparsight

#include "domains/blocks/models/learned_model.h"

#include "domains/blocks/code/instruction_bytes.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

/// Before every answer with numbers; one that begins otherwise is an error's text.
constexpr std::string_view form_of_answers = "sparsight cycles 1\n";

/// The number of blocks, their codes a line each, and the decoded instructions.
std::string question_of(std::span<const DecodedBlock> blocks) {
    std::string question = fmt::format("{}\n", blocks.size());
    for (const DecodedBlock& block : blocks)
        question += to_hex(block.code) + '\n';
    for (const DecodedBlock& block : blocks)
        append(question, block.instructions);
    return question;
}

std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

template <typename Number>
bool read(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

std::unexpected<Error> other_version() {
    return fail(Fault::Environment, "sparsight-learn, which computes the model, is of another version");
}

Result<std::vector<DecodedBlock>> parse_question(std::string_view question) {
    std::size_t count = 0;
    if (!read(next_line(question), count) || count > question.size())
        return other_version();
    std::vector<DecodedBlock> blocks(count);
    for (DecodedBlock& block : blocks) {
        auto code = parse_hex(next_line(question));
        if (!code)
            return std::unexpected(std::move(code).error());
        block.code = *std::move(code);
    }
    auto decoded = parse_decoded(question);
    if (!decoded)
        return std::unexpected(std::move(decoded).error());
    if (decoded->size() != count)
        return other_version();
    for (std::size_t at = 0; at < count; ++at) {
        if (!(*decoded)[at])
            return std::unexpected((*decoded)[at].error());
        blocks[at].instructions = *std::move((*decoded)[at]);
    }
    return blocks;
}

} // namespace

Result<std::unique_ptr<const LearnedBlockModel>>
LearnedBlockModel::start(const std::string& workspace, const std::string& model, const std::string& machine) {
    const auto program = find_sparsight_program("sparsight-learn", "which computes learned models");
    if (!program)
        return std::unexpected(program.error());
    auto helper = HelperProcess::start(*program, {std::string(block_cycles_command), "--workspace", workspace,
                                                  "--model", model, "--machine", machine});
    if (!helper)
        return std::unexpected(std::move(helper).error());
    return std::unique_ptr<const LearnedBlockModel>(new LearnedBlockModel(*std::move(helper)));
}

Result<std::vector<double>> LearnedBlockModel::cycles(std::span<const DecodedBlock> blocks) const {
    const std::scoped_lock lock(mutex_);
    const auto answer = helper_.ask(question_of(blocks));
    if (!answer)
        return std::unexpected(answer.error());
    std::string_view rest = *answer;
    if (!rest.starts_with(form_of_answers))
        return fail(Fault::Input, *answer);
    rest.remove_prefix(form_of_answers.size());
    std::vector<double> cycles(blocks.size());
    for (double& each : cycles)
        if (!read(next_line(rest), each))
            return other_version();
    return cycles;
}

std::string answer_model_question(std::string_view question, const PredictDecoded& predict) {
    const auto blocks = parse_question(question);
    if (!blocks)
        return blocks.error().message;
    const auto cycles = predict(*blocks);
    if (!cycles)
        return cycles.error().message;
    std::string answer(form_of_answers);
    for (const double each : *cycles)
        answer += fmt::format("{}\n", each);
    return answer;
}

} // namespace sparsight

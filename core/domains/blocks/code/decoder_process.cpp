#include "domains/blocks/code/decoder_process.h"

#include "domains/blocks/code/instruction_bytes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t blocks_a_question = 10'000; // some 15 MB of answer
/// Before every answer; another one is of another version.
constexpr std::string_view form_of_answers = "sparsight blocks 1\n";

/// A block a line.
std::string question_of(std::span<const MachineCode> codes) {
    std::string question;
    for (const MachineCode& code : codes)
        question += to_hex(code) + '\n';
    return question;
}

Result<std::vector<Decoded>> ask(HelperProcess& helper, std::span<const MachineCode> codes) {
    const auto answer = helper.ask(question_of(codes));
    if (!answer)
        return std::unexpected(answer.error());
    if (!answer->starts_with(form_of_answers))
        return fail(Fault::Environment, "sparsight-cli, which decodes machine code, is of another version");
    auto decoded = parse_decoded(std::string_view(*answer).substr(form_of_answers.size()));
    if (decoded && decoded->size() != codes.size())
        return fail(Fault::Internal, "sparsight-cli has decoded other blocks than those asked for");
    return decoded;
}

} // namespace

Result<std::vector<Result<DecodedBlock>>> DecoderProcess::decode(std::span<const MachineCode> codes) {
    const std::scoped_lock lock(mutex_);
    std::vector<Result<DecodedBlock>> blocks;
    bool was_tried_again = false;
    while (!codes.empty()) {
        if (!helper_) {
            const auto program = find_sparsight_program("sparsight-cli", "which decodes machine code");
            if (!program)
                return std::unexpected(program.error());
            auto started = HelperProcess::start(*program, {"block", "decode"});
            if (!started)
                return std::unexpected(std::move(started).error());
            helper_ = *std::move(started);
        }
        const auto some = codes.first(std::min(codes.size(), blocks_a_question));
        auto decoded = ask(*helper_, some);
        if (!decoded) {
            helper_.reset();
            if (std::exchange(was_tried_again, true))
                return std::unexpected(std::move(decoded).error());
            continue; // somebody may have ended it since the last question
        }
        for (std::size_t at = 0; at < some.size(); ++at) {
            if ((*decoded)[at])
                blocks.emplace_back(DecodedBlock{some[at], *std::move((*decoded)[at])});
            else
                blocks.emplace_back(std::unexpected(std::move((*decoded)[at]).error()));
        }
        codes = codes.subspan(some.size());
    }
    return blocks;
}

std::string
answer_decoder_question(std::string_view question,
                        const std::function<Result<std::vector<Instruction>>(const MachineCode&)>& decode) {
    std::string answer(form_of_answers);
    while (!question.empty()) {
        const std::size_t end = std::min(question.find('\n'), question.size());
        const auto code = parse_hex(question.substr(0, end));
        append(answer, code ? decode(*code) : std::unexpected(code.error()));
        question.remove_prefix(std::min(end + 1, question.size()));
    }
    return answer;
}

} // namespace sparsight

#include "cli/blocks/block_commands.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/code/decoder_process.h"

#include <CLI/CLI.hpp>

namespace sparsight {
namespace {

constexpr CommandHelp decode_help{.description = R"(
Decodes blocks for another program of Sparsight, which starts this command and asks it
by standard input. For people there is `block show`.)",
                                  .examples = R"(
sparsight-cli block decode < /dev/null)",
                                  .json = R"(
None: the answers are bytes for a program of the same version.)"};

ExitCode answer(Session& session) {
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return session.refuse(decoder.error());
    const auto decode = [&](const MachineCode& code) { return decoder->decode(code); };
    if (answer_questions(
            [&](std::string_view question) { return answer_decoder_question(question, decode); }))
        return ExitCode::Done;
    return session.refuse({Fault::Input,
                           "standard input has no question of a program of Sparsight: `block show` decodes a "
                           "block for you",
                           {},
                           0},
                          ExitCode::Usage);
}

} // namespace

void add_block_decode(CLI::App& block, Session& session) {
    CLI::App& command =
        add_command(block, "decode", "Decode blocks for another program of Sparsight", decode_help);
    set_action(command, session, [&session] { return answer(session); });
}

} // namespace sparsight

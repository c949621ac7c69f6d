#include "cli/blocks/block_commands.h"

#include "base/files.h"
#include "base/text.h"
#include "cli/blocks/study_command.h"
#include "command/program.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/decoder/object_code.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>

namespace sparsight {
namespace {

constexpr CommandHelp block_help{.description = R"(
Looks at basic blocks of x86-64 machine code: their instructions, what they wait for, how
many cycles they take, and why a cost model says so.)",
                                 .examples = R"(
sparsight-cli block show 4801d8480fafc3
sparsight-cli block show 'mov rax, qword ptr [rbx]; add rax, 1'
sparsight-cli block explain 4801d8480fafc3 --table throughputs.csv)",
                                 .json = {}};

Error in_file(Error error, const std::string& file) {
    if (file.empty())
        return error;
    error.file = file;
    error.line = 0; // the message names it
    return error;
}

void add_block_command(CLI::App& app, Session& session, const MeasuringDomains& /*measuring*/) {
    CLI::App& block = add_command(app, "block", "Look at a basic block of machine code", block_help);
    block.require_subcommand(1);
    add_block_show(block, session);
    add_block_bound(block, session);
    add_block_explain(block, session);
    add_block_predict(block, session);
    add_block_simulate(block, session);
    add_block_errors(block, session);
    add_block_decode(block, session);
    add_block_answer_simulations(block, session);
}

void add_block_commands(CLI::App& app, Session& session, const MeasuringDomains& measuring) {
    add_block_command(app, session, measuring);
    add_import_blocks(app, session, make_block_importer());
    for (CLI::App* const command :
         app.get_subcommands([](const CLI::App* each) { return each->get_name() == "experiment"; }))
        add_block_study(*command, session);
}

} // namespace

void add_block_options(CLI::App& command, GivenBlock& given) {
    command
        .add_option(
            "code", given.code,
            "machine code as hexadecimal digits, assembly with ; between\ninstructions, a file of either, or "
            "an object file")
        ->type_name("CODE")
        ->required();
    command
        .add_option("--function", given.function, "of an object file: the function (default: its only one)")
        ->type_name("NAME");
    command.add_flag("--att", given.is_att, "assembly is in AT&T's syntax (default: Intel's)");
}

Result<MachineCode> read_block(const BlockDecoder& decoder, const GivenBlock& given) {
    std::string text = given.code;
    std::string file;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(given.code, ignored)) {
        constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20; // of a large object file
        auto content = read_whole_file(given.code, most_bytes);
        if (!content)
            return std::unexpected(std::move(content).error());
        text = *std::move(content);
        file = given.code;
        if (is_object_file(text)) {
            auto code = read_object_code(text, given.function);
            if (!code)
                return std::unexpected(in_file(std::move(code).error(), file));
            return code;
        }
    }
    if (is_hex(text)) {
        auto code = parse_hex(text);
        if (!code)
            return std::unexpected(in_file(std::move(code).error(), file));
        return code;
    }
    if (file.empty()) // in a file a semicolon may stand in a comment
        std::ranges::replace(text, ';', '\n');
    auto code = decoder.assemble(text, given.is_att ? AssemblySyntax::Att : AssemblySyntax::Intel);
    if (!code)
        return std::unexpected(in_file(std::move(code).error(), file));
    return code;
}

void add_blocks(CommandLine& program) {
    (void)program.domains.add(make_blocks_domain()); // each has a name of its own
    program.importers.push_back(make_block_importer());
    program.commands.push_back(&add_block_commands);
}

} // namespace sparsight

#include "cli/commands.h"
#include "cli/matrix_source.h"
#include "command/command.h"
#include "command/options.h"
#include "command/session.h"
#include "schedule/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>

namespace sparsight {

namespace {

constexpr CommandHelp schedules_check_help{.description = R"(
Says which SuperSchedules are valid and what is wrong with the others. Each
argument is a file, or else a schedule on one line (quote it). In files, lines
may end in " = milliseconds", as collected data have them; blank lines are passed
over. Exit code 1 when one is not valid.)",
                           .examples = R"(
sparsight-cli schedules check schedules.txt --operator spmm
sparsight-cli schedules check '1 32 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 2 32')",
                           .json = R"(
{"valid": NUMBER, "invalid": [{"file", "line", "error"}]}
file and line are null for a schedule on the command line.)"};

struct CheckOptions {
    Operator op = Operator::SpMM;
    std::vector<std::string> arguments;
};

struct Verdicts {
    std::int64_t valid = 0;
    std::vector<Error> invalid;
};

Result<void> check_line(Operator op, std::string_view line) {
    if (line.find('=') != std::string_view::npos) {
        if (const auto parsed = parse_schedule_runtime(op, line); !parsed)
            return std::unexpected(parsed.error());
        return {};
    }
    if (const auto parsed = parse_schedule(op, line); !parsed)
        return std::unexpected(parsed.error());
    return {};
}

void check_file(Operator op, const std::string& file, Verdicts& verdicts) {
    std::ifstream stream(file);
    std::int64_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        if (const auto checked = check_line(op, line))
            ++verdicts.valid;
        else
            verdicts.invalid.push_back({Fault::Input, checked.error().message, file, number});
    }
    if (!stream.eof())
        verdicts.invalid.push_back({Fault::Environment, "the file can't be read", file, 0});
}

void check_argument(Operator op, const std::string& argument, Verdicts& verdicts) {
    const bool is_line = argument.find(' ') != std::string::npos;
    std::error_code ignored;
    if (std::filesystem::exists(argument, ignored))
        check_file(op, argument, verdicts);
    else if (!is_line)
        verdicts.invalid.push_back({Fault::Environment, "there is no such file", argument, 0});
    else if (const auto checked = check_line(op, argument))
        ++verdicts.valid;
    else
        verdicts.invalid.push_back(checked.error());
}

ExitCode check_all(Session& session, const CheckOptions& options) {
    Verdicts verdicts;
    for (const std::string& argument : options.arguments)
        check_argument(options.op, argument, verdicts);
    Json json{{"valid", verdicts.valid}, {"invalid", Json::array()}};
    for (const Error& error : verdicts.invalid) {
        session.complain(error);
        json["invalid"].push_back(failure_json(error));
    }
    if (session.options.json)
        session.print_json(json);
    else
        session.print(fmt::format("{} valid, {} not valid\n", verdicts.valid, verdicts.invalid.size()));
    return verdicts.invalid.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_schedules_check(CLI::App& schedules, Session& session) {
    CLI::App& command = add_command(schedules, "check", "Say which schedules are valid", schedules_check_help);
    const auto options = std::make_shared<CheckOptions>();
    command.add_option("schedules", options->arguments, "files of schedules, or schedules")
        ->type_name("FILE|LINE")
        ->required();
    add_operator_option(command, options->op);
    set_action(command, session, [&session, options] { return check_all(session, *options); });
}

} // namespace sparsight

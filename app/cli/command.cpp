#include "cli/command.h"

#include "cli/options.h"
#include "cli/session.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

std::string_view without_outer_newlines(std::string_view text) {
    while (text.starts_with('\n'))
        text.remove_prefix(1);
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    return text;
}

void add_section(std::string& page, std::string_view title, std::string_view text) {
    if (text.empty())
        return;
    page += fmt::format("{}:\n", title);
    std::string_view rest = without_outer_newlines(text);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        page += line.empty() ? "\n" : fmt::format("  {}\n", line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    page += "\n";
}

} // namespace

CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                      const CommandHelp& help) {
    CLI::App* command = parent.add_subcommand(name, summary);
    std::string page;
    add_section(page, "Description", help.description);
    add_section(page, "Examples", help.examples);
    add_section(page, "JSON (--json)", help.json);
    page += "Every command also takes --workspace FILE, --json, --seed N and --quiet; `sparsight-cli --help` "
            "explains\n"
            "them and the exit codes.";
    command->footer(page);
    command->group("Commands");
    return *command;
}

void set_action(CLI::App& command, Session& session, std::function<ExitCode()> action) {
    command.callback([&command, &session, action = std::move(action)] {
        remark_on_unused_dense(command, session);
        session.set_exit_code(action());
    });
}

} // namespace sparsight

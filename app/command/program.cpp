#include "command/program.h"

#include "base/names.h"
#include "base/text.h"
#include "command/config_file.h"
#include "command/options.h"
#include "command/session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view written_name = "sparsight-cli";

std::string_view without_outer_newlines(std::string_view text) {
    while (text.starts_with('\n'))
        text.remove_prefix(1);
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    return text;
}

} // namespace

std::string help_section(std::string_view title, std::string_view text) {
    if (text.empty())
        return {};
    std::string section = fmt::format("{}:\n", title);
    std::string_view rest = without_outer_newlines(text);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        section += line.empty() ? "\n" : fmt::format("  {}\n", line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return section + "\n";
}

std::string in_the_name_of(std::string_view program, std::string text) {
    for (std::size_t at = text.find(written_name); at != std::string::npos;
         at = text.find(written_name, at + program.size()))
        text.replace(at, written_name.size(), program);
    return text;
}

namespace {

std::string name_of_program(const CLI::App& command) {
    const CLI::App* root = &command;
    while (root->get_parent() != nullptr)
        root = root->get_parent();
    return root->get_name();
}

} // namespace

namespace {

std::string events_section(std::string_view own) {
    if (own.empty())
        return {};
    std::string text = fmt::format("\nOne JSON object a line on stdout, as it happens:\n{}\n"
                                   R"({{"event": "progress", "stage", "done", "total", "seconds_left"}})",
                                   without_outer_newlines(own));
    if (own.find(R"("event": "end")") == std::string_view::npos)
        text += "\n"
                R"({"event": "end", and what --json prints, "seconds", "complete", "stopped"})";
    return help_section("Events (--progress json)",
                        text + "\n"
                               R"({"event": "error", "file", "line", "error", "stopped"})");
}

} // namespace

CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                      const CommandHelp& help) {
    CLI::App* command = parent.add_subcommand(name, summary);
    const std::string page = help_section("Description", help.description) +
                             help_section("Examples", help.examples) +
                             help_section("JSON (--json)", help.json) + events_section(help.events) +
                             "Every command also takes --workspace FILE, --config FILE, --json, --seed N and "
                             "--quiet; `sparsight-cli\n--help` explains them and the exit codes.";
    command->footer(in_the_name_of(name_of_program(parent), page));
    command->group("Commands");
    return *command;
}

namespace {

sigset_t interrupts() {
    sigset_t signals{};
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM})
        sigaddset(&signals, signal);
    return signals;
}

/// False: one of them arrived while they were held.
bool release_interrupts() {
    sigset_t arrived{};
    sigpending(&arrived);
    if (sigismember(&arrived, SIGINT) == 1 || sigismember(&arrived, SIGTERM) == 1)
        return false;
    const sigset_t signals = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    return true;
}

} // namespace

void hold_interrupts() {
    const sigset_t signals = interrupts();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void set_action(CLI::App& command, Session& session, std::function<ExitCode()> action) {
    command.callback([&command, &session, action = std::move(action)] {
        if (!release_interrupts())
            return session.set_exit_code(
                session.refuse({Fault::Cancelled, "stopped before it began", {}, 0}));
        remark_on_unused_options(command, session);
        session.set_exit_code(action());
    });
}

namespace {

constexpr std::string_view about_all_commands =
    R"(The options above may stand before or after the command. The default workspace is
./workspace.sparsight.

Output:
  Results go to stdout; errors, remarks and progress go to stderr. --json prints one JSON value on
  stdout and nothing else: the one that the command's help shows or, if the command failed as a
  whole, {"error": {"file", "line", "message"}}. Errors read "sparsight-cli: error: FILE:LINE: TEXT".

Exit codes:
  0    done
  1    some or all of the input could not be used; that is listed, and the rest is done
  2    the command line is wrong; nothing was done
  3    the workspace is missing, foreign, locked, damaged, or can't be written
  130  stopped by Ctrl-C or SIGTERM; what was finished is kept)";

/// Not CLI11's own reading of numbers, which wraps around.
std::string defect_of_seed(const std::string& text) {
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seed);
    if (error == std::errc() && stop == end)
        return {};
    return fmt::format("'{}' is no seed: expected a whole number from 0 to {}", text, UINT64_MAX);
}

CLI::App& chosen_command(CLI::App& app) {
    CLI::App* command = &app;
    while (!command->get_subcommands().empty())
        command = command->get_subcommands().front();
    return *command;
}

/// Its options are the last that are read, and the first that are checked: what is required may stand in the
/// file.
void add_config_option(CLI::App& app) {
    app.add_option(
           "--config",
           [&app](const CLI::results_t& words) {
               CLI::App& command = chosen_command(app);
               // Options of the command are read behind this one.
               if (CLI::Option* const own =
                       &command == &app ? nullptr : command.get_option_no_throw("--config"))
                   own->add_result(words.front());
               else if (auto applied = apply_config_file(command, words.front()); !applied)
                   throw ConfigError(std::move(applied).error());
               return true;
           },
           "a TOML file with options of the command, with underscores\n(again = true is --again); the "
           "command line comes first")
        ->type_name("FILE");
}

void add_global_options(CLI::App& app, GlobalOptions& options) {
    app.add_option("--workspace", options.workspace, "the workspace file (default: $SPARSIGHT_WORKSPACE)")
        ->type_name("FILE");
    app.add_flag("--json", options.json, "print JSON instead of text");
    app.add_option("--seed", options.seed, "seed of all random numbers (default 1)")
        ->type_name("N")
        ->check(&defect_of_seed);
    app.add_flag("--quiet", options.quiet, "no progress and no remarks, only results and errors");
    add_config_option(app);
}

/// An empty name, as of a shell's variable that is not set, does not mean what is meant without the option. A
/// blank one can't be seen.
void refuse_empty_names(CLI::App& command) {
    for (CLI::Option* const option : command.get_options())
        if (option->check_name("--machine") || option->check_name("machine") || option->check_name("--name"))
            option->check([](const std::string& name) {
                return std::string(name.empty()            ? "expected a name, but it is empty"
                                   : trimmed(name).empty() ? "expected a name that is more than blanks"
                                                           : "");
            });
    for (CLI::App* const each : command.get_subcommands([](CLI::App*) { return true; }))
        refuse_empty_names(*each);
}

/// Of the innermost command that was understood, the word behind it, which is none of its commands.
std::optional<std::string> about_unknown_command(const CLI::App& app) {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty())
        command = command->get_subcommands().front();
    const std::vector<std::string> words = app.remaining(true);
    const auto word =
        std::ranges::find_if(words, [](const std::string& each) { return !each.starts_with('-'); });
    if (word == words.end())
        return std::nullopt;
    std::string text = fmt::format("there is no command '{}'", *word);
    for (const CLI::App* known : command->get_subcommands([](const CLI::App*) { return true; }))
        if (edit_distance(*word, known->get_name()) <= 2)
            return text + fmt::format("; did you mean '{}'?", known->get_name());
    return text;
}

ExitCode run(CLI::App& app, Session& session, int argc, char** argv) {
    try {
        app.parse(argc, argv);
        return session.exit_code();
    } catch (const CLI::Success& help_or_version) {
        return static_cast<ExitCode>(app.exit(help_or_version));
    } catch (const ConfigError& error) {
        session.options.json = asks_for_json(argc, argv);
        return session.refuse(error.error(), ExitCode::Usage);
    } catch (const CLI::ParseError& error) {
        session.options.json = asks_for_json(argc, argv);
        const bool lacks_command = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
        const std::string what =
            (lacks_command ? about_unknown_command(app) : std::nullopt).value_or(error.what());
        const ExitCode code = session.refuse({Fault::Input, what, {}, 0}, ExitCode::Usage);
        session.remark(fmt::format("`{} --help` and `{} COMMAND --help` tell how it is used",
                                   session.program(), session.program()));
        return code;
    } catch (const std::bad_alloc&) {
        return session.refuse({Fault::Limit, "there is not enough memory", {}, 0});
    } catch (const std::exception& error) {
        return session.refuse({Fault::Internal, fmt::format("internal error: {}", error.what()), {}, 0});
    }
}

} // namespace

int run_program(const Program& program, DomainRegistry domains, int argc, char** argv) {
    Session session(program.name, std::move(domains));
    CLI::App app(std::string(program.description), program.name);
    app.footer(in_the_name_of(program.name,
                              help_section("Examples", program.examples) + std::string(about_all_commands)));
    app.get_formatter()->column_width(32);
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.set_version_flag("--version", session.program_version(), "print the version");
    app.fallthrough();
    app.require_subcommand(1);
    add_global_options(app, session.options);
    program.add_commands(app, session);
    refuse_empty_names(app);

    const ExitCode code = run(app, session, argc, argv);
    if (!session.flush_output()) {
        session.complain({Fault::Environment, "the results can't be written to stdout", {}, 0});
        return static_cast<int>(ExitCode::SomeFailed);
    }
    return static_cast<int>(code);
}

bool asks_for_json(int argc, char** argv) {
    return std::any_of(argv, argv + argc,
                       [](const char* word) { return std::string_view(word) == "--json"; });
}

std::string called_name(int argc, char** argv) {
    return argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string();
}

} // namespace sparsight

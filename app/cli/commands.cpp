#include "cli/commands.h"

#include "base/process.h"
#include "command/learn_program.h"
#include "command/program.h"
#include "command/session.h"
#include "workflow/process/learn_process.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace sparsight {

namespace {

constexpr std::string_view program_description =
    "Finds the fastest way to run a computation on a machine, shows why it is the fastest, and learns\n"
    "to choose for workloads that it never saw: sparse matrices, and tuning records of any kernel.";

constexpr std::string_view program_examples = R"(
sparsight-cli new experiment.sparsight
export SPARSIGHT_WORKSPACE=experiment.sparsight
sparsight-cli import matrices/*.mtx.gz                        # sparse matrices …
sparsight-cli collect --operator spmm --schedules 100
sparsight-cli import --domain records gemm.csv.xz             # … or tuning records
sparsight-cli results --best
sparsight-cli train --name first
sparsight-cli search --model first --workload bcsstk17)";

void add_commands(CLI::App& app, Session& session, const CommandLine& program) {
    add_new_command(app, session);
    add_import_command(app, session, program.importers);
    add_machine_command(app, session);
    add_collect_command(app, session, program.measuring);
    add_evaluate_command(app, session, program.measuring, program.simulating);
    add_whatif_command(app, session, program.what_ifs);
    add_failures_command(app, session, program.diagnosing);
    add_report_command(app, session, program.diagnosing);
    add_results_command(app, session);
    add_export_command(app, session);
    add_learner_commands(app);
    for (const auto add : program.commands)
        add(app, session, program.measuring);
}

} // namespace

int run_command_line(CommandLine&& program, int argc, char** argv) {
    const std::string name = "sparsight-cli";
    if (is_for_learner(argc, argv)) {
        Session session(name);
        session.options.json = asks_for_json(argc, argv);
        return become_learner(session, argv);
    }
    return run_program({name, program_description, program_examples,
                        [&](CLI::App& app, Session& session) { add_commands(app, session, program); }},
                       std::move(program.domains), argc, argv);
}

namespace {

/// The first word that is neither an option of all commands (session.h: GlobalOptions) nor the value of one.
std::string_view first_command(int argc, char** argv) {
    for (int place = 1; place < argc; ++place) {
        const std::string_view word = argv[place];
        if (word == "--workspace" || word == "--seed" || word == "--config")
            ++place;
        else if (!word.starts_with('-'))
            return word;
    }
    return {};
}

} // namespace

void add_learner_commands(CLI::App& app) {
    for (const CommandSummary& command : learner_commands)
        app.add_subcommand(std::string(command.name), std::string(command.summary))->group("Commands");
}

bool is_for_learner(int argc, char** argv) {
    return std::ranges::count(learner_commands, first_command(argc, argv), &CommandSummary::name) > 0;
}

int become_learner(Session& session, char** argv) {
    const auto program = find_learner();
    if (!program)
        return static_cast<int>(session.refuse(program.error()));
    improve_library_settings(); // else it would load its libraries twice
    ::execv(program->c_str(), argv);
    const int why = errno;
    return static_cast<int>(session.refuse(
        {Fault::Environment, fmt::format("can't be started: {}", std::generic_category().message(why)),
         program->string(), 0}));
}

} // namespace sparsight

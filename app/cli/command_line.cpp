#include "cli/command_line.h"

#include "cli/commands.h"
#include "cli/learner.h"
#include "command/program.h"
#include "command/session.h"

namespace sparsight {

namespace {

constexpr std::string_view program_description =
    "Measures which SuperSchedules (sparse storage format and loop schedule together) win or lose\n"
    "against fixed CSR on this computer, on real and on generated matrices, and learns to predict it.";

constexpr std::string_view program_examples = R"(
sparsight-cli new experiment.sparsight
export SPARSIGHT_WORKSPACE=experiment.sparsight
sparsight-cli import matrices/*.mtx.gz
sparsight-cli collect --operator spmm --schedules 100
sparsight-cli results --best
sparsight-cli train --name first
sparsight-cli search --model first --matrix bcsstk17)";

void add_commands(CLI::App& app, Session& session) {
    add_new_command(app, session);
    add_import_command(app, session);
    add_import_runtimes_command(app, session);
    add_simulate_command(app, session);
    add_simulate_runtimes_command(app, session);
    add_matrices_command(app, session);
    add_stats_command(app, session);
    add_schedules_command(app, session);
    add_machine_command(app, session);
    add_whatif_command(app, session);
    add_collect_command(app, session);
    add_explain_command(app, session);
    add_evaluate_command(app, session);
    add_failures_command(app, session);
    add_report_command(app, session);
    add_experiment_command(app, session);
    add_demo_command(app, session);
    add_results_command(app, session);
    add_export_command(app, session);
    add_learner_commands(app);
}

} // namespace

int run_command_line(int argc, char** argv) {
    const std::string name = "sparsight-cli";
    if (is_for_learner(argc, argv)) {
        Session session(name);
        session.options.json = asks_for_json(argc, argv);
        return become_learner(session, argv);
    }
    return run_program({name, program_description, program_examples, &add_commands}, argc, argv);
}

} // namespace sparsight

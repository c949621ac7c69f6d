#include "cli/sparse/sparse_commands.h"

#include "domains/sparse/clock/schedule_measuring.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/simulation/simulated_runtimes.h"

#include <CLI/CLI.hpp>

namespace sparsight {

namespace {

void add_commands(CLI::App& app, Session& session, const MeasuringDomains& measuring) {
    add_matrices_command(app, session);
    add_stats_command(app, session);
    add_simulate_command(app, session);
    add_schedules_command(app, session);
    add_import_runtimes_command(app, session);
    add_simulate_runtimes_command(app, session);
    add_explain_command(app, session);
    add_timeline_command(app, session);
    add_experiment_command(app, session, measuring);
    add_demo_command(app, session, measuring);
    CLI::App& machine = *app.get_subcommand("machine");
    add_machine_calibrate(machine, session);
    add_machine_code(machine, session);
    add_machine_validate(machine, session);
    CLI::App& exports = *app.get_subcommand("export");
    add_export_matrix(exports, session);
    add_export_waco(exports, session);
}

} // namespace

void add_sparse(CommandLine& program) {
    (void)program.domains.add(make_sparse_domain()); // each has a name of its own
    program.measuring.add(make_sparse_measuring());
    program.simulating.push_back(make_sparse_simulating());
    program.diagnosing.push_back(make_sparse_diagnosis());
    program.importers.push_back(make_matrix_importer());
    program.what_ifs.push_back(make_simulated_what_if());
    program.commands.push_back(&add_commands);
}

} // namespace sparsight

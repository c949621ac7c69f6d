// What sparsight-cli has for sparse matrices alone.
#pragma once

#include "cli/commands.h"

#include <memory>

namespace sparsight {

/// The domain with its measuring, its diagnosis, its files and its commands.
void add_sparse(CommandLine& program);

[[nodiscard]] std::shared_ptr<DomainPart<ImportOrder>> make_matrix_importer();
/// Schedules are simulated on any machine.
[[nodiscard]] std::shared_ptr<DomainPart<ChangesRequest>> make_simulated_what_if();
/// The failures of models that chose schedules: simulated, also of a table that others recorded, with a page
/// for a pair of schedules.
[[nodiscard]] std::unique_ptr<const DiagnosingDomain> make_sparse_diagnosis();

void add_import_runtimes_command(CLI::App& app, Session& session);
void add_simulate_command(CLI::App& app, Session& session);
void add_simulate_runtimes_command(CLI::App& app, Session& session);
void add_matrices_command(CLI::App& app, Session& session);
void add_stats_command(CLI::App& app, Session& session);
void add_schedules_command(CLI::App& app, Session& session);
void add_explain_command(CLI::App& app, Session& session);
void add_timeline_command(CLI::App& app, Session& session);
void add_experiment_command(CLI::App& app, Session& session, const MeasuringDomains& measuring);
void add_demo_command(CLI::App& app, Session& session, const MeasuringDomains& measuring);

/// Matrices that were added, as `import` and `simulate` show them.
[[nodiscard]] inline Table matrices_table() {
    return Table({{"matrix"},
                  {"rows", Align::Right},
                  {"columns", Align::Right},
                  {"entries", Align::Right},
                  {"remarks"}});
}
template <typename Matrix>
void add_matrix(Table& table, const Matrix& matrix, std::string remarks) {
    table.add_row({matrix.name, fmt::to_string(matrix.rows), fmt::to_string(matrix.cols),
                   fmt::to_string(matrix.nnz), std::move(remarks)});
}

// Parts of `machine` and `export`.
void add_machine_calibrate(CLI::App& machine, Session& session);
void add_machine_code(CLI::App& machine, Session& session);
void add_machine_validate(CLI::App& machine, Session& session);
void add_export_matrix(CLI::App& exports, Session& session);
void add_export_waco(CLI::App& exports, Session& session);

// Parts of `schedules`.
void add_schedules_sample(CLI::App& schedules, Session& session);
void add_schedules_show(CLI::App& schedules, Session& session);
void add_schedules_check(CLI::App& schedules, Session& session);

// Parts of `experiment`.
void add_experiment_tasks(CLI::App& experiment, Session& session);
void add_experiment_contributions(CLI::App& experiment, Session& session);
void add_experiment_methods(CLI::App& experiment, Session& session);

} // namespace sparsight

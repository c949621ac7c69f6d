// All commands of sparsight-cli. Each function adds one to the application and says what it does when it is
// chosen; the session and the domains outlive the application.
#pragma once

#include "cli/explanation/domain_diagnosis.h"
#include "study/domain.h"

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class MeasuringDomains;
class Session;

void add_new_command(CLI::App& app, Session& session);
void add_import_command(CLI::App& app, Session& session);
void add_import_records_command(CLI::App& app, Session& session);
void add_import_runtimes_command(CLI::App& app, Session& session);
void add_simulate_command(CLI::App& app, Session& session);
void add_simulate_runtimes_command(CLI::App& app, Session& session);
void add_matrices_command(CLI::App& app, Session& session);
void add_stats_command(CLI::App& app, Session& session);
void add_schedules_command(CLI::App& app, Session& session);
void add_machine_command(CLI::App& app, Session& session);
void add_whatif_command(CLI::App& app, Session& session);
void add_collect_command(CLI::App& app, Session& session, const MeasuringDomains& measuring);
void add_explain_command(CLI::App& app, Session& session);
void add_evaluate_command(CLI::App& app, Session& session, const MeasuringDomains& measuring);
void add_failures_command(CLI::App& app, Session& session, const DiagnosingDomains& diagnosing);
void add_report_command(CLI::App& app, Session& session, const DiagnosingDomains& diagnosing);
void add_experiment_command(CLI::App& app, Session& session, const MeasuringDomains& measuring);
void add_demo_command(CLI::App& app, Session& session, const MeasuringDomains& measuring);
void add_results_command(CLI::App& app, Session& session);
void add_export_command(CLI::App& app, Session& session);

// Parts of `schedules`.
void add_schedules_sample(CLI::App& schedules, Session& session);
void add_schedules_show(CLI::App& schedules, Session& session);
void add_schedules_check(CLI::App& schedules, Session& session);

// A part of `experiment`.
void add_experiment_tasks(CLI::App& experiment, Session& session);

// Parts of `machine`.
void add_machine_show(CLI::App& machine, Session& session);
void add_machine_presets(CLI::App& machine, Session& session);
void add_machine_add(CLI::App& machine, Session& session);
void add_machine_sample(CLI::App& machine, Session& session);
void add_machine_remove(CLI::App& machine, Session& session);
void add_machine_calibrate(CLI::App& machine, Session& session);
void add_machine_code(CLI::App& machine, Session& session);
void add_machine_validate(CLI::App& machine, Session& session);

// sparsight-cli as a function: parses the command line, runs one command, returns the exit code.

/// `domains` are those of the program, the one of a new workspace first; `measuring` those of them that can
/// be measured on this computer, `diagnosing` those that diagnose failures themselves.
[[nodiscard]] int run_command_line(DomainRegistry domains, const MeasuringDomains& measuring,
                                   const DiagnosingDomains& diagnosing, int argc, char** argv);

// What sparsight-learn does, sparsight-cli hands over to it: the same process becomes that program, so that
// signals, outputs and exit codes are its own.

/// Its commands, for the list of commands and for hints at misspelled ones.
void add_learner_commands(CLI::App& app);

/// Whether the command line has one of its commands.
[[nodiscard]] bool is_for_learner(int argc, char** argv);

/// The exit code for when it can't be started; otherwise there is no return. It is looked for beside this
/// program, then on PATH.
[[nodiscard]] int become_learner(Session& session, char** argv);

} // namespace sparsight

// All commands of sparsight-cli. Each function adds one to the application and says what it does when it is
// chosen; the session and the domains outlive the application.
#pragma once

#include "cli/domain_diagnosis.h"
#include "cli/import_command.h"
#include "collection/measuring_domain.h"
#include "study/domain.h"
#include "workflow/evaluation/simulating_domain.h"
#include "workflow/explanation/configuration_changes.h"

#include <memory>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// A domain with a simulator answers `whatif` by itself.
using WhatIfParts = DomainParts<ChangesRequest>;
/// Those of a program; other domains have only times that are measured or recorded.
using SimulatingDomains = std::vector<std::unique_ptr<const SimulatingDomain>>;

void add_new_command(CLI::App& app, Session& session);
void add_import_command(CLI::App& app, Session& session, const Importers& importers);
void add_machine_command(CLI::App& app, Session& session);
void add_collect_command(CLI::App& app, Session& session, const MeasuringDomains& measuring);
void add_evaluate_command(CLI::App& app, Session& session, const MeasuringDomains& measuring,
                          const SimulatingDomains& simulating);
void add_whatif_command(CLI::App& app, Session& session, const WhatIfParts& parts);
void add_failures_command(CLI::App& app, Session& session, const DiagnosingDomains& diagnosing);
void add_report_command(CLI::App& app, Session& session, const DiagnosingDomains& diagnosing);
void add_results_command(CLI::App& app, Session& session);
void add_export_command(CLI::App& app, Session& session);
/// Part of `experiment`.
void add_experiment_hardware(CLI::App& experiment, Session& session);
void add_experiment_tuners(CLI::App& experiment, Session& session);

// Parts of `machine`.
void add_machine_show(CLI::App& machine, Session& session);
void add_machine_presets(CLI::App& machine, Session& session);
void add_machine_add(CLI::App& machine, Session& session);
void add_machine_sample(CLI::App& machine, Session& session);
void add_machine_compare(CLI::App& machine, Session& session);
void add_machine_remove(CLI::App& machine, Session& session);

// sparsight-cli as a function: parses the command line, runs one command, returns the exit code.

/// What its main() puts together.
struct CommandLine {
    DomainRegistry domains{};       ///< the one of a new workspace first
    MeasuringDomains measuring{};   ///< those of them that can be measured on this computer
    SimulatingDomains simulating{}; ///< those that make times of simulated machines
    DiagnosingDomains diagnosing{}; ///< those that diagnose failures themselves
    Importers importers{};
    WhatIfParts what_ifs{};
    /// Commands that serve one domain. They stand behind the others, and may add to these, as to `machine`.
    std::vector<void (*)(CLI::App&, Session&, const MeasuringDomains&)> commands{};
};

[[nodiscard]] int run_command_line(CommandLine&& program, int argc, char** argv);

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

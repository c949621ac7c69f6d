#include "cli/commands.h"
#include "command/options.h"
#include "command/program.h"
#include "workflow/chosen_setting.h"

#include <CLI/CLI.hpp>

namespace sparsight {

namespace {

constexpr CommandHelp whatif_help{.description = R"(
Says how long a workload would take with another configuration, without running it.

Known times, such as tuning records: shows --configuration, or the fastest one, and
all that differ from it in one decision, with their times on --machine. The ratio is
the time of a change over that of the studied configuration; ~ marks differences
within the spread of both times.

Matrices (sparse) are simulated: schedules are ranked by simulated time on a machine,
with the parts of each time. --set changes a parameter of the machine, and parameters
that depend on it. --map shows the fastest schedule over two parameters. The machine
is one of the workspace, a preset, or a file with a machine's JSON; the default is
this computer. The schedules are fixed CSR, the five fastest that were measured on any
machine, and random ones that win on some machine of a family. --from reads a file of
schedules, and --measured takes all measured ones. --model adds a column with the
times that a gray box learned. Other models have a relative score: 1 is the first
choice, and 1.2 is a score that is ln 1.2 higher. Formulas:
  mechanistic  a sum of terms: instructions, fill-in, traffic from L2, L3 and
               memory, latency, imbalance, parallel regions, chunks
  paper        recorded time / (cores · bandwidth) · latency: a constant factor,
               which can't change a winner. If there are no recorded times, it starts
               from simulated ones.)",
                                  .examples = R"(
sparsight-cli whatif --domain records --workload gemm4096 --machine A100
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --dense 64
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --set cores=4 --set l2_bytes=256KiB
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --map cores,socket_gb_per_s --map-steps 16
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --formula paper --map cores,socket_gb_per_s)",
                                  .json = R"(
{"workload", "machine", parts of the setting, "protocol", "condition",
 "configuration", "status", "median_ms", "spread_ms", "sentence", "notes": [TEXT],
 "changes": [{"decision", "before", "after", "configuration", "status", "median_ms",
   "spread_ms", "ratio", "in_noise"}]}, in the domain's words. Of matrices:
{"matrix", "operator", "dense", "machine": {"name", "parameters": {KEY: VALUE},
 "assumed": [KEY]}, "formula", "basis", "winner", "lead",
 "ranking": [{"rank", "schedule", "ms", "parts": {TERM: MS}, "recorded_ms"}],
 "map": {"x": {"parameter", "unit", "values"}, "y", "winners": [{"schedule",
         "cells"}], "cells"}}
--model adds "learned_ms", its 95 % interval "learned_low_ms" and "learned_high_ms"
and "learned_score" to each schedule, and "learned":
{"model", "tells_times", "anchored", "winner", "lead"}; see predict.
lead: how much longer the second takes, 0.1 is 10 %. assumed: parameters of which
nothing is known. basis: what the paper's formula scales, recorded or simulated
times. cells: rows of places among the winners. Absent: null.)"};

struct WhatIfOptions {
    ChangesRequest request;
    PartsOfCommand<ChangesRequest> parts;
};

/// A file of a matrix needs no workspace: without one it is the first domain.
Result<const Domain*> asked_domain(const Session& session, const std::string& name) {
    if (!name.empty())
        return session.domains.require(name);
    if (!session.has_workspace())
        return session.domains.all().front();
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    return choose_domain(*workspace, session.domains, name);
}

ExitCode answer_by_known_times(Session& session, const Domain& domain, const ChangesRequest& request) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    const auto answer = answer_changes(*workspace, domain, request);
    if (!answer)
        return session.refuse(answer.error());
    for (const std::string& note : answer->notes)
        session.remark(note);
    session.answer(changes_json(domain, *answer), changes_text(domain, *answer));
    return ExitCode::Done;
}

ExitCode answer_as_asked(Session& session, WhatIfOptions& options) {
    const auto domain = asked_domain(session, options.request.setting.domain);
    if (!domain)
        return session.refuse(domain.error());
    const auto own = options.parts.of(**domain);
    if (!own)
        return session.refuse(own.error(), ExitCode::Usage);
    if (const auto checked = check_options(**domain, options.request.setting.options); !checked)
        return session.refuse(checked.error(), ExitCode::Usage);
    return *own != nullptr ? (*own)->run(session, options.request)
                           : answer_by_known_times(session, **domain, options.request);
}

} // namespace

void add_whatif_command(CLI::App& app, Session& session, const WhatIfParts& parts) {
    CLI::App& command =
        add_command(app, "whatif", "Say how long other configurations or machines would take", whatif_help);
    const auto options = std::make_shared<WhatIfOptions>(ChangesRequest{}, PartsOfCommand(parts));
    command
        .add_option("--matrix,--workload", options->request.workload,
                    "a workload of the workspace, or a file of a matrix")
        ->type_name("NAME")
        ->required();
    command
        .add_option("--machine", options->request.machine,
                    "machine of the times: one of the workspace; for matrices\nalso a preset or a file "
                    "(default: this computer)")
        ->type_name("MACHINE");
    command
        .add_option("--configuration", options->request.configuration,
                    "known times: the configuration to change (default: the fastest)")
        ->type_name("TEXT");
    command
        .add_option("--condition", options->request.condition,
                    "known times: only these runs, such as run=2021 (default:\nthose with most times)")
        ->type_name("TEXT");
    options->parts.add_options(command);
    add_setting_options(command, session.domains, options->request.setting);
    set_action(command, session, [&session, options] { return answer_as_asked(session, *options); });
}

} // namespace sparsight

#include "base/text.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/workflow/simulation/simulated_runtimes.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

constexpr CommandHelp simulate_runtimes_help{.description = R"(
Simulates schedules on machines instead of measuring them, and stores the times under
a simulated machine. `train` learns from it as from any other machine. The simulator
is the mechanistic one, whose machines disagree about which schedule is best; `machine
show` lists what it knows of a machine.

A machine is one that the workspace has, a preset, or a file. A simulated real machine
has the suffix (simulated), so that its own times stay apart. Schedules are drawn for
each matrix as in `collect`, from one seed, so that all machines have runtimes of the
same schedules; fixed CSR is always among them.

--instruction-costs takes the cycles of loops from the machine code for a named
processor (znver3, skylake-avx512, neoverse-n1 …) instead of typical or fitted ones.
The parameters are vector_start, tiled_vector, updated_vector, compressed_iteration,
dense_iteration, tiled_scalar and updated_scalar. Such times belong to a machine of
their own.

Simulated times stay when the command is stopped. Running it again replaces them.)",
                                             .examples = R"(
sparsight-cli machine sample --count 8 --seed 7
sparsight-cli simulate-runtimes sampled-7-0000 sampled-7-0001 --schedules 50
sparsight-cli simulate-runtimes --sampled --noise --matrices cage8,bcsstk17)",
                                             .json = R"(
[{"machine", "fingerprint", "matrices", "runtimes", "too_large",
  "failed": [{"matrix", "file", "line", "error"}]}]
too_large are those of the runtimes whose storage would exceed the limits.)"};

struct SimulateForm {
    RuntimesSimulationRequest request;
    ProgressForm progress = ProgressForm::Display;
};

Json summary_json(const SimulatedRuntimes& simulated) {
    const SimulationSummary& summary = simulated.summary;
    Json failed = Json::array();
    for (const auto& [matrix, error] : summary.unreadable)
        failed.push_back(
            {{"matrix", matrix}, {"file", error.file}, {"line", error.line}, {"error", error.message}});
    Json json = Json::array();
    for (const SimulatedMachine& machine : simulated.machines)
        json.push_back({{"machine", machine.record.name},
                        {"fingerprint", machine.record.fingerprint},
                        {"matrices", summary.matrices},
                        {"runtimes", summary.runtimes},
                        {"too_large", summary.too_large},
                        {"failed", failed}});
    return json;
}

void print_summary(const Session& session, std::size_t machines, const SimulationSummary& summary) {
    for (const auto& [matrix, error] : summary.unreadable)
        session.remark(fmt::format("{} is left out: {}", matrix, error.message));
    session.remark(
        fmt::format("simulated {} on {}{}", counted(summary.runtimes, "runtime", "runtimes"),
                    counted(summary.matrices, "matrix", "matrices"),
                    machines == 1 ? std::string() : fmt::format(", on each of {} machines", machines)));
}

ExitCode simulate_on_machines(const Job& job, RuntimesSimulationRequest request) {
    request.seed = job.session.options.seed;
    const auto simulated = add_simulated_runtimes(job.workspace, job.session.workspace_location(), request,
                                                  job.observer, job.stop());
    if (!simulated)
        return job.observer.refuse(simulated.error());
    job.observer.clear();
    if (job.observer.tells_events())
        job.observer.end({{"machines", summary_json(*simulated)}}, true, false);
    else if (job.session.options.json)
        job.session.print_json(summary_json(*simulated));
    else
        print_summary(job.session, simulated->machines.size(), simulated->summary);
    return simulated->summary.unreadable.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_simulate_runtimes_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(
        app, "simulate-runtimes", "Add simulated runtimes of schedules on machines", simulate_runtimes_help);
    const auto form = std::make_shared<SimulateForm>();
    command.add_option("machines", form->request.machines, "names, presets or files")->type_name("MACHINE");
    auto* sampled =
        command.add_flag("--sampled", form->request.sampled, "all simulated machines of the workspace");
    command.add_option("--matrices", form->request.matrices, "names, separated by commas (default: all)")
        ->type_name("NAMES")
        ->delimiter(',');
    add_operator_option(command, form->request.op);
    add_dense_option(command, form->request.dense);
    command
        .add_option("--schedules", form->request.schedules.count,
                    "random schedules for each matrix (default 100)")
        ->type_name("N")
        ->check(whole_numbers(0, 1'000'000));
    add_sampler_option(command, form->request.schedules.sampler);
    command
        .add_option("--instruction-costs", form->request.code_of,
                    "use the loop costs of this processor by LLVM's analyser (`machine code`)")
        ->type_name("CPU")
        ->excludes(sampled);
    command.add_flag("--noise", form->request.noise, "add the machine's noise to each time");
    add_progress_option(command, form->progress);
    set_job(command, session, "simulate-runtimes", form->progress, WorkspaceUse::Write,
            [form](const Job& job) { return simulate_on_machines(job, form->request); });
}

} // namespace sparsight

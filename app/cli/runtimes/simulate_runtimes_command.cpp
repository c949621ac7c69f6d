#include "base/digest.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/named_inputs.h"
#include "cli/schedules/schedule_options.h"
#include "collection/simulated_runtimes.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/clock/analysed_costs.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "machine/machine_edit.h"
#include "machine/machine_json.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

constexpr CommandHelp simulate_runtimes_help{.description = R"(
Simulates schedules on machines, instead of measuring them, and stores the times
as those of a simulated machine: what `train` then learns from like from any
other. The simulator is the mechanistic one, whose machines disagree about which
schedule is best; `machine show` lists what it knows of a machine.

A machine is one that the workspace has, a preset, or a file. A real one is
simulated under its name followed by (simulated): its own times stay apart.
Schedules are drawn for each matrix as by `collect`, from the same seed, so that
all machines have runtimes of the same ones;
fixed CSR is always among them. Each is looked at once for all machines.

--instruction-costs takes the cycles of loops from the machine code for a named
processor (znver3, skylake-avx512, neoverse-n1 …), in the place of typical ones or
of fitted ones: vector_start, tiled_vector, updated_vector, compressed_iteration,
dense_iteration, tiled_scalar and updated_scalar. Such times belong to a machine
of their own.

What was simulated stays when it is stopped; the same command renews it.)",
                                             .examples = R"(
sparsight-cli machine sample --count 8 --seed 7
sparsight-cli simulate-runtimes sampled-7-0000 sampled-7-0001 --schedules 50
sparsight-cli simulate-runtimes --sampled --noise --matrices cage8,bcsstk17)",
                                             .json = R"(
[{"machine", "fingerprint", "matrices", "runtimes", "too_large",
  "failed": [{"matrix", "file", "line", "error"}]}]
too_large are those of the runtimes whose storage would exceed the limits.)"};

struct SimulateForm {
    std::vector<std::string> machines;
    bool sampled = false;
    std::vector<std::string> matrices;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    SampledSchedules schedules;
    bool noise = false;
    std::string code_of; ///< LLVM's name of a processor, or empty
    ProgressForm progress = ProgressForm::Display;
};

/// The record that simulated times belong to.
Result<SimulatedMachine> machine_to_simulate(Workspace& workspace, const Session& session,
                                             const std::string& text, const std::string& code_of) {
    auto named = named_machine(session, text);
    if (!named)
        return std::unexpected(std::move(named).error());
    MachineDescription machine = std::move(named->machine);
    const bool is_generated = machine.source != MachineSource::Simulated || !code_of.empty();
    std::string made_by = "simulated";
    if (!code_of.empty()) {
        const auto cpu = set_analysed_costs(machine, code_of);
        if (!cpu)
            return std::unexpected(cpu.error());
        made_by += ", code of " + *cpu;
    }
    if (is_generated) {
        machine = simulated_copy(std::move(machine));
        machine.name += fmt::format(" ({})", made_by);
    }
    const auto known = find_machine(workspace, machine.name);
    if (!known)
        return std::unexpected(known.error());
    if (*known && description_of(**known) == machine)
        return SimulatedMachine{.record = **known, .description = std::move(machine)};
    if (*known && !is_generated)
        return fail(Fault::Input,
                    fmt::format("the workspace has another machine '{}', with other numbers; give this one "
                                "another name with `machine add --name`, or delete that one",
                                machine.name));
    if (*known) { // its real machine was calibrated or described anew, and all its times are renewed
        const auto renewed =
            record_machine(workspace, machine.name, (*known)->fingerprint, machine_to_text(machine));
        if (!renewed)
            return std::unexpected(renewed.error());
        return SimulatedMachine{.record = **known, .description = std::move(machine)};
    }
    auto added = add_machine(workspace, machine);
    if (!added)
        return std::unexpected(std::move(added).error());
    return SimulatedMachine{.record = std::move(added->record), .description = std::move(machine)};
}

Result<std::vector<SimulatedMachine>> machines_to_simulate(Workspace& workspace, const Session& session,
                                                           const SimulateForm& form) {
    std::vector<SimulatedMachine> machines;
    for (const std::string& text : form.machines) {
        auto machine = machine_to_simulate(workspace, session, text, form.code_of);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machines.push_back(std::move(*machine));
    }
    if (!form.sampled)
        return machines;
    const auto known = list_machines(workspace);
    if (!known)
        return std::unexpected(known.error());
    for (const MachineRecord& record : *known)
        if (is_editable(record))
            if (auto description = description_of(record))
                machines.push_back({.record = record, .description = std::move(*description)});
    return machines;
}

Json summary_json(std::span<const SimulatedMachine> machines, const SimulationSummary& summary) {
    Json failed = Json::array();
    for (const auto& [matrix, error] : summary.unreadable)
        failed.push_back(
            {{"matrix", matrix}, {"file", error.file}, {"line", error.line}, {"error", error.message}});
    Json json = Json::array();
    for (const SimulatedMachine& machine : machines)
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

ExitCode simulate_on_machines(Session& session, const SimulateForm& form) {
    const Interruption interruption;
    JobEvents events(session, "simulate-runtimes", form.progress);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    auto machines = machines_to_simulate(*workspace, session, form);
    if (!machines)
        return events.refuse(machines.error());
    if (machines->empty())
        return events.refuse({Fault::Input,
                              "no machine is named, and the workspace has no simulated one; `machine sample` "
                              "adds some, `machine presets` lists others",
                              {},
                              0});
    SimulationRequest request;
    request.op = form.op;
    request.dense = dense_index(form.op) ? form.dense : 1;
    request.matrices = form.matrices;
    SampledSchedules schedules = form.schedules;
    schedules.seed = session.options.seed;
    request.schedules = schedules;
    request.threads = available_threads();
    if (form.noise) // each machine has noise of its own, whatever others are simulated beside it
        for (SimulatedMachine& machine : *machines)
            machine.noise_seed = (session.options.seed ^ digest_of(machine.record.fingerprint)) | 1;

    ProgressDisplay display(events.display_style());
    const ProgressSink sink = events.are_told() ? events.sink() : display.sink();
    events.start();
    const auto summary = simulate_schedules(*workspace, MechanisticSimulator(), *machines, request,
                                            interruption.token(), sink);
    display.clear();
    if (!summary)
        return events.refuse(summary.error(), summary.error().fault == Fault::Cancelled
                                                  ? ExitCode::Interrupted
                                                  : ExitCode::SomeFailed);
    if (events.are_told())
        events.end({{"machines", summary_json(*machines, *summary)}}, true, false);
    else if (session.options.json)
        session.print_json(summary_json(*machines, *summary));
    else
        print_summary(session, machines->size(), *summary);
    return summary->unreadable.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_simulate_runtimes_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "simulate-runtimes", "Add runtimes that schedules would take on machines",
                    simulate_runtimes_help);
    const auto form = std::make_shared<SimulateForm>();
    command.add_option("machines", form->machines, "names, presets or files")->type_name("MACHINE");
    auto* sampled = command.add_flag("--sampled", form->sampled, "all simulated machines of the workspace");
    command.add_option("--matrices", form->matrices, "names with commas between them (default: all)")
        ->type_name("NAMES")
        ->delimiter(',');
    add_operator_option(command, form->op);
    add_dense_option(command, form->dense);
    command.add_option("--schedules", form->schedules.count, "how many to draw a matrix (default 100)")
        ->type_name("N")
        ->check(whole_numbers(0, 1'000'000));
    add_sampler_option(command, form->schedules.sampler);
    command
        .add_option("--instruction-costs", form->code_of,
                    "what loops cost as LLVM's analyser says for this processor (`machine code`)")
        ->type_name("CPU")
        ->excludes(sampled);
    command.add_flag("--noise", form->noise, "each time as a measurement with the machine's noise");
    add_progress_option(command, form->progress);
    set_action(command, session, [&session, form] { return simulate_on_machines(session, *form); });
}

} // namespace sparsight

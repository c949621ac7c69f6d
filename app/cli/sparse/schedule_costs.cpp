#include "cli/sparse/schedule_costs.h"

#include "base/parallel.h"
#include "command/job.h"
#include "command/options.h"
#include "domains/sparse/schedule/operator.h"
#include "workflow/machines/named_machines.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

void add_costs_options(CLI::App& command, CostsForm& form) {
    auto* costs = command.add_flag("--costs", form.costs, "the loop nest with what each line costs");
    command
        .add_option(
            "--machine", form.machine,
            "machine of the costs: one of the workspace, a preset, or\na file (default: this computer)")
        ->type_name("MACHINE")
        ->needs(costs);
    command
        .add_option(
            "--cpu", form.cpu,
            "analyse the code of this processor, by LLVM's name of it\n(default: native, without --machine)")
        ->type_name("NAME")
        ->needs(costs);
    add_threads_option(command, form.threads, "threads of the kernel (default: all of the machine)")
        ->needs(costs);
    command.add_flag("--count", form.count, "run it here, and show the processor's counters")->needs(costs);
}

Result<CountedCosts> costs_of(Session& session, const CostsForm& form, const NamedSchedule& given) {
    if (!given.pattern)
        return fail(Fault::Input, "costs are those on a matrix: give --matrix");
    const WorkspaceLocation location = session.workspace_location();
    const auto machine =
        form.machine.empty() ? this_named_machine(location) : named_machine(location, form.machine);
    if (!machine)
        return std::unexpected(machine.error());
    const auto dense = dense_index(given.schedule.op);
    CodeCostsRequest request{.schedule = given.schedule,
                             .dense = dense ? given.extents[*dense] : 1,
                             .machine = machine->machine,
                             .threads = form.threads,
                             .cpu = form.cpu.empty() && form.machine.empty() ? "native" : form.cpu};
    const Interruption interruption;
    auto costs = code_costs(*given.pattern, request, interruption.token());
    if (!costs)
        return std::unexpected(std::move(costs).error());
    CountedCosts answer{*std::move(costs), {}, {}};
    if (!form.count)
        return answer;
    if (request.threads == 0)
        request.threads = available_threads();
    Observer observer;
    auto counted = count_hardware_events(*given.pattern, request, observer, interruption.token());
    if (counted)
        answer.counted = *counted;
    else if (counted.error().fault == Fault::Cancelled)
        return std::unexpected(std::move(counted).error());
    else
        answer.no_counters = counted.error().message;
    return answer;
}

std::string costs_text(const CountedCosts& costs) {
    std::string text = to_text(costs.costs);
    if (costs.counted) {
        std::string counts;
        for (const HardwareEvent event : all_hardware_events)
            if (const auto& count = (*costs.counted)[event])
                counts += fmt::format("{}{} {:.4g}", counts.empty() ? "" : ", ", name(event), *count);
        text += fmt::format("\ncounted in one run: {}\n", counts);
    } else if (!costs.no_counters.empty()) {
        text += fmt::format("\nhardware counters: {}\n", costs.no_counters);
    }
    if (!costs.costs.hot)
        return text + fmt::format("\nno hot loop: {}\n", costs.costs.not_analysed);
    const InstructionCost& hot = costs.costs.hot->cost;
    return text +
           fmt::format("\nhot loop on {}: {} instructions, {:.2f} cycles an iteration, bound by {}\n{}",
                       costs.costs.cpu, hot.instructions, hot.cycles, hot.bottleneck, hot.assembly);
}

void add_costs_json(Json& json, const CountedCosts& costs, bool are_counted) {
    json["costs"] = to_json(costs.costs);
    if (!are_counted)
        return;
    json["counted"] = Json();
    json["no_counters"] = costs.no_counters.empty() ? Json() : Json(costs.no_counters);
    if (costs.counted)
        for (const HardwareEvent event : all_hardware_events) {
            const auto& count = (*costs.counted)[event];
            json["counted"][std::string(name(event))] = count ? Json(*count) : Json();
        }
}

} // namespace sparsight

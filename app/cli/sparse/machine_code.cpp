#include "base/terminal_text.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/clock/analysed_costs.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp machine_code_help{.description = R"(
Compiles a schedule for any processor, and shows what its loops cost there, by LLVM's
machine-code analyser. Each loop has instructions and cycles of one iteration, without
inner loops, its multiply-adds, the length of its vectors, and its bottleneck.
Unrolled loops count in the loop around them.

Cycles are those of instructions alone: all data in the first cache, and no branch
mispredicted. `simulate-runtimes --instruction-costs` and `machine calibrate
--instruction-costs` use the output of --costs instead of the simulator's typical
costs.)",
                                        .examples = R"(
sparsight-cli machine code '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32' --cpu znver3
sparsight-cli machine code '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32' --matrix cage8.mtx.gz --cpu neoverse-n1 --json
sparsight-cli machine code --cpu skylake-avx512 --costs)",
                                        .json = R"(
{"cpu", "architecture", "lanes", "schedule", "operator", "extents": {"i", …},
 "loops": [{"loop", "depth", "innermost", "instructions", "cycles",
            "multiply_adds", "vector_bits", "bottleneck"}]}
With --assembly: {"cpu", "architecture", "assembly"}.
With --costs: {"cpu", "costs": {PARAMETER: CYCLES}}.)"};

struct MachineCodeForm {
    ScheduleInput schedule;
    std::string cpu = "native";
    bool assembly = false;
    bool costs = false;
};

Json cost_json(const InstructionCost& cost) {
    return {{"loop", cost.loop},
            {"depth", cost.depth},
            {"innermost", cost.innermost},
            {"instructions", cost.instructions},
            {"cycles", cost.cycles},
            {"multiply_adds", cost.multiply_adds},
            {"vector_bits", cost.vector_bits},
            {"bottleneck", cost.bottleneck}};
}

void print_instruction_costs(const Session& session, const CodeAnalyser& analyser,
                             const SuperSchedule& schedule, const LoopNest& nest,
                             const std::vector<InstructionCost>& costs) {
    if (session.options.json) {
        Json loops = Json::array();
        for (const InstructionCost& cost : costs)
            loops.push_back(cost_json(cost));
        session.print_json({{"cpu", analyser.cpu()},
                            {"architecture", analyser.architecture()},
                            {"lanes", analyser.target().lanes},
                            {"schedule", to_text(schedule)},
                            {"operator", name(schedule.op)},
                            {"extents", extents_json(nest)},
                            {"loops", std::move(loops)}});
        return;
    }
    Table table({{"loop"},
                 {"instructions", Align::Right},
                 {"cycles", Align::Right},
                 {"floats", Align::Right},
                 {"floats/cycle", Align::Right},
                 {"vector", Align::Right},
                 {"bound by"}});
    for (const InstructionCost& cost : costs)
        table.add_row({std::string(2 * static_cast<std::size_t>(cost.depth), ' ') +
                           (cost.loop.empty() ? "?" : cost.loop),
                       fmt::to_string(cost.instructions), fmt::format("{:.2f}", cost.cycles),
                       fmt::to_string(cost.multiply_adds),
                       cost.multiply_adds > 0 ? fmt::format("{:.2f}", cost.multiply_adds / cost.cycles) : "",
                       cost.vector_bits > 0 ? fmt::format("{} bits", cost.vector_bits) : "scalar",
                       cost.bottleneck});
    session.print(fmt::format("{} ({}), an iteration of each loop\n{}", analyser.cpu(),
                              analyser.architecture(), table.text()));
}

ExitCode show_costs_of_loops(Session& session, const MachineCodeForm& form) {
    const auto given = named_schedule(session.workspace_location(), form.schedule);
    if (!given)
        return session.refuse(given.error());
    const auto analyser = CodeAnalyser::make(form.cpu);
    if (!analyser)
        return session.refuse(analyser.error());
    const LoopNest nest = lower(given->schedule, given->extents, analyser->target());
    if (form.assembly) {
        const auto text = analyser->print_assembly(nest);
        if (!text)
            return session.refuse(text.error());
        if (session.options.json)
            session.print_json(
                {{"cpu", analyser->cpu()}, {"architecture", analyser->architecture()}, {"assembly", *text}});
        else
            session.print(*text);
        return ExitCode::Done;
    }
    const auto costs = analyser->analyse(nest);
    if (!costs)
        return session.refuse(costs.error());
    print_instruction_costs(session, *analyser, given->schedule, nest, *costs);
    return ExitCode::Done;
}

ExitCode show_costs_of_processor(Session& session, const MachineCodeForm& form) {
    const auto costs = analysed_costs(form.cpu);
    if (!costs)
        return session.refuse(costs.error());
    Json json = Json::object();
    Table table({{"parameter"}, {"cycles", Align::Right}, {"typical", Align::Right}});
    for (const auto& [parameter, cycles] : costs->cycles) {
        const ParameterInfo& info = parameter_info(parameter);
        json[std::string(info.key)] = cycles;
        table.add_row(
            {std::string(info.key), fmt::format("{:.2f}", cycles), fmt::format("{:.2f}", info.typical)});
    }
    session.answer({{"cpu", costs->cpu}, {"costs", std::move(json)}}, table.text());
    return ExitCode::Done;
}

} // namespace

void add_machine_code(CLI::App& machine, Session& session) {
    CLI::App& command =
        add_command(machine, "code", "Show what a schedule's code costs on a processor", machine_code_help);
    const auto form = std::make_shared<MachineCodeForm>();
    auto* line = add_schedule_options(command, form->schedule);
    command
        .add_option("--cpu", form->cpu,
                    "LLVM's name of the processor, or native (default); another one lists all")
        ->type_name("NAME");
    auto* assembly = command.add_flag("--assembly", form->assembly, "only the assembly of the schedule");
    auto* costs =
        command.add_flag("--costs", form->costs, "loop costs that simulations use for the processor");
    costs->excludes(line, assembly);
    set_action(command, session, [&session, form, line] {
        if (form->costs)
            return show_costs_of_processor(session, *form);
        if (line->empty())
            return session.refuse(
                Error{Fault::Input, "a schedule is missing; `schedules sample` draws some", {}, 0});
        return show_costs_of_loops(session, *form);
    });
}

} // namespace sparsight

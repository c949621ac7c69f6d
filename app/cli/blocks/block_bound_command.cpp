#include "base/terminal_text.h"
#include "cli/blocks/block_commands.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/analyser/scheduled_costs.h"
#include "domains/blocks/models/block_analysis.h"
#include "domains/blocks/tables/machine_tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace sparsight {
namespace {

constexpr CommandHelp bound_help{.description = R"(
Says what binds a block on a machine: the largest of what front end, instruction fetch,
ports, divider and chains of dependencies need for one iteration. For each instruction it
lists micro-operations, ports, latency and throughput.

--machine is snb, ivb, hsw, bdw, skl or skx. --table has the ports of instructions, as
`block predict --help` describes it. Without it they are those of LLVM's scheduling model.)",
                                 .examples = R"(
sparsight-cli block bound 'imul rax, rbx; add rcx, rax'
sparsight-cli block bound loop.s --att --machine hsw --table ports.csv
sparsight-cli block bound 4801d8480fafc3 --json | jq .limits)",
                                 .json = R"(
{"machine", "source", "sentence", "cycles", "limits": [{"name", "cycles"}],
 "critical": [INSTRUCTION], "issued", "port_uses": [NUMBER],
 "instructions": [{"text", "issued", "ports": [{"ports", "count"}], "latency",
  "longest_latency", "throughput"}],
 "dependencies": [{"from", "to", "through", "next_iteration", "latency", "critical"}]}
Instructions are counted from 0. What is not known of an instruction is null. "source" is
"table" or "llvm".)"};

struct BoundOptions {
    GivenBlock given;
    std::string machine = "hsw";
    std::string table;
};

struct BoundAnswer {
    DecodedBlock block;
    BlockAnalysis analysis;
};

Result<BlockCosts> costs(const BlockDecoder& decoder, const DecodedBlock& block,
                         const Microarchitecture& machine, const std::string& file) {
    if (file.empty()) {
        const auto scheduled = ScheduledCosts::make(decoder, machine);
        return scheduled ? Result<BlockCosts>(scheduled->of(block)) : std::unexpected(scheduled.error());
    }
    const auto table = find_ports(file, machine);
    if (!table)
        return std::unexpected(table.error());
    if (!*table)
        return fail_in_file(Fault::Input, file, 0, fmt::format("has no ports of {}", machine.title));
    return costs_of(block, **table);
}

Result<BoundAnswer> bound(const BoundOptions& options) {
    const auto machine = find_microarchitecture(options.machine);
    if (!machine || !machine->has_known_front_end)
        return fail(Fault::Input,
                    fmt::format("'{}' is no machine whose front end is described, expected snb, "
                                "ivb, hsw, bdw, skl or skx",
                                options.machine));
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return std::unexpected(decoder.error());
    auto code = read_block(*decoder, options.given);
    if (!code)
        return std::unexpected(std::move(code).error());
    auto instructions = decoder->decode(*code);
    if (!instructions)
        return std::unexpected(std::move(instructions).error());
    DecodedBlock block{*std::move(code), *std::move(instructions)};
    const auto known = costs(*decoder, block, *machine, options.table);
    if (!known)
        return std::unexpected(known.error());
    BlockAnalysis analysis = analyse_block(block, *known, front_end_of(*machine));
    return BoundAnswer{std::move(block), std::move(analysis)};
}

Json ports_json(const std::vector<PortUse>& uses) {
    Json ports = Json::array();
    for (const PortUse& use : uses)
        ports.push_back({{"ports", ports_text(use.ports)}, {"count", use.count}});
    return ports;
}

Json to_json(const BoundAnswer& answer, const BoundOptions& options) {
    const BlockAnalysis& analysis = answer.analysis;
    Json limits = Json::array();
    for (const CycleLimit& limit : cycle_limits(analysis.bounds))
        limits.push_back({{"name", limit.name}, {"cycles", limit.cycles}});
    Json instructions = Json::array();
    for (std::size_t at = 0; at < analysis.instructions.size(); ++at) {
        const auto& cost = analysis.instructions[at].cost;
        instructions.push_back({{"text", answer.block.instructions[at].text},
                                {"issued", cost ? Json(cost->issued) : Json()},
                                {"ports", cost ? ports_json(cost->ports) : Json()},
                                {"latency", cost ? Json(cost->latency) : Json()},
                                {"longest_latency", cost ? Json(cost->longest_latency) : Json()},
                                {"throughput", cost ? Json(cost->throughput) : Json()}});
    }
    Json dependencies = Json::array();
    for (const auto& [dependency, latency, is_critical] : analysis.dependencies)
        dependencies.push_back({{"from", dependency.from},
                                {"to", dependency.to},
                                {"through", dependency.through},
                                {"next_iteration", dependency.is_carried},
                                {"latency", latency},
                                {"critical", is_critical}});
    return {{"machine", options.machine},
            {"source", options.table.empty() ? "llvm" : "table"},
            {"sentence", what_binds(answer.block, analysis)},
            {"cycles", analysis.bounds.cycles()},
            {"limits", std::move(limits)},
            {"critical", analysis.critical},
            {"issued", analysis.bounds.issued},
            {"port_uses", analysis.bounds.port_uses},
            {"instructions", std::move(instructions)},
            {"dependencies", std::move(dependencies)}};
}

std::string to_text(const BoundAnswer& answer) {
    const BlockAnalysis& analysis = answer.analysis;
    std::string text = what_binds(answer.block, analysis) + "\n\n";
    Table limits({{"limit"}, {"cycles an iteration", Align::Right}});
    for (const CycleLimit& limit : cycle_limits(analysis.bounds))
        limits.add_row({limit.name, fmt::format("{:.2f}", limit.cycles)});
    text += limits.text() + '\n';
    Table table({{"", Align::Right},
                 {"instruction"},
                 {"critical"},
                 {"micro-operations", Align::Right},
                 {"ports"},
                 {"latency", Align::Right},
                 {"throughput", Align::Right}});
    for (std::size_t at = 0; at < analysis.instructions.size(); ++at) {
        const AnalysedInstruction& instruction = analysis.instructions[at];
        const auto number = [&](double InstructionCost::* member) {
            return instruction.cost ? fmt::format("{:g}", (*instruction.cost).*member) : std::string("–");
        };
        table.add_row({fmt::to_string(at + 1), answer.block.instructions[at].text,
                       instruction.is_critical ? "yes" : "", number(&InstructionCost::issued),
                       instruction.cost ? port_uses_text(instruction.cost->ports) : "–",
                       number(&InstructionCost::latency), number(&InstructionCost::throughput)});
    }
    return text + table.text();
}

} // namespace

void add_block_bound(CLI::App& block, Session& session) {
    CLI::App& command = add_command(block, "bound", "Say what binds a block", bound_help);
    const auto options = std::make_shared<BoundOptions>();
    add_block_options(command, options->given);
    command.add_option("--machine", options->machine, "microarchitecture (default hsw)")->type_name("NAME");
    command.add_option("--table", options->table, "ports and latencies of instructions")->type_name("FILE");
    set_action(command, session, [&session, options] {
        const auto answer = bound(*options);
        if (!answer)
            return session.refuse(answer.error());
        session.answer(to_json(*answer, *options), to_text(*answer));
        return ExitCode::Done;
    });
}

} // namespace sparsight

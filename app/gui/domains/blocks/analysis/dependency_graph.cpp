#include "gui/domains/blocks/analysis/dependency_graph.h"

#include "domains/blocks/code/instruction_classes.h"
#include "gui/domains/blocks/analysis/cycle_bars.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace sparsight {

namespace {

struct GraphTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::DependencyGraph)
};

GraphRole role_of(const Instruction& instruction) {
    const std::vector<InstructionClass> classes = classes_of(instruction);
    const auto is = [&classes](InstructionClass of) {
        return std::ranges::find(classes, of) != classes.end();
    };
    if (is(InstructionClass::Store))
        return GraphRole::Store;
    if (is(InstructionClass::VectorArithmetic))
        return GraphRole::Vector;
    if (is(InstructionClass::Branch))
        return GraphRole::Control;
    if (is(InstructionClass::Load) && classes.size() == 1)
        return GraphRole::Load;
    return GraphRole::Compute;
}

QString cycles_text(double cycles) {
    return cycles == 1 ? GraphTexts::tr("1 cycle") : GraphTexts::tr("%1 cycles").arg(significant(cycles));
}

GraphNode node_of(std::size_t at, const DecodedBlock& block, const MachineAnalysis& machine,
                  double greatest_latency) {
    const AnalysedInstruction& instruction = machine.analysis.instructions[at];
    GraphNode node{.id = static_cast<int>(at),
                   .title = QStringLiteral("%1  %2").arg(at + 1).arg(
                       QString::fromStdString(block.instructions[at].text)),
                   .role = role_of(block.instructions[at]),
                   .marked = instruction.is_critical};
    if (!instruction.cost) {
        node.detail = GraphTexts::tr("costs not known");
        return node;
    }
    const bool is_busiest = instruction.is_on_busiest_port && machine.analysis.bounds.ports > 0;
    const QString uses = QString::fromStdString(port_uses_text(instruction.cost->ports));
    node.detail = uses.isEmpty() ? GraphTexts::tr("no port") : uses;
    if (is_busiest)
        node.detail = GraphTexts::tr("%1, busiest").arg(node.detail);
    node.badge = cycles_text(instruction.cost->latency);
    if (greatest_latency > 0)
        node.bar = instruction.cost->latency / greatest_latency;
    node.tip = GraphTexts::tr("Latency %1, throughput %2")
                   .arg(cycles_text(instruction.cost->latency), cycles_text(instruction.cost->throughput));
    if (is_busiest)
        node.tip += u'\n' + GraphTexts::tr("Needs the busiest ports: %1")
                                .arg(QString::fromStdString(ports_text(machine.analysis.bounds.busiest)));
    if (instruction.is_critical)
        node.tip += u'\n' + GraphTexts::tr("Part of the critical chain");
    return node;
}

} // namespace

Graph dependency_graph(const DecodedBlock& block, const MachineAnalysis& machine) {
    Graph graph{.title = GraphTexts::tr("Dependencies on %1").arg(title_of_machine(machine.machine)),
                .subject = QString::fromStdString(to_hex(block.code))};
    double greatest = 0;
    for (const AnalysedInstruction& each : machine.analysis.instructions)
        greatest = std::max(greatest, each.cost ? each.cost->latency : 0);
    for (std::size_t at = 0; at < block.instructions.size(); ++at)
        graph.nodes.push_back(node_of(at, block, machine, greatest));
    for (const auto& [dependency, latency, is_critical] : machine.analysis.dependencies)
        graph.edges.push_back(
            {.from = static_cast<int>(dependency.from),
             .to = static_cast<int>(dependency.to),
             .label = QString::fromStdString(dependency.through),
             .tip =
                 GraphTexts::tr("%1 of instruction %2 is needed by %3; the result comes %4 later")
                     .arg(QString::fromStdString(dependency.through))
                     .arg(dependency.from + 1)
                     .arg(dependency.is_carried
                              ? GraphTexts::tr("instruction %1 of the next iteration").arg(dependency.to + 1)
                              : GraphTexts::tr("instruction %1").arg(dependency.to + 1))
                     .arg(cycles_text(latency)),
             .kind = dependency.through == "memory" ? GraphEdgeKind::Memory : GraphEdgeKind::Value,
             .marked = is_critical,
             .back = dependency.is_carried});
    graph.role_names = {{GraphRole::Compute, GraphTexts::tr("integer")},
                        {GraphRole::Vector, GraphTexts::tr("vector")},
                        {GraphRole::Load, GraphTexts::tr("load")},
                        {GraphRole::Store, GraphTexts::tr("store")},
                        {GraphRole::Control, GraphTexts::tr("branch")}};
    graph.kind_names = {{GraphEdgeKind::Value, GraphTexts::tr("register")},
                        {GraphEdgeKind::Memory, GraphTexts::tr("memory")}};
    graph.marked_name = GraphTexts::tr("Critical chain");
    graph.back_name = GraphTexts::tr("Next iteration");
    return graph;
}

} // namespace sparsight

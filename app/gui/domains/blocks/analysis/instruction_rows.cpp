#include "gui/domains/blocks/analysis/instruction_rows.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

struct InstructionTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::InstructionModel)
};

using Column = RecordColumn<InstructionRow>;

Column cost_column(const QString& title, const QString& tooltip, double InstructionCost::* member) {
    return value_column<InstructionRow>(
        title, tooltip,
        [member](const InstructionRow& row) {
            return row.analysed.cost ? std::optional((*row.analysed.cost).*member) : std::nullopt;
        },
        [](double number) { return significant(number); });
}

Column latency_column() {
    Column column =
        cost_column(InstructionTexts::tr("Latency"),
                    InstructionTexts::tr("Cycles from its registers to its result; behind the dash "
                                         "those from the registers of an address"),
                    &InstructionCost::latency);
    column.export_title = QStringLiteral("latency_cycles");
    column.text = [](const InstructionRow& row) {
        if (!row.analysed.cost)
            return unknown_text();
        const auto& cost = *row.analysed.cost;
        return cost.longest_latency > cost.latency
                   ? QStringLiteral("%1–%2").arg(significant(cost.latency), significant(cost.longest_latency))
                   : significant(cost.latency);
    };
    return column;
}

Column throughput_column() {
    Column column = value_column<InstructionRow>(
        InstructionTexts::tr("Throughput"),
        InstructionTexts::tr("Cycles between two of them that don't wait"),
        [](const InstructionRow& row) {
            return row.analysed.cost && row.analysed.cost->throughput > 0
                       ? std::optional(row.analysed.cost->throughput)
                       : std::nullopt;
        },
        [](double number) { return significant(number); });
    column.export_title = QStringLiteral("throughput_cycles");
    return column;
}

Column port_column(std::size_t port, bool is_busiest) {
    Column column = value_column<InstructionRow>(
        is_busiest ? InstructionTexts::tr("p%1 ●").arg(port) : InstructionTexts::tr("p%1").arg(port),
        is_busiest ? InstructionTexts::tr("Micro-operations on this port, one of the busiest; those that may "
                                          "take several ports are shared evenly")
                   : InstructionTexts::tr("Micro-operations on this port; those that may take several ports "
                                          "are shared evenly"),
        [port](const InstructionRow& row) {
            const double uses = row.analysed.port_uses[port];
            return uses > 0 ? std::optional(uses) : std::nullopt;
        },
        [](double number) { return significant(number, 2); });
    column.text = [text = column.text, port](const InstructionRow& row) {
        return row.analysed.port_uses[port] > 0 ? text(row) : QString();
    };
    column.export_title = QStringLiteral("port_%1").arg(port);
    if (is_busiest)
        column.colour = [](const InstructionRow& row) -> QVariant {
            return row.analysed.is_on_busiest_port ? QVariant(current_theme().lose) : QVariant();
        };
    return column;
}

std::vector<Column> columns(std::size_t ports, std::uint32_t busiest) {
    Column number = value_column<InstructionRow>(
        InstructionTexts::tr("No."), InstructionTexts::tr("Place of the instruction in the block"),
        [](const InstructionRow& row) { return std::optional(row.number); },
        [](int place) { return QString::number(place); });
    Column text = text_column<InstructionRow>(InstructionTexts::tr("Instruction"), {},
                                              [](const InstructionRow& row) { return row.text; });
    Column uses = text_column<InstructionRow>(
        InstructionTexts::tr("Ports"),
        InstructionTexts::tr("Micro-operations and the ports that each may take: p23 is port 2 or 3"),
        [](const InstructionRow& row) {
            return row.analysed.cost ? QString::fromStdString(port_uses_text(row.analysed.cost->ports))
                                     : unknown_text();
        });
    Column critical = text_column<InstructionRow>(
        InstructionTexts::tr("Critical"),
        InstructionTexts::tr("Whether it is part of the slowest chain of dependencies"),
        [](const InstructionRow& row) {
            return row.analysed.is_critical ? InstructionTexts::tr("yes") : QString();
        });
    critical.colour = [](const InstructionRow&) -> QVariant { return current_theme().accent; };
    std::vector<Column> all{
        std::move(number),
        std::move(text),
        cost_column(InstructionTexts::tr("µops"),
                    InstructionTexts::tr("Fused micro-operations, which the front end issues"),
                    &InstructionCost::issued),
        std::move(uses),
        latency_column(),
        throughput_column(),
        std::move(critical)};
    for (std::size_t port = 0; port < ports; ++port)
        all.push_back(port_column(port, (busiest >> port & 1U) != 0));
    return all;
}

} // namespace

std::vector<InstructionRow> instruction_rows(const DecodedBlock& block, const BlockAnalysis& analysis) {
    std::vector<InstructionRow> rows;
    for (std::size_t at = 0; at < analysis.instructions.size(); ++at)
        rows.push_back({static_cast<int>(at) + 1, QString::fromStdString(block.instructions[at].text),
                        analysis.instructions[at]});
    return rows;
}

InstructionModel::InstructionModel(QObject* parent)
    : RecordModel(columns(0, 0), [](const InstructionRow& row) { return row.number; }, parent) {}

void InstructionModel::show(const DecodedBlock& block, const MachineAnalysis& machine) {
    std::size_t ports = 6; // of Sandy Bridge and Ivy Bridge; later ones have two more
    for (std::size_t port = 0; port < BlockBounds::port_count; ++port)
        if (machine.analysis.bounds.port_uses[port] > 0)
            ports = std::max(ports, port + 1);
    if (machine.machine != "snb" && machine.machine != "ivb")
        ports = std::max<std::size_t>(ports, 8);
    const std::uint32_t busiest = machine.analysis.bounds.busiest;
    if (std::exchange(ports_, ports) != ports || std::exchange(busiest_, busiest) != busiest)
        set_columns(columns(ports, busiest));
    busiest_ = busiest;
    set_rows(instruction_rows(block, machine.analysis));
}

} // namespace sparsight

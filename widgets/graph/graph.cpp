#include "widgets/graph/graph.h"

#include "widgets/look/number_text.h"
#include "widgets/table/cell_values.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace sparsight {

namespace {

struct GraphText {
    Q_DECLARE_TR_FUNCTIONS(sparsight::GraphView)
};

QString yes_or_empty(bool is_true) {
    return is_true ? QStringLiteral("yes") : QString();
}

QString role_word(GraphRole role) {
    switch (role) {
    case GraphRole::Plain:
        return {};
    case GraphRole::Compute:
        return QStringLiteral("compute");
    case GraphRole::Vector:
        return QStringLiteral("vector");
    case GraphRole::Load:
        return QStringLiteral("load");
    case GraphRole::Store:
        return QStringLiteral("store");
    case GraphRole::Control:
        return QStringLiteral("control");
    case GraphRole::Input:
        return QStringLiteral("input");
    }
    return {};
}

QString kind_word(GraphEdgeKind kind) {
    switch (kind) {
    case GraphEdgeKind::Value:
        return QStringLiteral("RAW");
    case GraphEdgeKind::Ordering:
        return QStringLiteral("WAR");
    case GraphEdgeKind::Overwriting:
        return QStringLiteral("WAW");
    case GraphEdgeKind::Memory:
        return QStringLiteral("memory");
    }
    return {};
}

} // namespace

QString graph_summary(const Graph& graph) {
    const auto back = std::ranges::count_if(graph.edges, &GraphEdge::back);
    const auto nodes = static_cast<qint64>(graph.nodes.size());
    const auto edges = static_cast<qint64>(graph.edges.size());
    QString text = (nodes == 1 ? GraphText::tr("1 node") : GraphText::tr("%1 nodes").arg(count_text(nodes))) +
                   QStringLiteral(", ") +
                   (edges == 1 ? GraphText::tr("1 edge") : GraphText::tr("%1 edges").arg(count_text(edges)));
    if (back > 0)
        text += GraphText::tr(", %1 of them loop-carried").arg(count_text(back));
    return text;
}

QString kind_name(const Graph& graph, GraphEdgeKind kind) {
    if (const auto own = graph.kind_names.find(kind); own != graph.kind_names.end())
        return own->second;
    switch (kind) {
    case GraphEdgeKind::Value:
        return GraphText::tr("Value (RAW)");
    case GraphEdgeKind::Ordering:
        return GraphText::tr("Write after read (WAR)");
    case GraphEdgeKind::Overwriting:
        return GraphText::tr("Write after write (WAW)");
    case GraphEdgeKind::Memory:
        return GraphText::tr("Memory");
    }
    return {};
}

QString graph_csv(const Graph& graph) {
    QList<QStringList> lines{{QStringLiteral("part"), QStringLiteral("id"), QStringLiteral("from"),
                              QStringLiteral("to"), QStringLiteral("title"), QStringLiteral("detail"),
                              QStringLiteral("badge"), QStringLiteral("kind"), QStringLiteral("marked"),
                              QStringLiteral("back"), QStringLiteral("dashed")}};
    for (const GraphNode& node : graph.nodes)
        lines.push_back({QStringLiteral("node"),
                         QString::number(node.id),
                         {},
                         {},
                         node.title,
                         node.detail,
                         node.badge,
                         role_word(node.role),
                         yes_or_empty(node.marked),
                         {},
                         {}});
    for (const GraphEdge& edge : graph.edges)
        lines.push_back({QStringLiteral("edge"),
                         {},
                         QString::number(edge.from),
                         QString::number(edge.to),
                         edge.label,
                         {},
                         {},
                         kind_word(edge.kind),
                         yes_or_empty(edge.marked),
                         yes_or_empty(edge.back),
                         yes_or_empty(edge.dashed)});
    return csv_text(lines);
}

} // namespace sparsight

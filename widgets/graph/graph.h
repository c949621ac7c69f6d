// A directed graph as plain values, to be drawn in layers: the dependencies of a basic block, a tensor graph.
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <vector>

namespace sparsight {

/// What a node does. The theme has a colour for each role but Plain.
enum class GraphRole { Plain, Compute, Vector, Load, Store, Control, Input };

/// What an edge means. The theme has a colour and the painter a pattern of dashes for each.
enum class GraphEdgeKind {
    Value,       ///< read after write: a value flows
    Ordering,    ///< write after read
    Overwriting, ///< write after write
    Memory       ///< through memory
};

struct GraphNode {
    int id = 0;       ///< distinct; the same in the next value if it is the same node
    QString title{};  ///< "vfmadd231ps ymm0, ymm1, ymm2"
    QString detail{}; ///< a line below it; empty: the node has one line
    QString tip{};    ///< plain text; lines break at \n
    QString badge{};  ///< at the right of the detail: "4 cycles"
    /// A share of 1, as a small bar along the bottom: the latency as a share of the greatest one.
    std::optional<double> bar{};
    GraphRole role = GraphRole::Plain;
    bool marked = false; ///< on the critical path
};

struct GraphEdge {
    int from = 0; ///< an id; edges of unknown nodes are not drawn
    int to = 0;
    QString label{}; ///< a word: "ymm0"
    QString tip{};   ///< plain text
    GraphEdgeKind kind = GraphEdgeKind::Value;
    bool dashed = false; ///< uncertain, such as memory that may be the same
    bool marked = false; ///< on the critical path
    bool back = false;   ///< carried by the loop into the next iteration: drawn around the nodes, upwards
};

struct Graph {
    QString title{}; ///< for screen readers and as file name
    /// What the graph is of. A value of the same subject keeps the zoom and the chosen node. Without a
    /// subject, a value with the same node ids does.
    QString subject{};
    bool titles_are_code = false;   ///< monospaced
    std::vector<GraphNode> nodes{}; ///< in their natural order; where nothing else decides, it is kept
    std::vector<GraphEdge> edges{};
    /// Names for the legend. Roles without a name are not in the legend; kinds have names of their own.
    std::map<GraphRole, QString> role_names{};
    std::map<GraphEdgeKind, QString> kind_names{};
    QString marked_name{}; ///< of what is marked; empty: "Critical path"
    QString dashed_name{}; ///< of dashed edges; empty: they are not in the legend
    QString back_name{};   ///< of edges that go back; empty: "Loop-carried"

    [[nodiscard]] bool empty() const { return nodes.empty(); }
};

/// "12 nodes, 15 edges, 3 of them loop-carried"
[[nodiscard]] QString graph_summary(const Graph& graph);

/// The name of the kind for the legend: that of the graph, or "Value (RAW)".
[[nodiscard]] QString kind_name(const Graph& graph, GraphEdgeKind kind);

/// Nodes, then edges, in one table with a column that says which of both a line is.
[[nodiscard]] QString graph_csv(const Graph& graph);

} // namespace sparsight

// A directed graph in layers. Ctrl with the wheel, + and −, zoom it; dragging and the scroll bars move it; 0
// shows all. A click or the arrow keys choose a node; the node under the mouse stands out with its edges.
#pragma once

#include "widgets/graph/graph.h"

#include <QAbstractScrollArea>
#include <optional>

namespace sparsight {

struct ExportedPicture;

class GraphView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit GraphView(QWidget* parent = nullptr);

    void set_graph(Graph graph);
    [[nodiscard]] const Graph& graph() const { return graph_; }
    void set_empty_text(const QString& text);

    [[nodiscard]] std::optional<int> chosen() const { return chosen_; }
    [[nodiscard]] ExportedPicture exported() const; ///< the whole graph, in light colours

public Q_SLOTS:
    /// Chooses the node with this id, scrolls to it, and emits node_chosen() if another node was chosen
    /// before.
    void choose(std::optional<int> id);
    void show_whole();

Q_SIGNALS:
    void node_chosen(std::optional<int> id);
    void node_activated(int id); ///< Enter or a double click
    void node_hovered(std::optional<int> id);
    void exported_to(const QString& path);
    void export_failed(const QString& reason);

private:
    Graph graph_;
    QString empty_text_;
    std::optional<int> chosen_;
};

} // namespace sparsight

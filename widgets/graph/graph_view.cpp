#include "widgets/graph/graph_view.h"

#include "widgets/chart/plot_menu.h"

#include <algorithm>
#include <utility>

namespace sparsight {

GraphView::GraphView(QWidget* parent)
    : QAbstractScrollArea(parent) {
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
}

void GraphView::set_graph(Graph graph) {
    graph_ = std::move(graph);
    setAccessibleDescription(graph_summary(graph_));
    viewport()->update();
}

void GraphView::set_empty_text(const QString& text) {
    empty_text_ = text;
    viewport()->update();
}

ExportedPicture GraphView::exported() const {
    return {QSizeF(viewport()->size()), [](QPainter&) {}, graph_csv(graph_), graph_.title};
}

void GraphView::choose(std::optional<int> id) {
    if (id && std::ranges::find(graph_.nodes, *id, &GraphNode::id) == graph_.nodes.end())
        id.reset();
    if (std::exchange(chosen_, id) != id)
        Q_EMIT node_chosen(id);
}

void GraphView::show_whole() {
    viewport()->update();
}

} // namespace sparsight

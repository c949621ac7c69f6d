// A directed graph in layers. Ctrl with the wheel, + and −, zoom it; dragging and the scroll bars move it; 0
// shows all. A click or the arrow keys choose a node; the node under the mouse stands out with its edges.
#pragma once

#include "widgets/graph/graph_drawing.h"
#include "widgets/graph/graph_painting.h"

#include <QAbstractScrollArea>
#include <optional>

class QMenu;

namespace sparsight {

class PlotMenuButton;
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

    [[nodiscard]] double scale() const { return scale_; } ///< 1: as large as texts elsewhere
    /// In pixels of the viewport; empty for an unknown node.
    [[nodiscard]] QRectF node_rect(int id) const;
    [[nodiscard]] QString tooltip_at(const QPointF& pixels) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

public Q_SLOTS:
    /// Chooses the node with this id, scrolls to it, and emits node_chosen() if another node was chosen
    /// before.
    void choose(std::optional<int> id);
    void show_whole();
    void zoom_in();
    void zoom_out();

Q_SIGNALS:
    void node_chosen(std::optional<int> id);
    void node_activated(int id); ///< Enter or a double click
    void node_hovered(std::optional<int> id);
    void exported_to(const QString& path);
    void export_failed(const QString& reason);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// Beginning: all, as long as it can be read; a graph that is much longer than wide begins at its top.
    enum class Fit { Beginning, Whole, None };

    void draw_again();
    void fit();
    void set_scale(double scale, const QPointF& fixed);
    void update_scroll_bars();
    [[nodiscard]] QRectF body() const;       ///< of the viewport, without the legend
    [[nodiscard]] QSizeF room() const;       ///< as much of it as there is without scroll bars
    [[nodiscard]] double top_margin() const; ///< below the button of the menu
    [[nodiscard]] double bar_width() const;  ///< of a scroll bar
    [[nodiscard]] double legend_width() const;
    [[nodiscard]] double whole_scale() const;
    [[nodiscard]] QPointF origin() const;
    [[nodiscard]] QPointF in_drawing(const QPointF& pixels) const;
    void scroll_to(std::size_t node);
    void pan(const QPointF& pixels);
    void walk(WalkDirection direction);
    void hover(const QPointF& pixels);
    void end_hover();
    [[nodiscard]] std::optional<std::size_t> number_of(std::optional<int> id) const;
    [[nodiscard]] QString edge_text(const EdgeDrawing& edge) const;
    void describe();
    void fill_menu(QMenu& menu);

    Graph graph_;
    QString empty_text_;
    GraphFonts fonts_;
    GraphDrawing drawing_;
    GraphLegend legend_;
    double legend_height_ = 0;
    double scale_ = 1;
    Fit fit_ = Fit::Beginning;
    std::optional<int> chosen_;
    std::optional<std::size_t> hovered_;
    std::optional<std::size_t> hovered_edge_;
    std::optional<QPointF> pressed_; ///< where, with the left button
    QPointF dragged_;                ///< where the mouse was last
    bool is_panning_ = false;
    PlotMenuButton* tools_;
};

} // namespace sparsight

// How a graph is painted: boxes in the colours of their roles, edges in the colours and dashes of their
// kinds, and the legend that explains them.
#pragma once

#include "widgets/graph/graph_drawing.h"

#include <QColor>
#include <QPen>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

[[nodiscard]] QColor role_colour(GraphRole role, const Theme& theme);
[[nodiscard]] QPen edge_pen(const GraphEdge& edge, const Theme& theme, double unit);

struct GraphEmphasis {
    std::optional<std::size_t> hovered; ///< numbers of nodes
    std::optional<std::size_t> chosen;
    std::optional<std::size_t> hovered_edge; ///< number of a drawn edge
    bool has_focus = false;                  ///< a ring around the chosen node says so
};

class GraphPainting {
public:
    GraphPainting(const Graph& graph, const GraphDrawing& drawing, const GraphFonts& fonts,
                  const Theme& theme);

    /// `visible` in units of the drawing; `scale` pixels for one unit. Texts that could not be read are left
    /// out.
    void paint(QPainter& painter, const QRectF& visible, double scale, const GraphEmphasis& emphasis) const;

private:
    void paint_edge(QPainter& painter, const EdgeDrawing& edge, bool is_lit, bool is_faint) const;
    void paint_label(QPainter& painter, const EdgeDrawing& edge, bool is_lit, bool is_faint) const;
    void paint_node(QPainter& painter, std::size_t number, bool has_text,
                    const GraphEmphasis& emphasis) const;

    const Graph& graph_;
    const GraphDrawing& drawing_;
    const GraphFonts& fonts_;
    const Theme& theme_;
};

/// Names of what occurs in the graph, each with a sample, in lines of a width.
class GraphLegend {
public:
    explicit GraphLegend(const Graph& graph);

    [[nodiscard]] double height_for(double width, const QFont& font) const; ///< 0 without entries
    void paint(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const;

private:
    struct Entry {
        QString name;
        std::optional<GraphRole> role; ///< a box; otherwise a line like this edge
        GraphEdge edge;
    };
    struct Place {
        QRectF sample;
        QRectF text;
    };
    [[nodiscard]] std::vector<Place> places(double width, const QFont& font) const;

    std::vector<Entry> entries_;
};

} // namespace sparsight

// The picture of a coordinate tree: its nodes and arrays as plain values, their positions, what a node says,
// navigation by arrow keys, how it is painted, and all nodes as a table.
#pragma once

#include "widgets/look/theme.h"

#include <QFont>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

namespace sparsight {

/// A part of the matrix: rows [row, row + rows), columns [column, column + columns).
struct MatrixRange {
    qint64 row = 0;
    qint64 column = 0;
    qint64 rows = 0;
    qint64 columns = 0;
    bool operator==(const MatrixRange&) const = default;
};

struct TreePictureNode {
    qint64 coordinate = 0;
    std::size_t parent = 0; ///< index of the node in the level above; 0 on the first level
    MatrixRange covers;
    bool has_entry = true; ///< false: only padding below it
};

struct TreePictureLevel {
    QString name;    ///< "i1"
    QString meaning; ///< "row blocks of 4"
    bool is_compressed = false;
    qint64 extent = 0;
    std::vector<TreePictureNode> nodes; ///< ordered by parent
    std::vector<qint64> pos;            ///< for compressed levels
    std::vector<qint64> crd;            ///< for compressed levels
    qint64 left_out = 0;                ///< number of nodes that are not in `nodes`
};

struct TreePicture {
    std::vector<TreePictureLevel> levels; ///< outermost first
    std::vector<double> values;           ///< one for each node of the last level
    MatrixRange window;                   ///< the shown part of the matrix
    qint64 entries = 0;                   ///< entries of the matrix in the window
    qint64 positions = 0;                 ///< values stored for the window, padding included
    qint64 left_out = 0;                  ///< left-out nodes on all levels
};

// Positions are logical pixels from the top left corner of the picture; the captions of the levels stand left
// of it, in their own column.

struct TreeMetrics {
    double node_height = 20;
    double node_padding = 6; ///< left and right of a coordinate
    double sibling_gap = 4;
    double family_gap = 12; ///< between nodes of different parents
    double level_step = 56; ///< from one level to the next
    double margin = 12;
    double cell_height = 20;
    double array_step = 26;
    std::function<double(const QString&)> text_width;
};

struct TreePlace {
    std::size_t level = 0;
    std::size_t node = 0;
    bool operator==(const TreePlace&) const = default;
};

enum class TreeArray { Positions, Coordinates, Values };

/// One array in memory, with a cell for each element of the shown part: coordinates and values below their
/// nodes, positions below the parents whose children they delimit, the last position right of them.
struct TreeArrayRow {
    TreeArray array = TreeArray::Values;
    std::size_t level = 0; ///< for values the last level
    double top = 0;
    std::vector<QRectF> cells;
    QStringList texts; ///< texts of values stay empty where they would not fit
};

/// From left to right.
struct TreeSpan {
    double left = 0;
    double right = 0;
};

struct TreeLayout {
    QRectF root;
    std::vector<double> level_tops;         ///< top of the nodes of each level
    std::vector<std::vector<QRectF>> nodes; ///< by level
    TreeSpan root_span;
    std::vector<std::vector<TreeSpan>> spans; ///< the extent of each node's subtree, by level
    std::vector<TreeArrayRow> arrays;
    double arrays_top = 0;
    QSizeF size;

    [[nodiscard]] std::optional<TreePlace> node_at(QPointF point) const;
    /// The node whose coordinate or value is in the cell at this point.
    [[nodiscard]] std::optional<TreePlace> cell_at(QPointF point) const;
};

[[nodiscard]] TreeLayout lay_out(const TreePicture& picture, const TreeMetrics& metrics);

/// The same layout with every node moved into view, as near to its position as possible, while any part of
/// its subtree is in view: a user who scrolls through the leaves of a wide tree keeps seeing their ancestors.
[[nodiscard]] TreeLayout kept_in_view(const TreeLayout& layout, TreeSpan view);

/// The node, its ancestors and all its descendants, by level: these are highlighted when the node is pointed
/// at.
[[nodiscard]] std::vector<std::vector<bool>> family_of(const TreePicture& picture, TreePlace place);

/// "i1 = 3, rows 12 to 15, columns 0 to 7, has entries"; rich text, one fact per line.
[[nodiscard]] QString node_explanation(const TreePicture& picture, TreePlace place);

/// The neighbour, parent or first child that an arrow key leads to; `place` itself where there is none.
[[nodiscard]] TreePlace beside(const TreePicture& picture, TreePlace place, Qt::Key key);

[[nodiscard]] QString tree_csv(const TreePicture& picture);

// How the picture is painted, on the screen and into files.

struct TreeFonts {
    QFont node;    ///< coordinates and cells
    QFont name;    ///< names of levels
    QFont caption; ///< what they mean
};

[[nodiscard]] TreeFonts tree_fonts();
[[nodiscard]] TreeMetrics tree_metrics(const TreeFonts& fonts);

/// "i1 · compressed", and what that stores, for the column of captions.
[[nodiscard]] QString level_title(const TreePictureLevel& level);
[[nodiscard]] QString level_storage_text(const TreePictureLevel& level);
/// What the format of the level means, as a tooltip.
[[nodiscard]] QString level_explanation(const TreePictureLevel& level);
/// "k1 crd", "values"
[[nodiscard]] QString array_title(const TreePicture& picture, const TreeArrayRow& row);
[[nodiscard]] QString array_explanation(const TreePicture& picture, const TreeArrayRow& row);
/// "rows 0 to 7, columns 16 to 23 · 12 entries in 32 stored values · 20 of them padding"
[[nodiscard]] QString tree_summary(const TreePicture& picture);

/// Wide enough for every caption.
[[nodiscard]] double caption_width(const TreePicture& picture, const TreeLayout& layout,
                                   const TreeFonts& fonts);

class TreePainting {
public:
    TreePainting(const TreePicture& picture, const TreeLayout& layout, const TreeFonts& fonts,
                 const Theme& theme);

    /// What lies within `visible`, with this node and its path lit up.
    void paint(QPainter& painter, const QRectF& visible, std::optional<TreePlace> lit) const;
    void paint_captions(QPainter& painter, double width) const;

private:
    void paint_edge(QPainter& painter, const QRectF& from, const QRectF& to, bool is_padding,
                    bool is_lit) const;
    void paint_node(QPainter& painter, TreePlace place, bool is_lit, bool is_current) const;
    void paint_array(QPainter& painter, const TreeArrayRow& row, const QRectF& visible,
                     const std::vector<std::vector<bool>>& family, std::optional<TreePlace> lit) const;

    const TreePicture& picture_;
    const TreeLayout& layout_;
    TreeFonts fonts_;
    const Theme& theme_;
};

} // namespace sparsight

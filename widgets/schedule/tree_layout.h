// Where everything of a coordinate tree's picture stands. Coordinates are logical pixels from the top left
// corner of the picture; the captions of the levels lie left of it, in a column of their own.
#pragma once

#include "widgets/schedule/tree_picture.h"

#include <QRectF>
#include <QStringList>
#include <functional>
#include <optional>

namespace sparsight {

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

enum class TreeArray { Nothing, Positions, Coordinates, Values };

/// One array in memory, a cell for each element of the shown part.
struct TreeArrayRow {
    TreeArray array = TreeArray::Nothing; ///< Nothing: a level that stores none, said in words
    std::size_t level = 0;                ///< for values the last one
    double top = 0;
    std::vector<QRectF> cells;
    QStringList texts;
};

struct TreeLayout {
    QRectF root;
    std::vector<double> level_tops;         ///< of the nodes of each level
    std::vector<std::vector<QRectF>> nodes; ///< by level
    std::vector<TreeArrayRow> arrays;
    double arrays_top = 0;
    QSizeF size;

    [[nodiscard]] std::optional<TreePlace> node_at(QPointF point) const;
    /// The node whose coordinate or value the cell there holds.
    [[nodiscard]] std::optional<TreePlace> cell_at(QPointF point) const;
};

[[nodiscard]] TreeLayout lay_out(const TreePicture& picture, const TreeMetrics& metrics);

/// The node, its ancestors and everything below it, by level: what lights up when it is pointed at.
[[nodiscard]] std::vector<std::vector<bool>> family_of(const TreePicture& picture, TreePlace place);

} // namespace sparsight

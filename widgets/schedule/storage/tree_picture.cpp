#include "widgets/schedule/storage/tree_picture.h"

#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// Positions the nodes of all levels from left to right, leaves first.
class Placing {
public:
    Placing(const TreePicture& picture, const TreeMetrics& metrics, TreeLayout& layout)
        : picture_(picture)
        , metrics_(metrics)
        , layout_(layout) {
        for (std::size_t l = 0; l < picture.levels.size(); ++l) {
            widths_.push_back(node_width(l));
            layout.nodes.emplace_back(picture.levels[l].nodes.size());
            layout.spans.emplace_back(picture.levels[l].nodes.size());
            layout.level_tops.push_back(metrics.margin +
                                        static_cast<double>(layout.nodes.size()) * metrics.level_step);
            next_.push_back(0);
        }
    }

    void place() {
        right_ = metrics_.margin;
        const double width = metrics_.text_width(QStringLiteral("A")) + 2 * metrics_.node_padding + 4;
        const double centre = place_children(0, 0, metrics_.margin + width / 2);
        layout_.root = {centre - width / 2, metrics_.margin, width, metrics_.node_height};
        layout_.root_span = {metrics_.margin, std::max(right_, layout_.root.right())};
        layout_.size.setWidth(layout_.root_span.right + metrics_.margin);
    }

private:
    /// Wide enough for the coordinates and for the numbers below the nodes.
    [[nodiscard]] double node_width(std::size_t l) const {
        const TreePictureLevel& level = picture_.levels[l];
        double widest = metrics_.text_width(QStringLiteral("0"));
        for (const TreePictureNode& node : level.nodes)
            widest = std::max(widest, metrics_.text_width(count_text(node.coordinate)));
        if (l + 1 < picture_.levels.size())
            for (const qint64 position : picture_.levels[l + 1].pos)
                widest = std::max(widest, metrics_.text_width(count_text(position)));
        return std::max(widest + 2 * metrics_.node_padding, metrics_.node_height);
    }

    /// Returns the centre of the children; `otherwise` where there are none.
    double place_children(std::size_t level, std::size_t parent, double otherwise) {
        if (level == picture_.levels.size())
            return otherwise;
        const std::vector<TreePictureNode>& nodes = picture_.levels[level].nodes;
        std::size_t& next = next_[level];
        double first = 0;
        double last = 0;
        bool found = false;
        for (; next < nodes.size() && nodes[next].parent == parent; found = true) {
            const std::size_t node = next++;
            last = place_node(level, node, !found);
            first = found ? first : last;
        }
        return found ? (first + last) / 2 : otherwise;
    }

    double place_node(std::size_t level, std::size_t node, bool is_first_child) {
        const double width = widths_[level];
        const double before = right_;
        const double gap =
            is_first_child || level + 1 < picture_.levels.size() ? metrics_.family_gap : metrics_.sibling_gap;
        const double start = before + (before > metrics_.margin ? gap : 0);
        const bool is_last_level = level + 1 == picture_.levels.size();
        const bool has_children = !is_last_level &&
                                  next_[level + 1] < picture_.levels[level + 1].nodes.size() &&
                                  picture_.levels[level + 1].nodes[next_[level + 1]].parent == node;
        double centre = start + width / 2;
        if (has_children)
            centre = place_children(level + 1, node, centre);
        centre = std::max(centre, start + width / 2);
        right_ = std::max(right_, centre + width / 2);
        layout_.spans[level][node] = {std::min(start, centre - width / 2), right_};
        layout_.nodes[level][node] = {centre - width / 2, layout_.level_tops[level], width,
                                      metrics_.node_height};
        return centre;
    }

    const TreePicture& picture_;
    const TreeMetrics& metrics_;
    TreeLayout& layout_;
    std::vector<double> widths_;
    std::vector<std::size_t> next_;
    double right_ = 0; ///< the right end of the nodes placed so far
};

QStringList texts_of(const std::vector<qint64>& numbers) {
    QStringList texts;
    for (const qint64 number : numbers)
        texts << count_text(number);
    return texts;
}

/// Two digits are enough to distinguish values.
QString value_text(double value) {
    const double size = std::abs(value);
    if (value == std::round(value) && size < 1000)
        return count_text(static_cast<qint64>(value));
    return size >= 0.01 && size < 1000
               ? significant(value, 2)
               : QString::number(value, 'e', 0).replace(QStringLiteral("e+0"), QStringLiteral("e"));
}

/// The arrays below the tree, level by level.
class Arrays {
public:
    Arrays(const TreePicture& picture, const TreeMetrics& metrics, TreeLayout& layout)
        : picture_(picture)
        , metrics_(metrics)
        , layout_(layout)
        , top_(layout.arrays_top) {}

    void place() {
        for (std::size_t l = 0; l < picture_.levels.size(); ++l)
            if (picture_.levels[l].is_compressed) {
                add_positions(l);
                add_below_nodes(TreeArray::Coordinates, l, texts_of(picture_.levels[l].crd));
            }
        if (!picture_.levels.empty())
            add_below_nodes(TreeArray::Values, picture_.levels.size() - 1, values());
        layout_.size.setHeight(top_ + metrics_.margin / 2);
    }

private:
    [[nodiscard]] QStringList values() const {
        QStringList texts;
        for (const double value : picture_.values) {
            const QString text = value_text(value);
            const double room = layout_.nodes.back().front().width() + metrics_.sibling_gap / 2;
            texts << (metrics_.text_width(text) <= room ? text : QString());
        }
        return texts;
    }

    void add_below_nodes(TreeArray array, std::size_t level, const QStringList& texts) {
        TreeArrayRow row{array, level, top_, {}, texts};
        for (const QRectF& node : layout_.nodes[level])
            row.cells.push_back(cell_below(node));
        finish(row);
    }

    void add_positions(std::size_t level) {
        TreeArrayRow row{TreeArray::Positions, level, top_, {}, texts_of(picture_.levels[level].pos)};
        const std::vector<QRectF> parents =
            level == 0 ? std::vector<QRectF>{layout_.root} : layout_.nodes[level - 1];
        for (std::size_t cell = 0; cell < picture_.levels[level].pos.size(); ++cell)
            row.cells.push_back(cell < parents.size() ? cell_below(parents[cell])
                                : row.cells.empty()
                                    ? cell_below(layout_.root)
                                    : row.cells.back().translated(row.cells.back().width(), 0));
        finish(row);
    }

    [[nodiscard]] QRectF cell_below(const QRectF& node) const {
        // The gap between siblings is divided between them, so that cells that are adjacent in memory touch.
        return QRectF(node.left(), top_, node.width(), metrics_.cell_height)
            .adjusted(-metrics_.sibling_gap / 2, 0, metrics_.sibling_gap / 2, 0);
    }

    void finish(const TreeArrayRow& row) {
        if (!row.cells.empty())
            layout_.size.setWidth(std::max(layout_.size.width(), row.cells.back().right() + metrics_.margin));
        layout_.arrays.push_back(row);
        top_ += metrics_.array_step;
    }

    const TreePicture& picture_;
    const TreeMetrics& metrics_;
    TreeLayout& layout_;
    double top_;
};

/// The shift that brings a node into view together with its subtree.
double shift_into(const QRectF& node, TreeSpan subtree, TreeSpan view) {
    const double half = node.width() / 2;
    const double first = std::max(subtree.left, view.left) + half;
    const double last = std::min(subtree.right, view.right) - half;
    if (first > last)
        return 0;
    return std::clamp(node.center().x(), first, last) - node.center().x();
}

} // namespace

std::optional<TreePlace> TreeLayout::node_at(QPointF point) const {
    for (std::size_t level = 0; level < nodes.size(); ++level)
        for (std::size_t node = 0; node < nodes[level].size(); ++node)
            if (nodes[level][node].adjusted(-2, -2, 2, 2).contains(point))
                return TreePlace{level, node};
    return std::nullopt;
}

std::optional<TreePlace> TreeLayout::cell_at(QPointF point) const {
    for (const TreeArrayRow& row : arrays)
        if (row.array != TreeArray::Positions)
            for (std::size_t cell = 0; cell < row.cells.size(); ++cell)
                if (row.cells[cell].contains(point))
                    return TreePlace{row.level, cell};
    return std::nullopt;
}

TreeLayout lay_out(const TreePicture& picture, const TreeMetrics& metrics) {
    TreeLayout layout;
    Placing(picture, metrics, layout).place();
    // The caption of the last level reaches further down than its nodes.
    layout.arrays_top = metrics.margin + static_cast<double>(picture.levels.size() + 1) * metrics.level_step;
    Arrays(picture, metrics, layout).place();
    return layout;
}

TreeLayout kept_in_view(const TreeLayout& layout, TreeSpan view) {
    TreeLayout kept = layout;
    const double root = shift_into(layout.root, layout.root_span, view);
    kept.root.translate(root, 0);
    std::vector<std::vector<double>> shifts;
    for (std::size_t level = 0; level < layout.nodes.size(); ++level) {
        shifts.emplace_back();
        for (std::size_t node = 0; node < layout.nodes[level].size(); ++node) {
            shifts[level].push_back(shift_into(layout.nodes[level][node], layout.spans[level][node], view));
            kept.nodes[level][node].translate(shifts[level][node], 0);
        }
    }
    for (TreeArrayRow& row : kept.arrays)
        for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
            if (row.array != TreeArray::Positions) {
                row.cells[cell].translate(shifts[row.level][cell], 0);
                continue;
            }
            // The last position belongs to the last parent.
            const std::vector<double> parents =
                row.level == 0 ? std::vector<double>{root} : shifts[row.level - 1];
            if (!parents.empty())
                row.cells[cell].translate(parents[std::min(cell, parents.size() - 1)], 0);
        }
    return kept;
}

std::vector<std::vector<bool>> family_of(const TreePicture& picture, TreePlace place) {
    std::vector<std::vector<bool>> family;
    for (const TreePictureLevel& level : picture.levels)
        family.emplace_back(level.nodes.size(), false);
    std::size_t node = place.node;
    for (std::size_t level = place.level + 1; level-- > 0; node = picture.levels[level].nodes[node].parent)
        family[level][node] = true;
    for (std::size_t level = place.level + 1; level < picture.levels.size(); ++level)
        for (std::size_t child = 0; child < picture.levels[level].nodes.size(); ++child)
            family[level][child] = family[level - 1][picture.levels[level].nodes[child].parent];
    return family;
}

namespace {

struct TreePictureText {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CoordinateTreeView)
};

} // namespace

QString node_explanation(const TreePicture& picture, TreePlace place) {
    const TreePictureLevel& level = picture.levels[place.level];
    const TreePictureNode& node = level.nodes[place.node];
    const auto range = [](qint64 begin, qint64 length, const QString& one, const QString& many) {
        return length == 1 ? one.arg(count_text(begin))
                           : many.arg(count_text(begin), count_text(begin + length - 1));
    };
    const QString where = range(node.covers.row, node.covers.rows, TreePictureText::tr("row %1"),
                                TreePictureText::tr("rows %1 to %2")) +
                          QStringLiteral(", ") +
                          range(node.covers.column, node.covers.columns, TreePictureText::tr("column %1"),
                                TreePictureText::tr("columns %1 to %2"));
    const bool is_leaf = place.level + 1 == picture.levels.size();
    const QString what = node.has_entry ? (is_leaf ? TreePictureText::tr("an entry of the matrix")
                                                   : TreePictureText::tr("has entries"))
                         : is_leaf      ? TreePictureText::tr("padding: a stored zero")
                                        : TreePictureText::tr("no entries: all below is padding or empty");
    QString text = TreePictureText::tr("<b>%1 = %2</b><br>%3<br>%4")
                       .arg(level.name, count_text(node.coordinate), where, what);
    if (is_leaf)
        text += TreePictureText::tr("<br>value %1").arg(significant(picture.values[place.node], 6));
    return text;
}

TreePlace beside(const TreePicture& picture, TreePlace place, Qt::Key key) {
    const auto& nodes = picture.levels[place.level].nodes;
    if (key == Qt::Key_Left && place.node > 0) {
        --place.node;
    } else if (key == Qt::Key_Right && place.node + 1 < nodes.size()) {
        ++place.node;
    } else if (key == Qt::Key_Up && place.level > 0) {
        place = {place.level - 1, nodes[place.node].parent};
    } else if (key == Qt::Key_Down && place.level + 1 < picture.levels.size()) {
        const auto& below = picture.levels[place.level + 1].nodes;
        const auto child = std::ranges::find(below, place.node, &TreePictureNode::parent);
        if (child != below.end())
            place = {place.level + 1, static_cast<std::size_t>(child - below.begin())};
    }
    return place;
}

QString tree_csv(const TreePicture& picture) {
    QString csv = QStringLiteral("level,format,coordinate,parent,row,column,rows,columns,has_entry\n");
    for (const TreePictureLevel& level : picture.levels)
        for (const TreePictureNode& node : level.nodes)
            csv += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,%9\n")
                       .arg(level.name, level.is_compressed ? QStringLiteral("compressed")
                                                            : QStringLiteral("uncompressed"))
                       .arg(node.coordinate)
                       .arg(node.parent)
                       .arg(node.covers.row)
                       .arg(node.covers.column)
                       .arg(node.covers.rows)
                       .arg(node.covers.columns)
                       .arg(node.has_entry ? 1 : 0);
    return csv;
}

} // namespace sparsight

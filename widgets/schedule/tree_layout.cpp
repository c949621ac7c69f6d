#include "widgets/schedule/tree_layout.h"

#include "widgets/look/number_text.h"

#include <algorithm>

namespace sparsight {

namespace {

/// Stands the nodes of all levels from left to right, leaves first.
class Placing {
public:
    Placing(const TreePicture& picture, const TreeMetrics& metrics, TreeLayout& layout)
        : picture_(picture)
        , metrics_(metrics)
        , layout_(layout) {
        for (const TreePictureLevel& level : picture.levels) {
            widths_.push_back(node_width(level));
            layout.nodes.emplace_back(level.nodes.size());
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
        layout_.size.setWidth(std::max(right_, layout_.root.right()) + metrics_.margin);
    }

private:
    [[nodiscard]] double node_width(const TreePictureLevel& level) const {
        double widest = metrics_.text_width(QStringLiteral("0"));
        for (const TreePictureNode& node : level.nodes)
            widest = std::max(widest, metrics_.text_width(count_text(node.coordinate)));
        return std::max(widest + 2 * metrics_.node_padding, metrics_.node_height);
    }

    /// Returns the middle of the children; `otherwise` where there are none.
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
        layout_.nodes[level][node] = {centre - width / 2, layout_.level_tops[level], width,
                                      metrics_.node_height};
        return centre;
    }

    const TreePicture& picture_;
    const TreeMetrics& metrics_;
    TreeLayout& layout_;
    std::vector<double> widths_;
    std::vector<std::size_t> next_;
    double right_ = 0; ///< how far the picture is taken
};

QStringList texts_of(const std::vector<qint64>& numbers) {
    QStringList texts;
    for (const qint64 number : numbers)
        texts << count_text(number);
    return texts;
}

/// The arrays below the tree, level by level.
void place_arrays(const TreePicture& picture, const TreeMetrics& metrics, TreeLayout& layout) {
    double top = layout.arrays_top;
    double right = layout.size.width();
    const auto add = [&](TreeArray array, std::size_t level, const QStringList& texts) {
        TreeArrayRow row{array, level, top, {}, texts};
        double width = metrics.cell_height;
        for (const QString& text : texts)
            width = std::max(width, metrics.text_width(text) + metrics.node_padding);
        double left = metrics.margin;
        for (qsizetype cell = 0; cell < texts.size(); ++cell, left += width)
            row.cells.emplace_back(left, top, width, metrics.cell_height);
        right = std::max(right, left + metrics.margin);
        layout.arrays.push_back(row);
        top += metrics.array_step;
    };
    for (std::size_t l = 0; l < picture.levels.size(); ++l) {
        const TreePictureLevel& level = picture.levels[l];
        if (!level.is_compressed) {
            add(TreeArray::Nothing, l, {});
            continue;
        }
        add(TreeArray::Positions, l, texts_of(level.pos));
        add(TreeArray::Coordinates, l, texts_of(level.crd));
    }
    if (!picture.levels.empty()) {
        QStringList values;
        for (const double value : picture.values)
            values << (value == 0   ? QStringLiteral("0")
                       : value == 1 ? QStringLiteral("1")
                                    : significant(value));
        add(TreeArray::Values, picture.levels.size() - 1, values);
    }
    layout.size = {right, top + metrics.margin};
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
        if (row.array == TreeArray::Coordinates || row.array == TreeArray::Values)
            for (std::size_t cell = 0; cell < row.cells.size(); ++cell)
                if (row.cells[cell].contains(point))
                    return TreePlace{row.level, cell};
    return std::nullopt;
}

TreeLayout lay_out(const TreePicture& picture, const TreeMetrics& metrics) {
    TreeLayout layout;
    Placing(picture, metrics, layout).place();
    layout.arrays_top = metrics.margin + static_cast<double>(picture.levels.size()) * metrics.level_step +
                        metrics.node_height + 2 * metrics.margin;
    place_arrays(picture, metrics, layout);
    return layout;
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

} // namespace sparsight

#include "domains/sparse/kernel/storage/coordinate_tree.h"

#include <algorithm>
#include <map>

namespace sparsight {

namespace {

struct Entry {
    std::int64_t row = 0;
    std::int64_t column = 0;
    float value = 1;
};

/// What lies below a node: rows and columns of the window, and the entries in them.
struct Subtree {
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> columns;
    std::vector<Entry> entries;
};

std::int64_t split_of(const StorageFormat& format, bool is_row) {
    const auto level = std::ranges::find(format.levels, is_row, &StorageLevel::is_row);
    return level == format.levels.end() ? 1 : level->split;
}

/// How far the levels of the rows (columns) reach: the extent, rounded up to whole blocks.
std::int64_t padded_extent(const StorageFormat& format, bool is_row) {
    const std::int64_t split = split_of(format, is_row);
    const std::int64_t whole = is_row ? format.rows() : format.cols();
    return (whole + split - 1) / split * split;
}

std::int64_t coordinate_on(const StorageLevel& level, std::int64_t x) {
    return level.loop.part == Part::Outer ? x / level.split : x % level.split;
}

std::vector<std::int64_t> range(std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> result;
    for (std::int64_t x = begin; x < end; ++x)
        result.push_back(x);
    return result;
}

std::vector<Entry> entries_in(const CsrPattern& pattern, const MatrixWindow& window) {
    std::vector<Entry> entries;
    const auto ids = pattern.column_ids.begin();
    for (std::int64_t row = window.row; row < std::min(window.row + window.rows, pattern.rows); ++row) {
        const auto r = static_cast<std::size_t>(row);
        const auto end = ids + pattern.row_pointers[r + 1];
        for (auto at = std::lower_bound(ids + pattern.row_pointers[r], end, window.column);
             at != end && *at < window.column + window.columns; ++at)
            entries.push_back(
                {row, *at, pattern.has_values() ? pattern.values[static_cast<std::size_t>(at - ids)] : 1.0F});
    }
    return entries;
}

/// The smallest range that holds all of them: where it begins and how long it is.
std::pair<std::int64_t, std::int64_t> hull(const std::vector<std::int64_t>& sorted) {
    return sorted.empty() ? std::pair<std::int64_t, std::int64_t>{0, 0}
                          : std::pair{sorted.front(), sorted.back() - sorted.front() + 1};
}

MatrixWindow covered(const Subtree& subtree) {
    const auto [row, rows] = hull(subtree.rows);
    const auto [column, columns] = hull(subtree.columns);
    return {row, column, rows, columns};
}

class TreeBuilder {
public:
    TreeBuilder(CoordinateTree& tree, std::size_t max_nodes)
        : tree_(tree)
        , room_(max_nodes) {}

    void build(const Subtree& root) { visit(0, 0, true, root); }

private:
    /// The children that the level stores below a node, by their coordinate.
    static std::map<std::int64_t, Subtree> children(const StorageLevel& level, const Subtree& parent) {
        std::map<std::int64_t, Subtree> result;
        for (const Entry& entry : parent.entries)
            result[coordinate_on(level, level.is_row() ? entry.row : entry.column)].entries.push_back(entry);
        for (const std::int64_t x : level.is_row() ? parent.rows : parent.columns) {
            const std::int64_t coordinate = coordinate_on(level, x);
            if (level.format == LevelFormat::Compressed && !result.contains(coordinate))
                continue;
            Subtree& child = result[coordinate];
            (level.is_row() ? child.rows : child.columns).push_back(x);
        }
        for (auto& [coordinate, child] : result)
            (level.is_row() ? child.columns : child.rows) = level.is_row() ? parent.columns : parent.rows;
        return result;
    }

    void visit(std::size_t depth, std::size_t parent, bool parent_is_shown, const Subtree& subtree) {
        CoordinateLevel& level = tree_.levels[depth];
        const bool is_compressed = level.shape.format == LevelFormat::Compressed;
        const bool is_last = depth + 1 == tree_.levels.size();
        for (const auto& [coordinate, child] : children(level.shape, subtree)) {
            const bool is_shown = room_ > 0;
            const std::size_t node = level.nodes.size();
            if (is_shown) {
                --room_;
                level.nodes.push_back({coordinate, parent, covered(child), !child.entries.empty()});
                if (is_compressed)
                    level.crd.push_back(coordinate);
                if (is_last)
                    tree_.values.push_back(child.entries.empty() ? 0.0F : child.entries.front().value);
            } else {
                ++level.left_out;
                ++tree_.left_out;
            }
            tree_.positions += is_last ? 1 : 0;
            if (!is_last)
                visit(depth + 1, node, is_shown, child);
        }
        if (is_compressed && parent_is_shown)
            level.pos.push_back(static_cast<std::int64_t>(level.nodes.size()) + level.left_out);
    }

    CoordinateTree& tree_;
    std::size_t room_;
};

/// One side of a window: where it begins and how long it is.
std::pair<std::int64_t, std::int64_t> side_at(const StorageFormat& format, bool is_row, std::int64_t place,
                                              std::int64_t wanted) {
    const std::int64_t split = split_of(format, is_row);
    const std::int64_t extent = padded_extent(format, is_row);
    std::int64_t length = std::clamp<std::int64_t>(wanted, 1, largest_tree_window);
    if (split <= length)
        length = length / split * split;
    const std::int64_t step = split <= length ? split : length;
    const std::int64_t last_begin = std::max<std::int64_t>((extent - length + step - 1) / step * step, 0);
    const std::int64_t inside = std::clamp<std::int64_t>(place, 0, std::max<std::int64_t>(extent - 1, 0));
    const std::int64_t begin = std::min(inside / step * step, last_begin);
    return {begin, std::min(length, extent - begin)};
}

} // namespace

MatrixWindow window_at(const StorageFormat& format, std::int64_t row, std::int64_t column, std::int64_t rows,
                       std::int64_t columns) {
    const auto [first_row, height] = side_at(format, true, row, rows);
    const auto [first_column, width] = side_at(format, false, column, columns);
    return {first_row, first_column, height, width};
}

MatrixWindow first_window(const CsrPattern& pattern, const StorageFormat& format, std::int64_t rows,
                          std::int64_t columns) {
    if (pattern.nnz() == 0)
        return window_at(format, 0, 0, rows, columns);
    const auto after = std::ranges::upper_bound(pattern.row_pointers, std::int64_t{0});
    const std::int64_t row = after - pattern.row_pointers.begin() - 1;
    return window_at(format, row, pattern.column_ids.front(), rows, columns);
}

CoordinateTree coordinate_tree(const CsrPattern& pattern, const StorageFormat& format,
                               const MatrixWindow& window, std::size_t max_nodes) {
    const auto side = [](std::int64_t begin, std::int64_t length, std::int64_t extent) {
        const std::int64_t first = std::clamp<std::int64_t>(begin, 0, extent);
        const std::int64_t rest = std::min(largest_tree_window, extent - first);
        return std::pair{first, std::clamp<std::int64_t>(length, 0, rest)};
    };
    const auto [row, rows] = side(window.row, window.rows, padded_extent(format, true));
    const auto [column, columns] = side(window.column, window.columns, padded_extent(format, false));

    CoordinateTree tree;
    tree.window = {row, column, rows, columns};
    for (const StorageLevel& level : format.levels)
        tree.levels.push_back(
            {level, {}, std::vector<std::int64_t>(level.format == LevelFormat::Compressed ? 1 : 0), {}, 0});
    const Subtree root{range(row, row + rows), range(column, column + columns),
                       entries_in(pattern, tree.window)};
    tree.entries = static_cast<std::int64_t>(root.entries.size());
    if (!tree.levels.empty() && rows > 0 && columns > 0)
        TreeBuilder(tree, max_nodes).build(root);
    return tree;
}

} // namespace sparsight

#include "domains/sparse/kernel/storage/storage_format.h"

#include <fmt/format.h>

namespace sparsight {

StorageFormat storage_format(const SuperSchedule& schedule, std::int64_t rows, std::int64_t cols) {
    StorageFormat format{rows, cols, {}};
    for (const LoopIndex loop : schedule.loops()) {
        if (!is_sparse_index(schedule.op, loop.index))
            continue;
        const std::int64_t split = schedule.split(loop.index);
        if (loop.part == Part::Inner && split == 1)
            continue;
        const bool is_row = loop.index == row_index(schedule.op);
        const std::int64_t whole = is_row ? rows : cols;
        const std::int64_t extent = loop.part == Part::Inner ? split : (whole + split - 1) / split;
        format.levels.push_back({loop, is_row, split, extent, schedule.format(loop)});
    }
    return format;
}

std::string describe(const StorageFormat& format) {
    std::string text;
    for (const StorageLevel& level : format.levels)
        text += fmt::format("{}{}{}:{}({})", text.empty() ? "" : " ", letter(level.loop.index),
                            level.loop.part == Part::Outer ? 1 : 0,
                            level.format == LevelFormat::Compressed ? 'C' : 'U', level.extent);
    return text;
}

namespace {

/// The place in the tree that a walk has reached.
struct Walk {
    const PackedMatrix& matrix;
    CooPattern& result;

    void visit(std::size_t level, std::int64_t position, std::int64_t row, std::int64_t column) const {
        if (level == matrix.levels.size()) {
            store(position, row, column);
            return;
        }
        const StorageLevel& shape = matrix.format.levels[level];
        const PackedLevel& packed = matrix.levels[level];
        if (shape.format == LevelFormat::Uncompressed) {
            for (std::int64_t coordinate = 0; coordinate < shape.extent; ++coordinate)
                descend(level, position * shape.extent + coordinate, coordinate, row, column);
            return;
        }
        const auto parent = static_cast<std::size_t>(position);
        for (std::int64_t child = packed.pos[parent]; child < packed.pos[parent + 1]; ++child)
            descend(level, child, packed.crd[static_cast<std::size_t>(child)], row, column);
    }

    void descend(std::size_t level, std::int64_t position, std::int64_t coordinate, std::int64_t row,
                 std::int64_t column) const {
        const StorageLevel& shape = matrix.format.levels[level];
        const std::int64_t step = shape.loop.part == Part::Outer ? coordinate * shape.split : coordinate;
        visit(level + 1, position, row + (shape.is_row ? step : 0), column + (shape.is_row ? 0 : step));
    }

    void store(std::int64_t position, std::int64_t row, std::int64_t column) const {
        // The last blocks of a split that does not divide the extent reach beyond the matrix.
        if (row >= result.rows || column >= result.cols)
            return;
        result.row_ids.push_back(static_cast<std::int32_t>(row));
        result.column_ids.push_back(static_cast<std::int32_t>(column));
        result.values.push_back(matrix.values[static_cast<std::size_t>(position)]);
    }
};

} // namespace

std::uint64_t PackedMatrix::bytes() const {
    std::uint64_t words = values.size();
    for (const PackedLevel& level : levels)
        words += level.pos.size() + level.crd.size();
    return words * 4;
}

CooPattern to_coordinates(const PackedMatrix& matrix) {
    CooPattern result{matrix.format.rows, matrix.format.cols, {}, {}, {}};
    Walk{matrix, result}.visit(0, 0, 0, 0);
    return result;
}

} // namespace sparsight

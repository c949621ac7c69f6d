#include "model/coordinate_set.h"

#include "base/parallel.h"
#include "model/constant_layer.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

using Iterator = CoordinateSet::const_iterator;

/// One row of a stride cell, read in ascending order.
struct RowCursor {
    Iterator at;
    Iterator end;
};

/// Appends the cells of the rows [begin, end), which are all that lie in row `cell_row` of cells.
template <typename Stride>
void append_cell_row(Iterator begin, Iterator end, std::int64_t cell_row, Stride stride,
                     std::vector<RowCursor>& rows, CoordinateSet& cells) {
    rows.clear();
    for (std::int64_t row = cell_row * stride; begin != end; ++row) {
        const Iterator next = std::find_if(begin, end, [&](std::int64_t at) { return row_of(at) != row; });
        if (next != begin)
            rows.push_back({begin, next});
        begin = next;
    }
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    while (true) {
        std::int64_t column = none;
        for (const RowCursor& row : rows)
            if (row.at != row.end)
                column = std::min(column, column_of(*row.at) / stride);
        if (column == none)
            return;
        cells.push_back(pack_coordinate(cell_row, column));
        for (RowCursor& row : rows)
            while (row.at != row.end && column_of(*row.at) / stride == column)
                ++row.at;
    }
}

template <typename Stride>
void append_cells(Iterator at, Iterator end, Stride stride, CoordinateSet& cells) {
    std::vector<RowCursor> rows;
    while (at < end) {
        const std::int64_t cell_row = row_of(*at) / stride;
        const std::int64_t beyond = pack_coordinate((cell_row + 1) * stride, 0);
        const Iterator next = std::find_if(at, end, [&](std::int64_t key) { return key >= beyond; });
        append_cell_row(at, next, cell_row, stride, rows, cells);
        at = next;
    }
}

/// The first coordinate at or after `position` that begins a row of cells.
template <typename Stride>
Iterator start_of_cell_row(const CoordinateSet& coordinates, std::int64_t position, Stride stride) {
    if (position == 0 || position == static_cast<std::int64_t>(coordinates.size()))
        return coordinates.begin() + position;
    const std::int64_t cell_row = row_of(coordinates[static_cast<std::size_t>(position - 1)]) / stride;
    return std::lower_bound(coordinates.begin() + position, coordinates.end(),
                            pack_coordinate((cell_row + 1) * stride, 0));
}

CoordinateSet joined(std::vector<CoordinateSet> parts) {
    if (parts.size() == 1)
        return std::move(parts.front());
    std::vector<std::size_t> starts{0};
    for (const CoordinateSet& part : parts)
        starts.push_back(starts.back() + part.size());
    CoordinateSet all(starts.back());
    const auto count = static_cast<int>(parts.size());
    parallel_parts(count, count, [&](int part, std::int64_t, std::int64_t) {
        const auto at = static_cast<std::size_t>(part);
        std::ranges::copy(parts[at], all.begin() + static_cast<std::ptrdiff_t>(starts[at]));
    });
    return all;
}

} // namespace

int useful_threads(int threads, std::int64_t coordinates) {
    constexpr std::int64_t coordinates_a_thread = 16'384;
    return static_cast<int>(
        std::clamp<std::int64_t>(coordinates / coordinates_a_thread, 1, std::max(threads, 1)));
}

CoordinateSet coordinates_of(const CsrPattern& pattern, int threads) {
    CoordinateSet coordinates(static_cast<std::size_t>(pattern.nnz()));
    parallel_parts(
        useful_threads(threads, pattern.nnz()), pattern.rows, [&](int, std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) {
                const auto first =
                    static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
                const auto last =
                    static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]);
                for (std::size_t at = first; at < last; ++at)
                    coordinates[at] = pack_coordinate(row, pattern.column_ids[at]);
            }
        });
    return coordinates;
}

CoordinateSet stride_cells(const CoordinateSet& coordinates, int stride, int threads) {
    const auto count = static_cast<std::int64_t>(coordinates.size());
    const int used = useful_threads(threads, count);
    std::vector<CoordinateSet> parts(static_cast<std::size_t>(used));
    with_constant_stride(stride, [&](auto by) {
        parallel_parts(used, count, [&](int part, std::int64_t first, std::int64_t last) {
            const Iterator begin = start_of_cell_row(coordinates, first, by);
            const Iterator end = start_of_cell_row(coordinates, last, by);
            CoordinateSet& cells = parts[static_cast<std::size_t>(part)];
            cells.reserve(static_cast<std::size_t>(std::max<std::int64_t>(end - begin, 0)));
            append_cells(begin, end, by, cells);
        });
    });
    return joined(std::move(parts));
}

} // namespace sparsight

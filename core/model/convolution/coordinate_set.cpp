#include "model/convolution/coordinate_set.h"

#include "base/parallel.h"

#include <algorithm>
#include <limits>

namespace sparsight {

namespace {

using Iterator = CoordinateSet::const_iterator;

/// One row of a stride cell, read in ascending order.
struct RowCursor {
    Iterator at;
    Iterator end;
};

/// Writes the cells of the rows [begin, end), which are all that lie in row `cell_row` of cells, and returns
/// where they end.
template <typename Stride>
std::int64_t* write_cell_row(Iterator begin, Iterator end, std::int64_t cell_row, Stride stride,
                             std::vector<RowCursor>& rows, std::int64_t* cells) {
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
            return cells;
        *cells++ = pack_coordinate(cell_row, column);
        for (RowCursor& row : rows)
            while (row.at != row.end && column_of(*row.at) / stride == column)
                ++row.at;
    }
}

/// Writes the cells of [begin, end), which begins a row of cells, and returns where they end.
template <typename Stride>
std::int64_t* write_cells(Iterator begin, Iterator end, Stride stride, std::int64_t* cells) {
    std::vector<RowCursor> rows;
    while (begin < end) {
        const std::int64_t cell_row = row_of(*begin) / stride;
        const std::int64_t beyond = pack_coordinate((cell_row + 1) * stride, 0);
        const Iterator next = std::find_if(begin, end, [&](std::int64_t key) { return key >= beyond; });
        cells = write_cell_row(begin, next, cell_row, stride, rows, cells);
        begin = next;
    }
    return cells;
}

/// The same for cells of two rows, which are nearly all that there are: one coordinate after the other,
/// without a branch on whose turn it is, which a processor would guess wrongly every other time.
std::int64_t* write_cells(Iterator begin, Iterator end, std::integral_constant<int, 2>, std::int64_t* cells) {
    const auto cell_of = [](std::int64_t key) {
        return pack_coordinate(row_of(key) / 2, column_of(key) / 2);
    };
    std::int64_t last = -1;
    const auto write = [&](std::int64_t cell) {
        *cells = cell; // the next one takes its place if it was there
        cells += cell != last ? 1 : 0;
        last = cell;
    };
    while (begin < end) {
        const std::int64_t lower_row = row_of(*begin) | 1;
        const auto from = [&](Iterator at, std::int64_t key) {
            return std::find_if(at, end, [&](std::int64_t other) { return other >= key; });
        };
        Iterator upper = begin;
        const Iterator upper_end = from(begin, pack_coordinate(lower_row, 0));
        Iterator lower = upper_end;
        const Iterator lower_end = from(lower, pack_coordinate(lower_row + 1, 0));
        while (upper != upper_end && lower != lower_end) {
            const std::int64_t above = cell_of(*upper);
            const std::int64_t below = cell_of(*lower);
            write(std::min(above, below));
            upper += above <= below ? 1 : 0;
            lower += below <= above ? 1 : 0;
        }
        for (; upper != upper_end; ++upper)
            write(cell_of(*upper));
        for (; lower != lower_end; ++lower)
            write(cell_of(*lower));
        begin = lower_end;
    }
    return cells;
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

/// The cells that one thread wrote, from the position of its first coordinate.
struct CellPart {
    std::int64_t* begin = nullptr;
    std::int64_t* end = nullptr;
};

/// Moves the parts of `cells` together.
void close_gaps(CoordinateSet& cells, const std::vector<CellPart>& parts) {
    std::int64_t* end = cells.data();
    for (const CellPart& part : parts)
        end = part.begin == end ? part.end : std::copy(part.begin, part.end, end);
    cells.resize(static_cast<std::size_t>(end - cells.data()));
}

} // namespace

int useful_threads(int threads, std::int64_t coordinates) {
    constexpr std::int64_t coordinates_a_thread = 16'384;
    return static_cast<int>(
        std::clamp<std::int64_t>(coordinates / coordinates_a_thread, 1, std::max(threads, 1)));
}

CoordinateSet coordinates_of(const CompressedRowsView& pattern, int threads) {
    CoordinateSet coordinates(static_cast<std::size_t>(pattern.nnz()));
    parallel_parts(useful_threads(threads, pattern.nnz()), pattern.rows(),
                   [&](int, std::int64_t begin, std::int64_t end) {
                       for (std::int64_t row = begin; row < end; ++row) {
                           const auto first =
                               static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
                           const auto last = static_cast<std::size_t>(
                               pattern.row_pointers[static_cast<std::size_t>(row) + 1]);
                           for (std::size_t at = first; at < last; ++at)
                               coordinates[at] = pack_coordinate(row, pattern.column_ids[at]);
                       }
                   });
    return coordinates;
}

CoordinateSet stride_cells(const CoordinateSet& coordinates, int stride, int threads) {
    const auto count = static_cast<std::int64_t>(coordinates.size());
    const int used = useful_threads(threads, count);
    // No more cells than coordinates, and for each thread room for one that is not kept.
    CoordinateSet cells(static_cast<std::size_t>(count + used));
    std::vector<CellPart> parts(static_cast<std::size_t>(used));
    with_constant_stride(stride, [&](auto by) {
        parallel_parts(used, count, [&](int part, std::int64_t first, std::int64_t last) {
            const Iterator begin = start_of_cell_row(coordinates, first, by);
            const Iterator end = start_of_cell_row(coordinates, last, by);
            std::int64_t* const own = cells.data() + (begin - coordinates.begin()) + part;
            parts[static_cast<std::size_t>(part)] = {own, write_cells(begin, end, by, own)};
        });
    });
    close_gaps(cells, parts);
    return cells;
}

} // namespace sparsight

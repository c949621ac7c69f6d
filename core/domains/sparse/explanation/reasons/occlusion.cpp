#include "domains/sparse/explanation/reasons/occlusion.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

Viewport part_of(const SaliencyReason& grid, const SaliencyCell& cell) {
    const auto row = static_cast<std::size_t>(cell.row);
    const auto column = static_cast<std::size_t>(cell.column);
    return {grid.row_edges[row], grid.row_edges[row + 1], grid.column_edges[column],
            grid.column_edges[column + 1]};
}

/// By row, then column.
std::vector<SaliencyCell> filled_cells(const DensityGrid& grid) {
    std::vector<SaliencyCell> cells;
    for (std::int64_t row = 0; row < grid.height(); ++row)
        for (std::int64_t column = 0; column < grid.width(); ++column)
            if (const auto entries = grid.counts[static_cast<std::size_t>(row * grid.width() + column)];
                entries > 0)
                cells.push_back({.row = row, .column = column, .entries = entries});
    return cells;
}

} // namespace

CsrPattern without_entries(const CsrPattern& pattern, const Viewport& part, std::int64_t every) {
    CsrPattern left;
    left.rows = pattern.rows;
    left.cols = pattern.cols;
    left.row_pointers.reserve(pattern.row_pointers.size());
    left.column_ids.reserve(pattern.column_ids.size());
    std::int64_t met = 0;
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        const bool is_touched = row >= part.row_begin && row < part.row_end;
        const auto begin = pattern.row_pointers[static_cast<std::size_t>(row)];
        const auto end = pattern.row_pointers[static_cast<std::size_t>(row) + 1];
        for (std::int64_t place = begin; place < end; ++place) {
            const std::int32_t column = pattern.column_ids[static_cast<std::size_t>(place)];
            if (is_touched && column >= part.col_begin && column < part.col_end && met++ % every == 0)
                continue;
            left.column_ids.push_back(column);
        }
        left.row_pointers.push_back(left.nnz());
    }
    return left;
}

Result<SaliencyReason> find_saliency(const OcclusionRequest& request) {
    if (request.pattern.nnz() == 0)
        return fail(Fault::Input, "the matrix has no entries");
    DensityGrid grid = overview(request.pattern, request.cells, request.cells, request.threads);
    const auto whole = request.margin(request.pattern);
    if (!whole)
        return std::unexpected(whole.error());
    SaliencyReason reason{.margin = *whole, .cells = filled_cells(grid)};
    reason.row_edges = std::move(grid.row_edges);
    reason.column_edges = std::move(grid.col_edges);
    // A pattern without any entry is none that a model has ever seen.
    const std::int64_t every = reason.cells.size() == 1 && reason.cells.front().entries > 1 ? 2 : 1;
    reason.removed_share = 1.0 / static_cast<double>(every);

    std::vector<std::size_t> order(reason.cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t place) { return reason.cells[place].entries; });
    for (std::size_t done = 0; done < order.size(); ++done) {
        if (request.stop.stop_requested())
            return fail(Fault::Cancelled, "stopped between two cells");
        if (request.is_over && request.is_over()) {
            reason.complete = false;
            break;
        }
        if (request.progress)
            request.progress({"taking cells of the pattern away", done, order.size()});
        SaliencyCell& cell = reason.cells[order[done]];
        const auto margin = request.margin(without_entries(request.pattern, part_of(reason, cell), every));
        if (!margin)
            return std::unexpected(margin.error());
        cell.support = *whole - *margin;
    }
    return reason;
}

} // namespace sparsight

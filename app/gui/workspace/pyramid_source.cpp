#include "gui/workspace/pyramid_source.h"

#include "base/parallel.h"

#include <algorithm>
#include <stdexcept>

namespace sparsight {

namespace {

/// One core is left to the window that waits for the picture.
int drawing_threads() {
    return std::max(1, available_threads() - 1);
}

Viewport viewport(const PatternArea& area) {
    return {area.row_begin, area.row_end, area.col_begin, area.col_end};
}

} // namespace

PatternCounts PyramidSource::counts(const PatternArea& area, int width, int height) const {
    auto grid = pyramid_->density(viewport(area), width, height, drawing_threads());
    if (!grid)
        throw std::runtime_error(grid.error().message);
    return {std::move(grid->row_edges), std::move(grid->col_edges), std::move(grid->counts)};
}

PatternEntries PyramidSource::entries(const PatternArea& area, std::int64_t limit) const {
    const EntryList list = pyramid_->entries_in(viewport(area), limit);
    PatternEntries found;
    found.total = list.total;
    found.entries.reserve(list.entries.size());
    for (const EntryPosition& entry : list.entries)
        found.entries.push_back({entry.row, entry.col});
    return found;
}

} // namespace sparsight

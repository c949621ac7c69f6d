#include "gui/workspace/pyramid_source.h"

#include "base/parallel.h"

namespace sparsight {

namespace {

Viewport viewport(const PatternArea& area) {
    return {area.row_begin, area.row_end, area.col_begin, area.col_end};
}

} // namespace

PatternCounts PyramidSource::counts(const PatternArea& area, int width, int height) const {
    auto grid = pyramid_->density(viewport(area), width, height, available_threads());
    if (!grid) // only for sizes that PatternSource forbids
        return {};
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

#include "widgets/table/column_widths.h"

#include <algorithm>
#include <numeric>

namespace sparsight {

namespace {

/// No column that can give way is wider than the level.
std::vector<int> widths_at(const std::vector<ColumnNeed>& columns, int level) {
    std::vector<int> widths;
    for (const ColumnNeed& column : columns)
        widths.push_back(std::min(column.wanted, std::max(column.least, level)));
    return widths;
}

int sum(const std::vector<int>& widths) {
    return std::accumulate(widths.begin(), widths.end(), 0);
}

} // namespace

std::vector<int> fitted_widths(const std::vector<ColumnNeed>& columns, int room) {
    int level = 0;
    for (const ColumnNeed& column : columns)
        level = std::max(level, column.wanted);
    while (level > 0 && sum(widths_at(columns, level)) > room)
        --level;
    std::vector<int> widths = widths_at(columns, level);
    const auto elastic = std::ranges::find(columns, true, &ColumnNeed::takes_rest);
    if (const int rest = room - sum(widths); elastic != columns.end() && rest > 0)
        widths[static_cast<std::size_t>(elastic - columns.begin())] += rest;
    return widths;
}

} // namespace sparsight

#include "machine/mechanistic/visited_coordinates.h"

#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

bool is_outer(const StorageLevel& level) {
    return level.loop.part == Part::Outer;
}

/// Adds one level to what is known of a row, or of a column.
void refine(IdPart& part, std::int64_t& split, const StorageLevel& level, std::int64_t window) {
    if (part == IdPart::Whole)
        return;
    if (is_outer(level)) {
        // Behind its inner level an outer one completes the id; a window of it is then too coarse to matter.
        const bool completes = part == IdPart::Inner && window == 1;
        part = completes ? IdPart::Whole : IdPart::Outer;
        split = level.split * window;
    } else if (part == IdPart::Outer && split == level.split) {
        part = window == 1 ? IdPart::Whole : IdPart::Outer; // x / s and (x mod s) / w are together x / w
        split = window;
    } else if (part == IdPart::None && window == 1) {
        part = IdPart::Inner;
        split = level.split;
    }
}

} // namespace

LevelWindows finer(const LevelWindows& a, const LevelWindows& b) {
    LevelWindows result{};
    for (std::size_t l = 0; l < result.size(); ++l)
        result[l] = a[l] == 0 || b[l] == 0 ? a[l] + b[l] : std::min(a[l], b[l]);
    return result;
}

VisitedCoordinates::VisitedCoordinates(const StorageFormat& format, const DistinctCoordinates& distinct,
                                       std::stop_token stop)
    : format_(format)
    , distinct_(distinct)
    , stop_(std::move(stop)) {
    for (std::size_t l = 0; l < format.levels.size(); ++l)
        if (format.levels[l].format == LevelFormat::Compressed)
            walked_whole_ = l + 1;
}

CoordinateParts VisitedCoordinates::parts_of(const LevelWindows& levels) const {
    CoordinateParts parts;
    for (std::size_t l = 0; l < walked_whole_; ++l) {
        const StorageLevel& level = format_.levels[l];
        if (levels[l] == 0)
            continue;
        if (level.is_row)
            refine(parts.row, parts.row_split, level, levels[l]);
        else
            refine(parts.column, parts.column_split, level, levels[l]);
    }
    return parts;
}

double VisitedCoordinates::count(const LevelWindows& levels) const {
    if (stop_.stop_requested())
        return 0;
    return static_cast<double>(distinct_(parts_of(levels))) * walked_whole(levels);
}

double VisitedCoordinates::walked_whole(const LevelWindows& levels) const {
    double result = 1;
    for (const bool rows : {true, false}) {
        double product = 1;
        bool both_whole = true;
        int seen = 0;
        for (std::size_t l = walked_whole_; l < format_.levels.size(); ++l) {
            const StorageLevel& level = format_.levels[l];
            if (level.is_row != rows || levels[l] == 0)
                continue;
            product *= static_cast<double>((level.extent + levels[l] - 1) / levels[l]);
            both_whole = both_whole && levels[l] == 1;
            ++seen;
        }
        // The last outer part may be cut: together the two parts run over the ids that there are.
        const auto ids = static_cast<double>(rows ? format_.rows : format_.cols);
        result *= seen == 2 && both_whole ? std::min(product, ids) : product;
    }
    return result;
}

LevelWindows VisitedCoordinates::ids(bool rows, std::int64_t window) const {
    LevelWindows levels{};
    for (std::size_t l = 0; l < format_.levels.size(); ++l) {
        const StorageLevel& level = format_.levels[l];
        if (level.is_row != rows)
            continue;
        if (is_outer(level))
            levels[l] = level.split >= window ? 1 : window / level.split;
        else
            levels[l] = level.split >= window ? window : 0;
    }
    return levels;
}

} // namespace sparsight

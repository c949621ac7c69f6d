#include "domains/sparse/tensor/distinct_coordinates.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace sparsight {
namespace {

/// x / split and x mod split, by shifting where the split is a power of two, as nearly all are.
struct Splitter {
    std::uint32_t split;
    int shift;

    explicit Splitter(std::int64_t s)
        : split(static_cast<std::uint32_t>(
              std::min<std::int64_t>(s, std::numeric_limits<std::uint32_t>::max())))
        , shift(std::has_single_bit(split) ? std::countr_zero(split) : -1) {}

    template <typename Visit>
    auto with(IdPart part, Visit visit) const {
        switch (part) {
        case IdPart::Outer:
            return shift >= 0 ? visit([s = shift](std::uint32_t x) { return x >> s; })
                              : visit([s = split](std::uint32_t x) { return x / s; });
        case IdPart::Inner:
            return shift >= 0 ? visit([m = split - 1](std::uint32_t x) { return x & m; })
                              : visit([s = split](std::uint32_t x) { return x % s; });
        case IdPart::None:
        case IdPart::Whole:
            break;
        }
        return visit([](std::uint32_t x) { return x; });
    }
};

/// How many different parts there can be.
std::int64_t part_extent(IdPart part, std::int64_t split, std::int64_t extent) {
    switch (part) {
    case IdPart::None:
        return 1;
    case IdPart::Outer:
        return (extent + split - 1) / split;
    case IdPart::Inner:
        return std::min(split, extent);
    case IdPart::Whole:
        break;
    }
    return extent;
}

bool has_entries(const CsrPattern& pattern, std::int64_t row) {
    const auto r = static_cast<std::size_t>(row);
    return pattern.row_pointers[r + 1] > pattern.row_pointers[r];
}

/// Remembers which of `extent` numbers were seen since the last restart(), which costs nothing.
class SeenNumbers {
public:
    explicit SeenNumbers(std::int64_t extent)
        : last_seen_(static_cast<std::size_t>(extent), 0) {}
    void restart() { ++round_; }
    /// 1 for a new number, 0 for one that was seen.
    std::int64_t add(std::uint32_t number) {
        std::uint32_t& last = last_seen_[number];
        const std::int64_t is_new = last != round_ ? 1 : 0;
        last = round_;
        return is_new;
    }

private:
    std::vector<std::uint32_t> last_seen_;
    std::uint32_t round_ = 0; // rows are fewer than 2^31, so it never comes round
};

/// Visits one entry of each different part of a row: `visit(row)`.
template <typename Visit>
void for_different_rows(const CsrPattern& pattern, const CoordinateParts& parts, Visit visit) {
    SeenNumbers seen(part_extent(parts.row, parts.row_split, pattern.rows));
    seen.restart();
    Splitter(parts.row_split).with(parts.row, [&](auto part) {
        for (std::int64_t row = 0; row < pattern.rows; ++row)
            if (has_entries(pattern, row) && seen.add(part(static_cast<std::uint32_t>(row))) != 0)
                visit(row);
    });
}

/// Visits rows group by group, those of a group sharing their part: a column's part is then new when it has
/// not been seen in the group. `visit(row, column, is_new)`, is_new being 0 or 1.
template <typename ColumnPart, typename Visit>
void for_different_pairs(const CsrPattern& pattern, const CoordinateParts& parts, ColumnPart column_part,
                         Visit visit) {
    SeenNumbers seen(part_extent(parts.column, parts.column_split, pattern.cols));
    const auto visit_row = [&](std::int64_t row) {
        const auto r = static_cast<std::size_t>(row);
        for (auto at = pattern.row_pointers[r]; at < pattern.row_pointers[r + 1]; ++at) {
            const auto column = static_cast<std::uint32_t>(pattern.column_ids[static_cast<std::size_t>(at)]);
            visit(row, column, seen.add(column_part(column)));
        }
    };

    if (parts.row == IdPart::Inner) {
        for (std::int64_t first = 0; first < std::min(parts.row_split, pattern.rows); ++first) {
            seen.restart();
            for (std::int64_t row = first; row < pattern.rows; row += parts.row_split)
                visit_row(row);
        }
        return;
    }
    const std::int64_t group = parts.row == IdPart::None    ? std::max<std::int64_t>(pattern.rows, 1)
                               : parts.row == IdPart::Whole ? 1
                                                            : parts.row_split;
    for (std::int64_t first = 0; first < pattern.rows; first += group) {
        seen.restart();
        for (std::int64_t row = first; row < std::min(first + group, pattern.rows); ++row)
            visit_row(row);
    }
}

} // namespace

CoordinateParts canonical(CoordinateParts parts) {
    const auto simplify = [](IdPart& part, std::int64_t& split) {
        if (split == 1 && part == IdPart::Outer)
            part = IdPart::Whole;
        if (split == 1 && part == IdPart::Inner)
            part = IdPart::None;
        if (part == IdPart::None || part == IdPart::Whole)
            split = 1;
    };
    simplify(parts.row, parts.row_split);
    simplify(parts.column, parts.column_split);
    return parts;
}

std::int64_t count_distinct(const CsrPattern& pattern, const CoordinateParts& asked) {
    const CoordinateParts parts = canonical(asked);
    if (pattern.nnz() == 0)
        return 0;
    if (parts.row == IdPart::Whole && parts.column == IdPart::Whole)
        return pattern.nnz();
    std::int64_t count = 0;
    if (parts.column == IdPart::None) {
        if (parts.row == IdPart::None)
            return 1;
        for_different_rows(pattern, parts, [&](std::int64_t) { ++count; });
        return count;
    }
    Splitter(parts.column_split).with(parts.column, [&](auto part) {
        for_different_pairs(pattern, parts, part,
                            [&](std::int64_t, std::uint32_t, std::int64_t is_new) { count += is_new; });
    });
    return count;
}

std::vector<std::int64_t> count_distinct_in_groups(const CsrPattern& pattern, const CoordinateParts& asked,
                                                   const IdGroups& groups) {
    const CoordinateParts parts = canonical(asked);
    const std::int64_t ids = groups.rows ? pattern.rows : pattern.cols;
    std::vector<std::int64_t> counts(static_cast<std::size_t>((ids + groups.size - 1) / groups.size), 0);
    Splitter(groups.size).with(IdPart::Outer, [&](auto group_of) {
        const auto add = [&](std::int64_t row, std::uint32_t column, std::int64_t is_new) {
            counts[group_of(groups.rows ? static_cast<std::uint32_t>(row) : column)] += is_new;
        };
        if (parts.column == IdPart::None) {
            for_different_rows(pattern, parts, [&](std::int64_t row) { add(row, 0, 1); });
            return;
        }
        Splitter(parts.column_split).with(parts.column, [&](auto part) {
            for_different_pairs(pattern, parts, part, add);
        });
    });
    return counts;
}

std::int64_t DistinctCoordinates::operator()(const CoordinateParts& asked) const {
    const CoordinateParts parts = canonical(asked);
    return counts_(parts, [&] { return count_distinct(pattern_, parts); });
}

} // namespace sparsight

// How many different coordinates the entries of a pattern have once rows and columns are split: what a
// compressed level stores, and hence the work, the fill-in and the bytes of every storage format, without
// packing one.
#pragma once

#include "base/shared_memo.h"
#include "domains/sparse/tensor/pattern.h"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace sparsight {

/// What of an id x is looked at, s being the split: nothing, x / s, x mod s, or both, which is x.
enum class IdPart : std::uint8_t { None, Outer, Inner, Whole };

/// Parts of the row and of the column. A split counts where its part is Outer or Inner, and is 1 or more.
struct CoordinateParts {
    IdPart row = IdPart::None;
    IdPart column = IdPart::None;
    std::int64_t row_split = 1;
    std::int64_t column_split = 1;
    auto operator<=>(const CoordinateParts&) const = default;
};

/// The same parts written in one way: an outer part of split 1 is the whole id, an inner one is nothing.
[[nodiscard]] CoordinateParts canonical(CoordinateParts parts);

/// How many different pairs of parts the entries have. Linear in rows + nnz, and in memory 4 bytes for each
/// different part of a column.
[[nodiscard]] std::int64_t count_distinct(const CsrPattern& pattern, const CoordinateParts& parts);

/// Neighbouring rows, or columns, that are looked at together.
struct IdGroups {
    bool rows = true;
    std::int64_t size = 1;
    auto operator<=>(const IdGroups&) const = default;
};

/// How many of those pairs lie in each group. The parts must tell the groups apart: of the grouped id they
/// are the whole, or an outer part whose split divides the size of a group. As fast as count_distinct().
[[nodiscard]] std::vector<std::int64_t>
count_distinct_in_groups(const CsrPattern& pattern, const CoordinateParts& parts, const IdGroups& groups);

/// count_distinct(), each asked of the pattern only once. The pattern must outlive it, unchanged. Threads may
/// share it.
class DistinctCoordinates {
public:
    explicit DistinctCoordinates(const CsrPattern& pattern)
        : pattern_(pattern) {}

    [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }
    [[nodiscard]] std::int64_t operator()(const CoordinateParts& parts) const;

private:
    const CsrPattern& pattern_;
    SharedMemo<std::map<CoordinateParts, std::int64_t>> counts_;
};

} // namespace sparsight

// The pattern of a sparse matrix: where its non-zeros are, and optionally what they are.
#pragma once

#include <cstdint>
#include <vector>

namespace sparsight {

/// Largest number of rows or columns, so that an id fits in 32 signed bits.
inline constexpr std::int64_t max_extent = INT32_MAX;

/// Compressed sparse rows. Column ids are strictly ascending within each row (no duplicates).
/// Shapes: row_pointers has rows + 1 entries, row_pointers[0] = 0; column_ids has nnz(); values has nnz()
/// entries or none, and none means that every value is 1.
struct CsrPattern {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::vector<std::int64_t> row_pointers{0};
    std::vector<std::int32_t> column_ids;
    std::vector<float> values;

    [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(column_ids.size()); }
    [[nodiscard]] bool has_values() const { return !values.empty(); }
    bool operator==(const CsrPattern&) const = default;
};

/// Coordinates in any order, duplicates allowed; values has as many entries as row_ids, or none (all 1).
struct CooPattern {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::vector<std::int32_t> row_ids;
    std::vector<std::int32_t> column_ids;
    std::vector<float> values;

    [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(row_ids.size()); }
    [[nodiscard]] bool has_values() const { return !values.empty(); }
};

/// A CSR pattern and how many duplicates were merged into it.
struct CompressedRows {
    CsrPattern pattern;
    std::int64_t duplicates = 0;
};

/// Sorts by row, then column, and merges duplicates (their values are added in the order given). Linear in
/// nnz + rows but for rows whose columns are not in order; uses `threads` threads. Consumes the coordinates:
/// they and the result are held at once, which is 2.5 times the result (3 times without values) and no more.
[[nodiscard]] CompressedRows compress(CooPattern&& coordinates, int threads);

/// Makes column ids strictly ascending in every row where they are in any order or repeated so far: sorts
/// them, and adds the values of equal ones in the order given. Returns how many entries were merged into
/// others.
std::int64_t sort_rows(CsrPattern& pattern, int threads);

[[nodiscard]] CsrPattern transpose(const CsrPattern& pattern);

/// Whether every invariant above holds; the tests and the debug builds ask it.
[[nodiscard]] bool is_well_formed(const CsrPattern& pattern);

} // namespace sparsight

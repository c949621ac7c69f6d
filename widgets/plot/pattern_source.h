// What the sparsity plot asks of a matrix, in plain values.
#pragma once

#include <cstdint>
#include <vector>

namespace sparsight {

/// Rows [row_begin, row_end) and columns [col_begin, col_end).
struct PatternArea {
    std::int64_t row_begin = 0;
    std::int64_t row_end = 0;
    std::int64_t col_begin = 0;
    std::int64_t col_end = 0;

    [[nodiscard]] std::int64_t rows() const { return row_end - row_begin; }
    [[nodiscard]] std::int64_t cols() const { return col_end - col_begin; }
    [[nodiscard]] bool empty() const { return rows() <= 0 || cols() <= 0; }
    bool operator==(const PatternArea&) const = default;
};

/// counts[y · width() + x] is the number of entries with row in [row_edges[y], row_edges[y + 1]) and column
/// in [col_edges[x], col_edges[x + 1]). Edges ascend strictly; cells may differ in size.
struct PatternCounts {
    std::vector<std::int64_t> row_edges;
    std::vector<std::int64_t> col_edges;
    std::vector<std::uint32_t> counts;

    [[nodiscard]] std::int64_t height() const { return static_cast<std::int64_t>(row_edges.size()) - 1; }
    [[nodiscard]] std::int64_t width() const { return static_cast<std::int64_t>(col_edges.size()) - 1; }
    [[nodiscard]] bool empty() const { return counts.empty(); }
};

struct PatternEntry {
    std::int32_t row = 0;
    std::int32_t col = 0;
    bool operator==(const PatternEntry&) const = default;
};

/// The first entries of an area, row by row, and how many there are in all.
struct PatternEntries {
    std::vector<PatternEntry> entries;
    std::int64_t total = 0;
};

/// Asked by worker threads, several at once: must be immutable or do its own locking. What it throws is shown
/// in place of the matrix.
class PatternSource {
public:
    PatternSource() = default;
    PatternSource(const PatternSource&) = delete;
    PatternSource& operator=(const PatternSource&) = delete;
    virtual ~PatternSource() = default;

    [[nodiscard]] virtual std::int64_t rows() const = 0;
    [[nodiscard]] virtual std::int64_t cols() const = 0;
    [[nodiscard]] virtual std::int64_t nnz() const = 0;
    /// About width × height cells (each from 1 to 8192), at most one for each row or column; the outer edges
    /// are the area's. The area lies inside the matrix.
    [[nodiscard]] virtual PatternCounts counts(const PatternArea& area, int width, int height) const = 0;
    /// At most `limit` entries.
    [[nodiscard]] virtual PatternEntries entries(const PatternArea& area, std::int64_t limit) const = 0;
};

} // namespace sparsight

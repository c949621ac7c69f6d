// What generators build patterns with: drawing sets of positions, writing rows, filling rows of given
// lengths, and stopping early. Only the files of this folder include it. Arithmetic is on whole numbers, so
// that a seed gives the same pattern on every machine.
#pragma once

#include "base/random.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// Thrown to leave the loops of a family however deep they are; generate_matrix() turns it into an error.
struct GenerationStopped {};

inline void throw_if_stopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw GenerationStopped();
}

/// `count` different numbers of [0, population) in ascending order, every such set equally likely; all of
/// them when count >= population. O(count log count) whatever the population is, and no slower near density
/// 1. `sample` is overwritten; its capacity is reused. Throws GenerationStopped.
void sample_sorted(Random& random, std::uint64_t population, std::uint64_t count,
                   std::vector<std::uint64_t>& sample, const std::stop_token& stop = {});

/// The number of things that a share of `population` is, rounded to the nearest.
std::uint64_t share_of(std::uint64_t population, double share);

/// Calls visit(position) in ascending order for exactly share_of(population, share) random positions.
template <typename Visit>
void visit_share(Random& random, std::uint64_t population, double share, const std::stop_token& stop,
                 Visit visit) {
    const std::uint64_t count = share_of(population, share);
    if (count == population) {
        for (std::uint64_t position = 0; position < population; ++position)
            visit(position);
        return;
    }
    std::vector<std::uint64_t> sample;
    sample_sorted(random, population, count, sample, stop);
    for (const std::uint64_t position : sample)
        visit(position);
}

/// Writes a CSR pattern row by row. Rows must come in ascending order; within a row columns may come in any
/// order, and more than once.
class RowBuilder {
public:
    /// Throws GenerationStopped at the next row once `stop` is requested.
    RowBuilder(std::int64_t rows, std::int64_t cols, double expected_entries, std::stop_token stop);

    void add(std::int64_t row, std::int64_t col) {
        if (row != row_)
            start_row(row);
        ascending_ = ascending_ && col > last_col_;
        last_col_ = col;
        pattern_.column_ids.push_back(static_cast<std::int32_t>(col));
    }
    /// Like add, for a column that may lie outside the matrix and is left out then.
    void add_if_inside(std::int64_t row, std::int64_t col) {
        if (col >= 0 && col < pattern_.cols)
            add(row, col);
    }
    /// Columns first … last - 1.
    void add_range(std::int64_t row, std::int64_t first, std::int64_t last);
    /// Rows first_row … last_row - 1, each with every column of the given block columns; the last block may
    /// be cut off by the matrix's border.
    void add_blocks(std::int64_t first_row, std::int64_t last_row, std::span<const std::uint64_t> block_cols,
                    std::int64_t block_width);

    [[nodiscard]] CsrPattern finish();

private:
    void start_row(std::int64_t row);
    void close_row();

    CsrPattern pattern_;
    std::stop_token stop_;
    std::int64_t row_ = 0;
    std::int64_t last_col_ = -1;
    bool ascending_ = true;
};

/// For families that are defined by the lengths of their rows: whole numbers next to `lengths` whose sum is
/// the rounded sum of `lengths`. What one row loses by rounding, a later one gets.
std::vector<std::int64_t> round_keeping_sum(std::span<const double> lengths);

/// Row r gets lengths[r] different random columns.
CsrPattern fill_rows(std::span<const std::int64_t> lengths, std::int64_t cols, Random& random,
                     const std::stop_token& stop);

} // namespace sparsight

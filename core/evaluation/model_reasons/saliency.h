// Which parts of a pattern move the preference of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sparsight {

/// A cell of the density picture that holds entries.
struct SaliencyCell {
    std::int64_t row = 0; ///< of the grid
    std::int64_t column = 0;
    std::int64_t entries = 0;
    /// What the margin is less without the cell's entries: above 0 where they speak for the schedule, below 0
    /// for the other one. Absent: the budget was over before.
    std::optional<double> support{};

    bool operator==(const SaliencyCell&) const = default;
};

struct SaliencyReason {
    /// Where rows and columns of the grid begin, ascending, one more than there are: in rows and columns of
    /// the matrix.
    std::vector<std::int64_t> row_edges{};
    std::vector<std::int64_t> column_edges{};
    double margin = 0; ///< of the whole pattern: score of `against` less that of the schedule
    /// Of the entries of a cell so much is removed: 1, or less where all of them are in one cell.
    double removed_share = 1;
    std::vector<SaliencyCell> cells{}; ///< by row, then column
    bool complete = true;              ///< false: the budget was over before

    bool operator==(const SaliencyReason&) const = default;
};

} // namespace sparsight

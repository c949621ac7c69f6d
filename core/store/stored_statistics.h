// The statistics of a matrix as its workspace keeps them: computing them reads the whole pattern.
#pragma once

#include "base/error.h"
#include "matrix/statistics.h"
#include "store/matrices.h"

#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

/// A JSON object: the name of each of statistics(), in their order, with its number.
[[nodiscard]] std::string statistics_text(const PatternStatistics& statistics);
/// Nothing where a statistic is missing or unknown: another version of this program wrote it.
[[nodiscard]] std::optional<PatternStatistics> parse_statistics(std::string_view text);

/// Of a matrix whose pattern is known: those that are kept, or else computed, and kept from then on where the
/// workspace can be written. Errors: those of load_pattern().
[[nodiscard]] Result<PatternStatistics> matrix_statistics(Workspace& workspace, const MatrixRecord& matrix,
                                                          int threads);

} // namespace sparsight

// A matrix as pages look at it: its pattern, what the sparsity plot asks, and the numbers that describe it.
#pragma once

#include "matrix/density_pyramid.h"
#include "matrix/pattern.h"
#include "matrix/statistics.h"

#include <QString>
#include <memory>
#include <string>
#include <vector>

namespace sparsight {

/// How many rows (or columns) have a length in [edges[b], edges[b + 1]).
struct LengthHistogram {
    std::vector<double> edges;
    std::vector<double> counts;
};

/// Immutable once made; shared between threads.
struct LoadedMatrix {
    QString name;
    std::string content_hash; ///< of the record that it was loaded for
    std::shared_ptr<const CsrPattern> pattern;
    std::shared_ptr<const DensityPyramid> pyramid;
    PatternStatistics statistics;
    LengthHistogram row_lengths;
    LengthHistogram column_lengths;

    [[nodiscard]] std::uint64_t bytes() const;
};

/// Equal bins of whole lengths from the shortest to the longest, at most about `wanted` of them.
[[nodiscard]] LengthHistogram length_histogram(const std::vector<std::int64_t>& lengths, int wanted = 48);

/// Everything but the name, on the calling thread and its helpers. Takes the pattern over.
[[nodiscard]] Result<std::shared_ptr<const LoadedMatrix>> look_at_matrix(QString name, CsrPattern pattern,
                                                                         int threads);

} // namespace sparsight

// What a model was trained on, as ranges of pattern statistics, and whether another pattern lies outside of
// them.
#pragma once

#include "domains/sparse/tensor/statistics.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// Over the training matrices. Sizes and counts are log(1 + x), as models read them.
struct StatisticRange {
    std::string name; ///< as in domains/sparse/tensor/statistics.h
    double low = 0;
    double high = 0;
    double mean = 0;
    double deviation = 0; ///< standard deviation, dividing by their number; 0 where all are alike
};

struct TrainingRange {
    std::vector<StatisticRange> statistics; ///< one for each of statistics(), in their order
    /// The largest distance() of a training matrix.
    double farthest = 0;
    std::size_t matrices = 0;
};

/// Absent below three matrices, which span no range.
[[nodiscard]] std::optional<TrainingRange> training_range(std::span<const PatternStatistics> trained);

/// A statistic of a pattern that lies beyond all training matrices; numbers as the statistic has them.
struct UnfamiliarStatistic {
    std::string name; ///< as in domains/sparse/tensor/statistics.h
    double value = 0;
    double low = 0; ///< in training
    double high = 0;
    bool operator==(const UnfamiliarStatistic&) const = default;
};
/// "longest row 4,000, in training 12 to 340".
[[nodiscard]] std::string to_text(const UnfamiliarStatistic& statistic);

struct Unfamiliarity {
    /// Root of the mean square of (x − mean) / deviation over the statistics that vary in training.
    double distance = 0;
    /// Statistics that lie beyond the training range by more than half its deviation, the farthest first.
    std::vector<UnfamiliarStatistic> beyond;
    /// It has such statistics, and lies farther from the mean than every training matrix.
    bool is_outside = false;
};

[[nodiscard]] Unfamiliarity unfamiliarity(const TrainingRange& range, const PatternStatistics& statistics);

} // namespace sparsight

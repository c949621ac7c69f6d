// The patterns that a model is asked about beside the explained one: known matrices, and changed forms of it.
#pragma once

#include "evaluation/diagnosis/pattern_edit.h"
#include "evaluation/model_reasons/sensitivity_search.h"
#include "evaluation/model_reasons/simulated_pairs.h"
#include "learn/reasons_data.h"

#include <stop_token>
#include <vector>

namespace sparsight {

/// Places are those of ReasonCase::pattern: 0 is the explained one.
class ReasonsPatterns {
public:
    /// Refers to both; patterns are read when they are asked for. `most_known` of the known ones, spread
    /// evenly over their sizes.
    ReasonsPatterns(Workspace& workspace, const ReasonsData& data, std::size_t most_known);

    /// Changed forms, more and more in one way each, where they have a few million entries at most. Errors:
    /// Fault::Cancelled.
    [[nodiscard]] Result<void> add_changed(int threads, const std::stop_token& stop);

    [[nodiscard]] const std::vector<PatternStatistics>& statistics() const { return statistics_; }
    [[nodiscard]] const std::vector<PatternSeries>& series() const { return series_; }
    [[nodiscard]] Result<std::shared_ptr<const CsrPattern>> pattern(std::size_t place) const;

private:
    [[nodiscard]] Result<void> add_series(PatternEdit edit, int threads, const std::stop_token& stop);

    Workspace* workspace_;
    const ReasonsData* data_;
    std::vector<PatternStatistics> statistics_;
    std::vector<MatrixId> known_;
    std::vector<std::shared_ptr<const CsrPattern>> changed_;
    std::vector<PatternSeries> series_;
};

} // namespace sparsight

// A cost model as reasons ask it: case by case, with what it made of whole patterns kept.
#pragma once

#include "domains/sparse/explanation/pattern/pattern_edit.h"
#include "domains/sparse/explanation/reasons/reason_cases.h"
#include "domains/sparse/explanation/reasons/sensitivity_search.h"
#include "domains/sparse/workflow/learning/reasons/reasons_data.h"
#include "model/cost_model.h"

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// Used by one thread at a time.
class ModelQueries {
public:
    /// Refers to the model.
    ModelQueries(const CostModel& model, bool reads_machine, PatternsByPlace patterns, int threads)
        : model_(model)
        , reads_machine_(reads_machine)
        , patterns_(std::move(patterns))
        , threads_(threads) {}

    /// See MarginFunction.
    [[nodiscard]] Result<std::vector<double>> margins(std::span<const ReasonCase> cases);

private:
    /// Place of the pattern, and the machine where one is read.
    using Seen = std::pair<std::size_t, std::string>;

    [[nodiscard]] Result<std::vector<double>> margins_by_statistics(std::span<const ReasonCase> cases) const;
    [[nodiscard]] Result<const WorkloadScorer*> scorer(const Seen& seen, const MachineDescription& machine);

    const CostModel& model_;
    bool reads_machine_;
    PatternsByPlace patterns_;
    int threads_;
    std::map<Seen, std::unique_ptr<WorkloadScorer>> scorers_;
};

/// Score of `against` less that of the schedule.
[[nodiscard]] Result<double> margin_of(const WorkloadScorer& scorer, const SuperSchedule& schedule,
                                       const SuperSchedule& against);

// A model that has looked at a known matrix.

/// Of a model that reads statistics alone the pattern is not read.
[[nodiscard]] Result<std::unique_ptr<WorkloadScorer>> scorer_of(Workspace& workspace, const ReasonsData& data,
                                                                const KnownMatrix& matrix, int threads);

// The patterns that a model is asked about beside the explained one: known matrices, and changed forms of it.

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
    std::vector<WorkloadId> known_;
    std::vector<std::shared_ptr<const CsrPattern>> changed_;
    std::vector<PatternSeries> series_;
};

} // namespace sparsight

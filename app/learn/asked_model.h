// A cost model as reasons ask it: case by case, with what it made of whole patterns kept.
#pragma once

#include "evaluation/model_reasons/reason_case.h"
#include "evaluation/model_reasons/simulated_pairs.h"
#include "model/cost_model.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace sparsight {

/// Used by one thread at a time.
class AskedModel {
public:
    /// Refers to the model.
    AskedModel(const CostModel& model, bool reads_machine, PatternsByPlace patterns, int threads)
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
    [[nodiscard]] Result<const PatternScorer*> scorer(const Seen& seen, const MachineDescription& machine);

    const CostModel& model_;
    bool reads_machine_;
    PatternsByPlace patterns_;
    int threads_;
    std::map<Seen, std::unique_ptr<PatternScorer>> scorers_;
};

/// Score of `against` less that of the schedule.
[[nodiscard]] Result<double> margin_of(const PatternScorer& scorer, const SuperSchedule& schedule,
                                       const SuperSchedule& against);

} // namespace sparsight

// A model that was adapted to a machine: the weights of a network, and of a gray box the boosted trees beside
// it. A head that is linear in learned numbers misses what depends on several at once. Trees find that in the
// same measurements, if their first scores err on these as the head does on workloads that it never saw:
// those of a workload are of a head that was solved for without it (stacking; Wolpert: Stacked
// generalization, Neural Networks 1992).
#pragma once

#include "learning/fine_tuning/fine_tuning.h"
#include "learning/training/ranking_report.h"
#include "model/boosted_trees.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>

namespace sparsight {

struct AdaptedModel {
    NamedTensors weights;
    std::shared_ptr<const RowTrees> trees{}; ///< nullptr: none
};

/// fine_tune(), and of the rule ClosedForm the trees as well. One or two workloads leave too few others to
/// solve for the head: there the trees correct the calibrated simulator, and of the head only its doubt is
/// kept. `progress` is told all but the epochs, stage by stage: each counts from 0.
[[nodiscard]] Result<AdaptedModel> adapt(ExampleStore& examples, std::size_t task,
                                         std::span<const std::size_t> workloads,
                                         const FineTuningOptions& options, const MetaParameters& parameters,
                                         const FineTuningObserver& observer = {},
                                         const std::stop_token& stop = {}, const ProgressSink& progress = {});

/// report_ranking() of both together.
[[nodiscard]] Result<RankingReport> report_adapted(ExampleStore& examples, const AdaptedModel& model,
                                                   Loss loss, std::size_t task,
                                                   std::span<const std::size_t> workloads,
                                                   const std::stop_token& stop = {},
                                                   const ProgressSink& progress = {});

/// The scores of an example store include trees as long as this lives.
class UsedTrees {
public:
    UsedTrees(ExampleStore& examples, std::shared_ptr<const RowTrees> trees)
        : examples_(examples) {
        examples_.use_trees(std::move(trees));
    }
    UsedTrees(const UsedTrees&) = delete;
    UsedTrees& operator=(const UsedTrees&) = delete;
    ~UsedTrees() { examples_.use_trees(nullptr); }

private:
    ExampleStore& examples_;
};

} // namespace sparsight

// Boosted trees on the same data as networks: the baseline that they must beat.
#pragma once

#include "base/observer.h"
#include "learning/tasks/task.h"
#include "learning/training/ranking_report.h"
#include "model/boosted_trees.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// On the runtimes that all tasks have of these workloads; configurations are compared within a workload and
/// a machine, so that one without an order teaches them nothing. Errors: nothing to train on;
/// Fault::Cancelled.
[[nodiscard]] Result<BoostedTrees> train_trees(const TaskSet& tasks,
                                               std::shared_ptr<const TreeFeatures> features,
                                               std::span<const std::size_t> workloads,
                                               const TreesOptions& options, const std::stop_token& stop = {},
                                               const ProgressSink& progress = {});

/// As report_ranking() does for a network, over all tasks. The loss is what a network with these scores would
/// have. By the trees of the first so many rounds; 0: by all.
[[nodiscard]] Result<RankingReport> report_trees(const TaskSet& tasks, const BoostedTrees& trees, Loss loss,
                                                 std::span<const std::size_t> workloads,
                                                 const std::stop_token& stop = {},
                                                 const ProgressSink& progress = {}, int rounds = 0);

/// How good the trees of the first rounds were, on what they learned from and on the validation workloads.
struct TreesRound {
    int rounds = 0;
    double training_loss = 0;
    std::vector<RankingReport> tasks; ///< validation, of each task; of no workloads where there is none
    RankingReport overall;
};

/// After each tenth of the rounds. Errors: as of report_trees().
[[nodiscard]] Result<std::vector<TreesRound>> trace_trees(const TaskSet& tasks, const BoostedTrees& trees,
                                                          Loss loss, std::span<const std::size_t> training,
                                                          std::span<const std::size_t> validation,
                                                          const std::stop_token& stop = {},
                                                          const ProgressSink& progress = {});

} // namespace sparsight

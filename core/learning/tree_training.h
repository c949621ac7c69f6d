// Boosted trees on the same data as networks: the baseline that they must beat.
#pragma once

#include "base/progress.h"
#include "learning/ranking_report.h"
#include "learning/task.h"
#include "model/boosted_trees.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace sparsight {

/// On the runtimes that all tasks have of these matrices; schedules are compared within a matrix and a
/// machine. Errors: nothing to train on; Fault::Cancelled.
[[nodiscard]] Result<BoostedTrees> train_trees(const TaskSet& tasks, std::span<const std::size_t> matrices,
                                               const TreesOptions& options, const std::stop_token& stop = {});

/// As report_ranking() does for a network, over all tasks. The loss is what a network with these scores would
/// have.
[[nodiscard]] Result<RankingReport> report_trees(const TaskSet& tasks, const BoostedTrees& trees, Loss loss,
                                                 std::span<const std::size_t> matrices,
                                                 const std::stop_token& stop = {},
                                                 const ProgressSink& progress = {});

} // namespace sparsight

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

/// Trains on the runtimes of these workloads in all tasks. Configurations are compared within a workload and
/// a machine, so a workload without differing times adds nothing. Errors: nothing to train on;
/// Fault::Cancelled.
[[nodiscard]] Result<BoostedTrees> train_trees(const TaskSet& tasks,
                                               std::shared_ptr<const TreeFeatures> features,
                                               std::span<const std::size_t> workloads,
                                               const TreesOptions& options, const std::stop_token& stop = {},
                                               const ProgressSink& progress = {});

/// Like report_ranking() for a network, over all tasks. The loss is that of a network with these scores. Uses
/// the first `rounds` rounds of trees; 0: all rounds.
[[nodiscard]] Result<RankingReport> report_trees(const TaskSet& tasks, const BoostedTrees& trees, Loss loss,
                                                 std::span<const std::size_t> workloads,
                                                 const std::stop_token& stop = {},
                                                 const ProgressSink& progress = {}, int rounds = 0);

// Trees on the simulator: a fair rival of a gray box. They read the same numbers (GrayBox::pair_numbers()),
// and their scores are added to its simulator's. The machine is the one to which the weights calibrate it.

/// Trees for the simulator of a task; nullptr where these workloads have no order to learn from.
[[nodiscard]] Result<std::shared_ptr<const RowTrees>>
train_trees_on_simulator(ExampleStore& examples, const NamedTensors& weights, std::size_t task,
                         std::span<const std::size_t> workloads, const TreesOptions& options,
                         const std::stop_token& stop = {});

/// Like report_ranking() for a gray box. Without trees it is the simulator's.
[[nodiscard]] Result<RankingReport> report_trees_on_simulator(ExampleStore& examples,
                                                              const NamedTensors& weights,
                                                              const RowTrees* trees, std::size_t task,
                                                              std::span<const std::size_t> workloads,
                                                              const std::stop_token& stop = {});

/// The quality of the first rounds of trees, on the training and the validation workloads.
struct TreesRound {
    int rounds = 0;
    double training_loss = 0;
    std::vector<RankingReport> tasks; ///< validation, of each task; of no workloads where there is none
    RankingReport overall;
};

/// One report after each tenth of the rounds. Errors: those of report_trees().
[[nodiscard]] Result<std::vector<TreesRound>> trace_trees(const TaskSet& tasks, const BoostedTrees& trees,
                                                          Loss loss, std::span<const std::size_t> training,
                                                          std::span<const std::size_t> validation,
                                                          const std::stop_token& stop = {},
                                                          const ProgressSink& progress = {});

} // namespace sparsight

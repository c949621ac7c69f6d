// Boosted trees on the same data as networks: the baseline that they must beat.
#pragma once

#include "base/observer.h"
#include "learning/tasks/task.h"
#include "learning/training/ranking_report.h"
#include "model/boosted_trees.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// What trees learn beside, or in place of, a network with this loss.
[[nodiscard]] TreesGoal goal_of_trees(Loss loss);

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

/// By which a gray box scores a workload before trees correct it.
using FirstWeights = std::function<const NamedTensors&(std::size_t workload)>;

/// Trees over the numbers that a gray box reads (GrayBox::pair_numbers()), whose scores are added to those of
/// these weights; all are calibrated to one machine. nullptr where these workloads have no order to learn
/// from. `progress` counts workloads, and then rounds.
[[nodiscard]] Result<std::shared_ptr<const RowTrees>>
train_correcting_trees(ExampleStore& examples, const FirstWeights& first, std::size_t task,
                       std::span<const std::size_t> workloads, const TreesOptions& options,
                       const std::stop_token& stop = {}, const ProgressSink& progress = {});

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

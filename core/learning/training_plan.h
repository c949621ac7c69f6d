// Which examples each step of an epoch sees. A pure function of the data, the options and the epoch, so that
// a run that was killed goes on with the very same steps.
#pragma once

#include "learning/task.h"
#include "learning/training_options.h"

#include <cstddef>
#include <vector>

namespace sparsight {

/// Some schedules of one matrix on one machine.
struct ExampleChoice {
    std::size_t runtimes = 0;           ///< place in Task::runtimes
    std::vector<std::size_t> schedules; ///< places in MatrixRuntimes::schedules, ascending

    bool operator==(const ExampleChoice&) const = default;
};

struct EpisodePlan {
    std::size_t task = 0;
    std::vector<ExampleChoice> support; ///< empty for Method::Supervised
    std::vector<ExampleChoice> query;   ///< of other matrices than the support set, but for Method::Report

    bool operator==(const EpisodePlan&) const = default;
};

/// The gradients of its episodes are averaged.
using StepPlan = std::vector<EpisodePlan>;

/// - Supervised: every matrix of every task once, in random order.
/// - Report: every matrix once, in random order; an episode for each machine that it was measured on.
/// - The others: as many steps as the training matrices give episodes, each with `tasks_per_step` different
///   tasks (or all there are) and support and query sets drawn from their matrices. A task with fewer
///   matrices than an episode asks for is divided in the same ratio; one with a single matrix is left out.
/// `train` are places in TaskSet::matrices.
[[nodiscard]] std::vector<StepPlan> plan_epoch(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                               const TrainingOptions& options, int epoch);

/// The support set that a task is adapted on when it is validated: the same in every epoch. Empty where the
/// method has no inner loop.
[[nodiscard]] std::vector<ExampleChoice> plan_validation_support(const TaskSet& tasks, std::size_t task,
                                                                 const std::vector<std::size_t>& train,
                                                                 const TrainingOptions& options);

} // namespace sparsight

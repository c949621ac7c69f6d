// The options of a training run, and the plan made from them: which examples each step of an epoch sees.
// Both are pure functions of data and options, which alone decide the result, so that a killed run resumes
// with the very same steps.
#pragma once

#include "base/error.h"
#include "learning/tasks/task.h"
#include "learning/training/learning_method.h"
#include "model/tensors/losses.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class RateSchedule {
    Constant,
    Cosine, ///< from the full rate to none over all epochs (Loshchilov and Hutter: SGDR, ICLR 2017)
};

/// "constant", "cosine".
[[nodiscard]] std::string_view name(RateSchedule schedule);
[[nodiscard]] std::optional<RateSchedule> parse_rate_schedule(std::string_view text);

/// The options of a training run. The defaults are WACO's where it has them.
struct TrainingOptions {
    Method method = Method::Supervised;
    Loss loss = Loss::PairwiseMargin;
    int epochs = 80;
    int configurations_per_workload = 32; ///< drawn anew for every step
    double rate = 1e-4;                   ///< of the outer loop's Adam
    RateSchedule rate_schedule = RateSchedule::Constant;
    double weight_decay = 0;
    double longest_gradient = 0; ///< clipped to this norm; 0: never
    InnerLoop inner;
    int support_workloads = 5; ///< of an episode
    int query_workloads = 5;
    int tasks_per_step = 4; ///< whose gradients are averaged
    /// Of one machine, in a supervised step: more than one where workloads have few configurations.
    int workloads_per_step = 1;
    int patience = 0; ///< epochs without a better validation loss after which training ends; 0: never
    std::uint64_t seed = 1;

    bool operator==(const TrainingOptions&) const;
};

/// Ok, or the first invalid option, with its value and what was expected (Fault::Input).
[[nodiscard]] Result<void> check(const TrainingOptions& options);

/// One JSON object with every option.
[[nodiscard]] std::string to_json(const TrainingOptions& options);
/// A missing option keeps its default; an error (Fault::Input) names the option that is unknown or wrong.
[[nodiscard]] Result<TrainingOptions> parse_training_options(std::string_view json);

/// The rate of an epoch, counted from 0.
[[nodiscard]] double rate_of_epoch(const TrainingOptions& options, int epoch);

/// Some configurations of one workload on one machine.
struct ExampleChoice {
    std::size_t runtimes = 0;                ///< place in Task::runtimes
    std::vector<std::size_t> configurations; ///< places in WorkloadRuntimes::configurations, ascending

    bool operator==(const ExampleChoice&) const = default;
};

struct EpisodePlan {
    std::size_t task = 0;
    std::vector<ExampleChoice> support; ///< empty for Method::Supervised, and for some of Method::ClosedForm
    std::vector<ExampleChoice> query;   ///< of other workloads than the support set, but for Method::Report

    bool operator==(const EpisodePlan&) const = default;
};

/// The gradients of its episodes are averaged.
using StepPlan = std::vector<EpisodePlan>;

/// The steps of an epoch:
/// - Supervised: every workload of every task once, in random order, some of one task in each step.
/// - Report: every workload once, in random order; an episode for each machine that it was measured on.
/// - The others: as many steps as the training workloads give episodes, each with `tasks_per_step` different
///   tasks (or all there are) and support and query sets drawn from their workloads. A task with fewer
///   workloads than an episode asks for is divided in the same ratio; one with a single workload is left out.
///   Method::ClosedForm takes as many steps as all tasks together give; an episode draws how much of the
///   support set it has, from none to all.
/// `train` are places in TaskSet::workloads.
[[nodiscard]] std::vector<StepPlan> plan_epoch(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                               const TrainingOptions& options, int epoch);

/// The support set on which a task is adapted for validation: the same in every epoch. Empty where the
/// method has no inner loop.
[[nodiscard]] std::vector<ExampleChoice> plan_validation_support(const TaskSet& tasks, std::size_t task,
                                                                 const std::vector<std::size_t>& train,
                                                                 const TrainingOptions& options);

} // namespace sparsight

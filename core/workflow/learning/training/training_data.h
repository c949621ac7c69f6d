// The data of a training run: tasks of the workspace, imagined tasks, and the split of the workloads.
#pragma once

#include "learning/training/training_sample.h"
#include "workflow/learning/training/training_request.h"

#include <cstdint>

namespace sparsight {

struct TrainingData {
    TaskSet set; ///< has parts of workloads, unless it is split by workload
    WorkloadSplit split;
    std::vector<std::string> notes; ///< sentences: what is learned from, what is left out, and why
    SplitBy by = SplitBy::Workload;
};

/// Keeps a reference to the workspace, which must outlive the result. Errors: nothing to learn from; unknown
/// machines and splits; too few workloads; Fault::Cancelled.
[[nodiscard]] Result<TrainingData> training_data(Workspace& workspace, const TrainRequest& request,
                                                 const std::stop_token& stop, const ProgressSink& progress);

/// Leaves of the training workloads what the rule keeps, by the FLOPs among their facts, and notes it.
SampleReport sample_training(TrainingData& data, SampleRule rule, double keep, std::uint64_t seed);

/// For each machine {"runtimes": number, "digest": hash of every workload, configuration, time and spread} of
/// these parts of a split, with the facts of the machine if a network reads them. A run whose training data
/// have changed is another run; data that only test it do not count.
[[nodiscard]] Json identity_of(const TaskSet& set, const std::vector<std::vector<std::size_t>>& parts,
                               bool reads_machine);

/// The parameter that distinguishes runs tested by row from older ones, whose regret compared with the few
/// rows of a group.
inline constexpr const char* regret_parameter = "regret";
inline constexpr const char* regret_of_workloads = "workload";
/// A sentence on which rows the regret compares with, if rows are tested.
[[nodiscard]] std::string held_out_rows(const TaskSet& set, const std::vector<std::size_t>& test);

/// What the data must contain for this loss.
[[nodiscard]] LearningGoal goal_of(Loss loss);

/// Some workloads of a set as a user counts them: parts of one workload count once.
struct WholeWorkloads {
    std::vector<std::string> names; ///< without duplicates, in the order of the set
    std::size_t groups = 0; ///< number of groups of configurations, if larger than the number of workloads
};
[[nodiscard]] WholeWorkloads whole_workloads(const TaskSet& set, const std::vector<std::size_t>& places);
[[nodiscard]] std::vector<std::string> machine_names(const TaskSet& set);
/// The machines that have times of these workloads: the ones that are learned from, if machines are held out.
[[nodiscard]] std::vector<std::string> machine_names(const TaskSet& set,
                                                     const std::vector<std::size_t>& workloads);

/// The default split: by workload, unless there are too few families of workloads.
[[nodiscard]] SplitBy usual_split(const TaskSet& set);

} // namespace sparsight

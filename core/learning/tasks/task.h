// What there is to learn from: on each machine, how the configurations of many workloads compare. In the
// words of meta-learning a machine is a task (Finn, Abbeel, Levine: Model-agnostic meta-learning, ICML 2017).
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "study/configuration.h"
#include "study/setting.h"
#include "study/workload.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// A workload of a task set. Its data are fetched when a network needs them, and may then be large.
struct TaskWorkload {
    std::string name;
    std::vector<double> statistics{}; ///< in the order of its domain's table
    /// The same for forms of one workload, such as a matrix and its transpose; empty where only names tell.
    std::vector<double> family_key{};
    std::function<Result<std::shared_ptr<const Payload>>()> load{};
    /// Equal for workloads whose names say that one is made of the other (Domain::family_key()); empty: none.
    std::string family{};
    /// Of a part of a workload the name of the whole (split_tasks()); empty: it is whole.
    std::string whole{};

    [[nodiscard]] const std::string& whole_name() const { return whole.empty() ? name : whole; }
};

/// What the configurations of one workload took on one machine.
struct WorkloadRuntimes {
    std::size_t workload = 0; ///< place in TaskSet::workloads
    std::vector<Configuration> configurations;
    /// One for each configuration, above 0. Infinity where it failed or was given up: slower than all that
    /// ran. Where some were given up, one that ran longer than the shortest of them waited is infinite, too:
    /// which of them is slower nobody knows. The baseline keeps its time: every speedup is against it.
    std::vector<double> milliseconds;
    /// How far each median may lie off, or empty: not known.
    std::vector<double> spreads{};
    /// Place of the baseline among the configurations, where it was measured.
    std::optional<std::size_t> baseline{};
    /// A number for each configuration in the words in which it is stored, or empty. It belongs to the digest
    /// of a run's data, by which a stored run is found again, and to nothing else.
    std::vector<std::uint64_t> digests{};
};

struct Task {
    std::string machine;            ///< unique in its set
    MachineDescription description; ///< as far as it is known
    std::vector<WorkloadRuntimes> runtimes;
    int threads = 0; ///< that all runtimes were taken with; 0: not known
};

/// Tasks in one setting that share their workloads.
struct TaskSet {
    Setting setting;
    std::vector<TaskWorkload> workloads;
    std::vector<Task> tasks;
};

/// Which workloads are for what, as places in TaskSet::workloads. The configurations of one are all on one
/// side: split_tasks() makes workloads of parts of a workload where a split goes through it.
struct WorkloadSplit {
    std::vector<std::size_t> train;
    std::vector<std::size_t> validation;
    std::vector<std::size_t> test;
};

} // namespace sparsight

// Splits training data by workload, by configuration or by machine.
#pragma once

#include "base/error.h"
#include "learning/tasks/splits.h"
#include "learning/tasks/task.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sparsight {

/// What is never on two sides of a split.
enum class SplitBy : std::uint8_t {
    Workload, ///< a workload: is a model good for workloads that it has never seen?
    Row,     ///< a configuration of a workload: is it good for the rest of a space that was measured in part?
    Machine, ///< a machine: is it good for machines that it has never seen?
};

/// "workload", "row", "machine".
[[nodiscard]] std::string_view name(SplitBy by);
[[nodiscard]] std::optional<SplitBy> parse_split_by(std::string_view text);

struct SplitRequest {
    SplitBy by = SplitBy::Workload;
    SplitShares shares{};
    std::uint64_t seed = 1;
    std::size_t rows_per_group = 64; ///< at most; at least 2
    LearningGoal goal = LearningGoal::Order;
};

struct SplitTasks {
    TaskSet set;
    WorkloadSplit split; ///< of `set`
};

/// Splits workloads as split_workloads() does. Where another thing is split, the set is made of parts of its
/// workloads, each on one side, so that training, episodes and fine-tuning need not know how it was split:
/// - by row, the configurations of a workload are drawn into groups of equal size, which are the same on
///   every machine ("gemm #3"). Few configurations make smaller groups, so that there are enough of them.
///   What can't be learned from on a machine is left out, as by the runtime rules;
/// - by machine, a workload is there once for each side ("gemm (test machines)"), to train on in groups as
///   by row. All tasks on a machine (MachineDescription::name) are on one side.
/// Errors: those of split_workloads(); fewer groups or machines than sides (Input).
[[nodiscard]] Result<SplitTasks> split_tasks(TaskSet set, const SplitRequest& request);

/// How many configurations a task has of these workloads, each counted with its workload.
[[nodiscard]] std::size_t count_rows(const Task& task, std::span<const std::size_t> workloads);

/// A task set with one task: the first `count` of these configurations in an order given by the seed, or all
/// where there are fewer. For one seed, smaller sets are part of larger ones. Its workloads are groups of at
/// most `rows_per_group` of them. With `behind`, that many configurations are skipped first: the ones that a
/// smaller set contains.
[[nodiscard]] TaskSet drawn_rows(const TaskSet& set, std::size_t task, std::span<const std::size_t> workloads,
                                 std::size_t count, std::size_t rows_per_group, std::uint64_t seed,
                                 std::size_t behind = 0);

} // namespace sparsight

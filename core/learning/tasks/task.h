// What there is to learn from: on each machine, how the schedules of many matrices compare. In the words of
// meta-learning a machine is a task (Finn, Abbeel, Levine: Model-agnostic meta-learning, ICML 2017).
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "machine/machine_description.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// A matrix of a task set. Its pattern is fetched when a network needs it, and may then be large.
struct TaskMatrix {
    std::string name;
    PatternStatistics statistics;
    std::function<Result<CsrPattern>()> pattern;
};

/// What the schedules of one matrix took on one machine.
struct MatrixRuntimes {
    std::size_t matrix = 0; ///< place in TaskSet::matrices
    std::vector<SuperSchedule> schedules;
    /// One for each schedule, above 0. Infinity where it failed or was given up: slower than all that ran.
    /// Where some were given up, a schedule that ran longer than the shortest of them waited is infinite,
    /// too: which of them is slower nobody knows. Fixed CSR keeps its time: every speedup is against it.
    std::vector<double> milliseconds;
    /// How far each median may lie off, or empty: not known.
    std::vector<double> spreads;
};

struct Task {
    std::string machine;            ///< unique in its set
    MachineDescription description; ///< as far as it is known
    std::vector<MatrixRuntimes> runtimes;
};

/// Tasks over one operator and dense extent that share their matrices.
struct TaskSet {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::vector<TaskMatrix> matrices;
    std::vector<Task> tasks;
};

/// Which matrices are for what, as places in TaskSet::matrices. Never by row: schedules of one matrix are all
/// on one side.
struct MatrixSplit {
    std::vector<std::size_t> train;
    std::vector<std::size_t> validation;
    std::vector<std::size_t> test;
};

} // namespace sparsight

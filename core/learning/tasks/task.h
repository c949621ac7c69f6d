// Training data: on each machine, how the configurations of many workloads compare. In meta-learning terms, a
// machine is a task (Finn, Abbeel, Levine: Model-agnostic meta-learning, ICML 2017).
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "study/configuration.h"
#include "study/domain.h"
#include "study/measurement.h"
#include "study/ranking_metrics.h"
#include "study/workload.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// A workload of a task set. Its data are read when a network needs them, since they may be large.
struct TaskWorkload {
    std::string name;
    std::vector<double> statistics{}; ///< in the order of its domain's table
    /// Equal for forms of one workload, such as a matrix and its transpose; empty where only names show the
    /// family.
    std::vector<double> family_key{};
    std::function<Result<std::shared_ptr<const Payload>>()> load{};
    /// Equal for workloads that are forms of one another by their names (Domain::family_key()); empty:
    /// unknown.
    std::string family{};
    /// The name of the whole workload, where this is a part of one (split_tasks()); empty: it is whole.
    std::string whole{};

    [[nodiscard]] const std::string& whole_name() const { return whole.empty() ? name : whole; }
};

/// The times of the configurations of one workload on one machine.
struct WorkloadRuntimes {
    std::size_t workload = 0; ///< place in TaskSet::workloads
    std::vector<Configuration> configurations;
    /// One time for each configuration, above 0. Infinite where the run failed, which is slower than all
    /// others, or was given up, of which `waits` tells what is known.
    std::vector<double> milliseconds;
    /// The error of each median; empty where it is not known.
    std::vector<double> spreads{};
    /// Place of the baseline among the configurations, where it was measured.
    std::optional<std::size_t> baseline{};
    /// A hash of each configuration's stored text, or empty. It is used only in the digest of a run's data,
    /// by which a stored run is found again.
    std::vector<std::uint64_t> digests{};
    /// RankedTimes::waits; empty where none was given up.
    std::vector<double> waits{};

    [[nodiscard]] RankedTimes known() const { return {milliseconds, spreads, waits}; }
};

struct Task {
    std::string machine;            ///< unique in its set
    MachineDescription description; ///< as far as it is known
    std::vector<WorkloadRuntimes> runtimes;
    int threads = 0; ///< threads of all runtimes; 0: not known

    /// Equal for two tasks on one machine, such as two installations.
    [[nodiscard]] const std::string& machine_name() const {
        return description.name.empty() ? machine : description.name;
    }
};

/// Tasks in one setting that share their workloads.
struct TaskSet {
    Setting setting;
    std::vector<TaskWorkload> workloads;
    std::vector<Task> tasks;
    DomainWords words{}; ///< for sentences
    /// Where parts of workloads are tested: the regret compares with the fastest configuration of the whole
    /// workload, even if that one is not tested.
    bool has_regret_of_all = false;
    /// Times are shares of the fastest of their workload on their machine, which takes 1 whether it is in the
    /// set or not (make_times_relative()).
    bool has_relative_times = false;
};

/// The workloads of each side, as places in TaskSet::workloads. All configurations of a workload are on one
/// side. Where a split divides a workload, split_tasks() makes each part a workload of its own.
struct WorkloadSplit {
    std::vector<std::size_t> train;
    std::vector<std::size_t> validation;
    std::vector<std::size_t> test;
};

/// A measurement of one configuration as it is stored.
struct RecordedRuntime {
    Configuration configuration;
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms{}; ///< as in Measurement: only for Measured and GaveUp
    std::optional<double> spread_ms{}; ///< absent where it is not known, as for imported runtimes
    bool is_baseline = false;
    std::uint64_t digest = 0; ///< see WorkloadRuntimes::digests
};

/// What a model learns from times.
enum class LearningGoal : std::uint8_t {
    Order, ///< the order of the configurations of a workload
    Times, ///< the times themselves, also of a workload with one configuration
};

/// Whether these times of one workload contain something to learn.
[[nodiscard]] bool can_be_learned(std::span<const double> milliseconds, LearningGoal goal);

/// What was done with the measurements of one machine. All members but `measurements` count configurations on
/// workloads.
struct RuntimeCounts {
    std::int64_t measurements = 0;  ///< all measurements
    std::int64_t without_data = 0;  ///< left out: their workloads are known by name alone
    std::int64_t unreadable = 0;    ///< left out: the data of their workloads can't be read
    std::int64_t damaged = 0;       ///< left out: MeasurementStatus::Damaged
    std::int64_t too_short = 0;     ///< left out by rule 2
    std::int64_t too_long = 0;      ///< left out by rule 2
    std::int64_t repeated = 0;      ///< left out by rule 4
    std::int64_t without_order = 0; ///< left out by rule 5
    std::int64_t runtimes = 0;      ///< used: all measurements minus all above
    // How many of the used runtimes are infinite:
    std::int64_t failed = 0;
    std::int64_t given_up = 0;

    bool operator==(const RuntimeCounts&) const = default;
};

/// Of one workload on one machine; the place of the workload is left at 0. Empty by rule 5. Adds to the
/// counts, `measurements` too. The limits are those of a domain. In this order, after what is damaged was
/// left out:
/// 1. What failed, was too large or gave a wrong result is infinite; so is what was given up, with its wait.
/// 2. A median below `shortest_ms` is none: nothing runs that fast, the timer slipped. One of `longest_ms`
///    and more is left out, unless it is the baseline's, which every speedup needs.
/// 3. What was measured keeps its time, also beyond the wait of one that was given up: the order of these two
///    alone is unknown. WACO's published data have none that were given up, so nothing of its rules changes.
/// 4. Of several measurements of one configuration the fastest stays, as in the results; of several that were
///    given up, the one that waited longest.
/// 5. A workload without two different runtimes has no order to learn and is left out; where times are
///    learned, one that ran stays.
[[nodiscard]] WorkloadRuntimes apply_rules(std::span<const RecordedRuntime> stored,
                                           const BelievableTimes& times, LearningGoal goal,
                                           RuntimeCounts& counts);

/// Gives times that were simulated on this machine their simulation_error() as a spread, where none is known
/// or a smaller one: what differs by less is no order to learn.
void add_simulation_error(WorkloadRuntimes& runtimes, const MachineDescription& machine);

} // namespace sparsight

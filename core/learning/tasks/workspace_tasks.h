// The tasks in a workspace's measurements: one for each machine, measured here or recorded elsewhere. The
// runtimes of a task can be compared: they share a protocol, a condition and a number of threads. A machine
// under another condition or with another number of threads is another task.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/tasks/task.h"
#include "store/machines.h"
#include "store/workload_families.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "study/domain.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// The machine, protocol, condition and threads of a task. Open fields are chosen so that the task has most
/// measurements.
struct TaskSource {
    std::string machine;    ///< name, fingerprint, or a name with its condition: "A100 (run=2021)"
    std::string protocol{}; ///< empty: open
    int threads = 0;        ///< 0: open
    std::optional<std::string> condition{}; ///< absent: open, unless the machine is given with one
};

struct TaskRequest {
    Setting setting;
    /// Empty: every machine that has measurements, once for each condition.
    std::vector<TaskSource> sources{};
    int threads = 1; ///< for computing statistics
    LearningGoal goal = LearningGoal::Order;
};

/// The conditions of a machine's runtimes.
struct RuntimeConditions {
    MachineId machine{};
    std::string protocol;
    std::string condition{}; ///< as in MeasurementConditions: "run=2021"; mostly empty
    int threads = 1;
    std::int64_t measurements = 0;       ///< that there are
    std::optional<std::string> engine{}; ///< as RuntimeQuery::engine
    std::int64_t other_engines = 0;      ///< measurements by other engines, left out
};

/// All runtimes of one workload under the same conditions.
struct RecordedWorkload {
    WorkloadId workload{};
    std::vector<RecordedRuntime> runtimes; ///< in the order in which they were recorded
};

struct StoredWorkload {
    WorkloadId id{};
    std::string name;
    bool has_data = false; ///< false: it is left out, for TaskStorage::why_left_out()
};

/// The training data of one domain in a workspace. Errors are those of the workspace.
class TaskStorage {
public:
    TaskStorage() = default;
    TaskStorage(const TaskStorage&) = delete;
    TaskStorage& operator=(const TaskStorage&) = delete;
    virtual ~TaskStorage() = default;

    [[nodiscard]] virtual const Domain& domain() const = 0;
    /// Whether the number of threads matters to users; in a table of GPU times it does not.
    [[nodiscard]] virtual bool tells_threads() const = 0;
    /// Why workloads have no data to learn from; the end of a sentence.
    [[nodiscard]] virtual std::string_view why_left_out() const {
        return "known by name alone: import their data";
    }
    /// The setting for users: "spmm".
    [[nodiscard]] virtual std::string setting_name(const Setting& setting) const = 0;

    /// Sorted by machine; for each machine, the conditions with the most measurements first.
    [[nodiscard]] virtual Result<std::vector<RuntimeConditions>> conditions(const Setting& setting) = 0;
    /// Sorted by workload; `measurements` is ignored.
    [[nodiscard]] virtual Result<std::vector<RecordedWorkload>> runtimes(const Setting& setting,
                                                                         const RuntimeConditions& under) = 0;

    /// All workloads in the order in which they were added.
    [[nodiscard]] virtual Result<std::vector<StoredWorkload>> workloads() = 0;
    /// Reads what a task needs to know about a workload that has data; the data themselves are read on
    /// demand. Errors: also data that can't be read.
    [[nodiscard]] virtual Result<TaskWorkload> examine(const StoredWorkload& workload, int threads) = 0;
    /// Reads the data only. Errors: there are none; they can't be read.
    [[nodiscard]] virtual Result<std::shared_ptr<const Payload>> payload(const StoredWorkload& workload,
                                                                         int threads) {
        const auto examined = examine(workload, threads);
        if (!examined)
            return std::unexpected(examined.error());
        return examined->load();
    }
};

/// Examines workloads of the storage for WorkloadFamilies. Errors: those of TaskStorage::workloads().
[[nodiscard]] Result<StatisticsReader> statistics_reader(std::shared_ptr<TaskStorage> storage, int threads);

struct TaskReport {
    std::string machine; ///< its name, with the condition or threads where one machine has several tasks
    std::string protocol;
    int threads = 0; ///< 0: no measurements
    bool tells_threads = true;
    Noun workload{}; ///< what the domain calls a workload, and a configuration
    Noun configuration{};
    /// Measurements of the same machine that are left out, because they can't be compared with these:
    std::int64_t of_other_threads = 0; ///< of this protocol
    std::int64_t of_other_protocols = 0;
    std::int64_t of_other_conditions = 0; ///< that are no task of this set
    std::int64_t of_other_engines = 0;    ///< made by other versions of what measures
    RuntimeCounts counts{};
    // Workloads:
    std::int64_t workloads = 0; ///< used
    std::int64_t without_data = 0;
    std::string why_without_data{};
    std::int64_t unreadable = 0;
    std::int64_t without_order = 0;
    std::string why_unreadable{}; ///< the first of them, with the reason

    bool operator==(const TaskReport&) const = default;
};

/// Sentences for the user: what is learned from, and what is left out and why; one for each point that
/// applies.
[[nodiscard]] std::vector<std::string> sentences(const TaskReport& report);

struct WorkspaceTasks {
    TaskSet set;
    std::vector<TaskReport> reports; ///< one for each requested machine, also where nothing is used
    std::vector<Error> unreadable;   ///< workloads whose data can't be read, each with the reason
};

/// Workloads are in the order in which they were added to the workspace, without those that no machine has
/// runtimes of; tasks are in the order of the sources, without those that have no workload. Statistics are
/// stored in the workspace where it can be written. `storage` is of this workspace.
///
/// Data are read from this workspace when they are asked for: it has to live as long as the set, and only the
/// thread that uses it may ask. Errors: no such machine; nothing to learn from; a workspace that can't be
/// read; Fault::Cancelled.
[[nodiscard]] Result<WorkspaceTasks> workspace_tasks(Workspace& workspace, TaskStorage& storage,
                                                     const TaskRequest& request,
                                                     const std::stop_token& stop = {},
                                                     const ProgressSink& progress = {});

} // namespace sparsight

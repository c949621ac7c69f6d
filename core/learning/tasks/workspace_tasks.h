// The tasks that the measurements of a workspace give: one for each machine, measured here or recorded
// elsewhere. Runtimes of one task can be compared: they have one protocol and one number of threads, as
// results do (store/runtimes.h). The same machine with another number of threads is another task.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "learning/tasks/runtime_rules.h"
#include "learning/tasks/task.h"
#include "store/workspace.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// The machine, protocol and threads of a task. Open fields are chosen so that the task has most
/// measurements.
struct TaskSource {
    std::string machine;    ///< name or fingerprint
    std::string protocol{}; ///< empty: open
    int threads = 0;        ///< 0: open
};

struct TaskRequest {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::vector<TaskSource> sources{}; ///< empty: every machine that has measurements, once
    RuntimeRules rules{};
    int threads = 1; ///< for computing statistics
};

struct TaskReport {
    std::string machine; ///< with its threads and protocol where several tasks are of one machine
    std::string protocol;
    int threads = 0; ///< 0: no measurements
    /// Of the same machine, left out because they can't be compared with these.
    std::int64_t of_other_threads = 0; ///< of this protocol
    std::int64_t of_other_protocols = 0;
    RuntimeCounts counts{};
    // Matrices:
    std::int64_t matrices = 0;        ///< taken
    std::int64_t without_pattern = 0; ///< known by name alone
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
    std::vector<Error> unreadable;   ///< matrices whose pattern can't be read, each with the reason
};

/// Matrices are in the order in which they were added to the workspace, without those that no machine has
/// runtimes of; tasks are in the order of the sources, without those that have no matrix. Statistics are
/// stored in the workspace where it can be written.
///
/// Patterns are read from this workspace when they are asked for: it has to live as long as the set, and
/// only the thread that uses it may ask. Errors: no such machine; nothing to learn from; a workspace that
/// can't be read; Fault::Cancelled.
[[nodiscard]] Result<WorkspaceTasks> workspace_tasks(Workspace& workspace, const TaskRequest& request,
                                                     const std::stop_token& stop = {},
                                                     const ProgressSink& progress = {});

} // namespace sparsight

// Which two schedules `explain` compares on which matrix and machine, and what it finds.
#pragma once

#include "base/observer.h"
#include "base/quantity.h"
#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/measured_clock.h"
#include "domains/sparse/workflow/import/named_matrices.h"
#include "store/workspace.h"
#include "study/clock.h"
#include "workflow/machines/named_machines.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct ExplainRequest {
    std::string matrix;
    std::string schedule;        ///< what is to be explained: "csr", "best" or a line
    std::string against = "csr"; ///< what it is held against, likewise
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string machine; ///< as workflow/machines/named_machines.h names them; empty: this computer
    bool measured = false;
    bool again = false;            ///< measure anew what has a stored time
    int threads = 1;               ///< of measured kernels
    std::optional<Seconds> budget; ///< of measuring hybrids
    std::uint64_t seed = 1;
    /// As an evaluation measured them in turns, where its reader sees these beside the collected times.
    std::optional<double> schedule_in_turns_ms{};
    std::optional<double> against_in_turns_ms{};
};

/// What a request names, found; what it is held against is left alone.
struct NamedSubject {
    NamedMatrix matrix;
    NamedMachine machine;
    SuperSchedule schedule; ///< with the threads of the request or, simulated, of the machine
    std::vector<std::string> remarks{};
};
[[nodiscard]] Result<NamedSubject> named_subject(const WorkspaceLocation& location,
                                                 const ExplainRequest& request);

/// Known times of both schedules that compare with each other.
struct KnownPair {
    ClockTime against;
    ClockTime schedule;

    /// The time of the schedule over that of the other one.
    [[nodiscard]] double factor() const { return *schedule.milliseconds / *against.milliseconds; }
};

struct ExplainAnswer {
    Explanation explanation;
    std::size_t measured = 0; ///< schedules that were measured now
    std::size_t reused = 0;   ///< schedules whose times were stored
    std::size_t repeated = 0; ///< measurements of schedules that had a time already
    bool is_stored = false;   ///< whether what was measured is in the workspace
    std::string matrix{};
    MachineDescription machine{};
    int threads = 1;
    /// The times as both were measured (or recorded) on the machine before, where times are simulated now.
    std::optional<KnownPair> known{};
    /// Where a simulated time is far off the one that is known there (evaluation/time_differences.h).
    std::string far_off{};
    /// Of measured ends: where the times that were stored before say otherwise.
    std::optional<MachineTimeDrift> schedule_moved{};
    std::optional<MachineTimeDrift> against_moved{};
    /// Of the processors, what other programs took of them meanwhile, where that disturbs (0 to 1).
    std::optional<double> busy_share{};
    std::vector<std::string> remarks{}; ///< for the user
};

/// With measured times: takes the measuring turn.
[[nodiscard]] Result<ExplainAnswer> answer_explain(const WorkspaceLocation& location,
                                                   const ExplainRequest& request, Observer& observer,
                                                   const std::stop_token& stop);

} // namespace sparsight

// Collecting: schedules are measured on matrices of a workspace, on this computer, and each measurement is
// stored as soon as it is made. What is stored already is left alone, so the same request goes on where it
// was stopped or killed.
#pragma once

#include "base/error.h"
#include "collection/schedule_choice.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/storage/matrices.h"
#include "store/machines.h"
#include "study/measurement.h"
#include "study/timing.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct CollectionRequest {
    std::vector<std::string> matrices; ///< names; none: all whose pattern is known
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    ScheduleChoice schedules;
    int threads = 1; ///< that kernels run on; it replaces the thread count of every schedule
    Protocol protocol = Protocol::Adaptive;
    PackingLimits limits;
    bool again = false; ///< measure what is stored, too, and replace it
    /// For the whole collection; it ends between two measurements. Matrices get equal shares of what is left,
    /// and a matrix that is done leaves its share to the others.
    std::optional<Seconds> budget;
    MillisecondClock clock = steady_clock(); ///< of the budget and of what observers are told
};

/// After each schedule. `done` and `total` count schedules over all matrices, skipped ones included.
struct CollectionStep {
    std::string_view matrix;
    const SuperSchedule& schedule;
    const Measurement& measurement;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    Seconds elapsed{};
    std::optional<Seconds> left; ///< an estimate from the speed so far
};

/// A matrix that could not be measured at all, or one schedule on it that failed for no fault of its own (out
/// of memory) or for ours (a wrong result). What was measured beside it stands.
struct CollectionFailure {
    std::string matrix;
    std::string schedule; ///< empty when the matrix itself failed
    Error error;

    /// "matrix: schedule: what happened", as one error for the user.
    [[nodiscard]] Error described() const;
};

struct CollectionSummary {
    std::int64_t measured = 0; ///< with a time, given-up ones included
    std::int64_t failed = 0;   ///< too large, mismatch, failed: stored as such
    std::int64_t skipped = 0;  ///< stored before
    Seconds elapsed{};
    bool complete = false; ///< nothing is left to measure
    std::vector<CollectionFailure> failures;

    [[nodiscard]] double schedules_per_second() const;
};

struct CollectionObserver {
    std::function<void(std::string_view matrix, std::size_t number, std::size_t count)> on_matrix;
    std::function<void(const CollectionStep&)> on_step;
};

/// Fixed CSR is measured first on every matrix. Stopping finishes the measurement in flight. An error is one
/// of the workspace or of the request; a matrix that is not there or cannot be loaded is a failure of the
/// summary, and the others go on.
[[nodiscard]] Result<CollectionSummary> collect(Workspace& workspace, MachineId machine,
                                                const CollectionRequest& request,
                                                const CollectionObserver& observer = {},
                                                const std::stop_token& stop = {});

} // namespace sparsight

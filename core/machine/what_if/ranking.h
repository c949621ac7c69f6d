// Which schedule of a list would be the fastest on a machine, and by how much, by either simulator.
#pragma once

#include "machine/machine_parameters.h"
#include "machine/mechanistic/schedule_profile.h"
#include "machine/mechanistic/simulated_time.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// Schedules are named by their places in the list that was ranked.
struct Ranking {
    std::vector<double> milliseconds; ///< by schedule; infinite where it could not run
    std::vector<std::size_t> order;   ///< fastest first, of equal ones the earlier one

    /// Absent where none can run.
    [[nodiscard]] std::optional<std::size_t> winner() const;
    /// How much longer the second takes than the winner: 0.1 is 10 %. Absent where there is no second.
    [[nodiscard]] std::optional<double> lead() const;
};

[[nodiscard]] Ranking rank(std::vector<double> milliseconds);
[[nodiscard]] Ranking rank(std::span<const SimulatedTime> times);

/// Microseconds for each; a pure function, so threads may call it at once.
[[nodiscard]] std::vector<SimulatedTime> simulate(const MachineParameters& machine,
                                                  std::span<const ScheduleProfile> profiles);

/// What the paper's formula (paper_formula.h) multiplies every runtime by. Unlike paper_factor() it takes a
/// typical value for what is not known of a machine.
[[nodiscard]] double paper_scale(const MachineParameters& machine);

/// Recorded runtimes as the paper's formula makes them out on a machine: the factor is the same for all, so
/// the order is that of the recorded ones whatever the machine is.
[[nodiscard]] std::vector<double> scale_by_paper(const MachineParameters& machine,
                                                 std::span<const double> recorded_ms);

} // namespace sparsight

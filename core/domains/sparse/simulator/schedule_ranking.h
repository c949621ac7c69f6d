// Ranking schedules on a machine by either simulator, choosing a set of schedules whose ranking is worth
// watching, and mapping who wins where on machines of two varied parameters.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
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

/// The factor by which the paper's formula (simulator.h) multiplies every runtime. Unlike paper_factor() it
/// uses a typical value for each unknown fact of a machine.
[[nodiscard]] double paper_scale(const MachineParameters& machine);

/// Recorded runtimes as the paper's formula scales them for a machine: the factor is the same for all, so
/// the order is that of the recorded ones whatever the machine is.
[[nodiscard]] std::vector<double> scale_by_paper(const MachineParameters& machine,
                                                 std::span<const double> recorded_ms);

/// The times that the paper's formula scales: it gives no time for a schedule that was never run.
struct PaperBasis {
    bool is_recorded = false;         ///< otherwise simulated, as too few times are known
    std::vector<double> milliseconds; ///< by schedule; infinite where it was not recorded
};

/// The recorded times of those schedules that have one, if there are two or more to compare; otherwise those
/// that the mechanistic simulator gives on `machine`, which then stands for the real one.
[[nodiscard]] PaperBasis paper_basis(std::span<const std::optional<double>> recorded_ms,
                                     const MachineParameters& machine,
                                     std::span<const ScheduleProfile> profiles);

/// The most threads that a schedule may ask for: it takes all that a machine has, however many the sliders
/// give it.
inline constexpr int all_threads = maximum_threads;

/// Schedules whose ranking is worth watching: known ones, and those of many drawn ones that would be the best
/// on some machine.
struct ScheduleSet {
    std::vector<SuperSchedule> schedules; ///< canonical, each meaning once, with all_threads
    std::vector<ScheduleProfile> profiles;
};

struct ScheduleSetRequest {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;           ///< ignored for SpMV
    std::vector<SuperSchedule> known{}; ///< taken whatever they are, after fixed CSR, which comes first
    /// The number of schedules in all, if that many exist; 0: only the known ones.
    std::size_t count = 20;
    std::uint64_t seed = 1; ///< of the drawn ones
};

/// The drawn ones are half near fixed CSR, half by WACO's generator. Those are kept that win on the presets
/// and on machines of the sampled family, then those that come second, and so on.
[[nodiscard]] Result<ScheduleSet> schedule_set(const ProfiledPattern& pattern,
                                               const ScheduleSetRequest& request,
                                               const ProfilingOptions& options = {});

struct MapAxis {
    MachineParameter parameter{};
    std::vector<double> values; ///< rising
};

/// Over the parameter's usual range, widened to the machine's own value (machine/machine_family.h).
[[nodiscard]] MapAxis map_axis(const MachineDescription& machine, MachineParameter parameter, int steps);

struct WinnerCell {
    std::size_t winner = 0; ///< place in the list of schedules
    double milliseconds = 0;
    double lead = 0; ///< as in Ranking; 0 where there is no second
    bool operator==(const WinnerCell&) const = default;
};

struct WinnerMap {
    MapAxis x;
    MapAxis y;
    std::vector<WinnerCell> cells; ///< of the first value of y all values of x, then of the second …

    [[nodiscard]] const WinnerCell& at(std::size_t column, std::size_t row) const {
        return cells[row * x.values.size() + column];
    }

    struct Share {
        std::size_t schedule = 0;
        std::size_t cells = 0;
        bool operator==(const Share&) const = default;
    };
    /// Everyone who wins anywhere, those who win the most first.
    [[nodiscard]] std::vector<Share> winners() const;
};

/// What moves with what is said by with_parameter() (machine_edit.h): more cores have as many threads each,
/// cores and sockets stay in order, the L3 is that of the whole machine. x is set first, then y. The
/// machine's other parameters stay as they are. Threads may share it; `threads` of its own work on the rows.
/// At least one schedule. Errors: Fault::Cancelled.
[[nodiscard]] Result<WinnerMap> winner_map(const MachineDescription& machine, MapAxis x, MapAxis y,
                                           std::span<const ScheduleProfile> profiles, int threads = 1,
                                           const std::stop_token& stop = {});

/// The same by the paper's formula, from runtimes that were recorded: one winner everywhere.
[[nodiscard]] Result<WinnerMap> paper_winner_map(const MachineDescription& machine, MapAxis x, MapAxis y,
                                                 std::span<const double> recorded_ms,
                                                 const std::stop_token& stop = {});

} // namespace sparsight

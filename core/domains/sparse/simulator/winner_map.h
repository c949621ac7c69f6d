// Who wins where: the fastest schedule at every point of a grid over two parameters of a machine.
#pragma once

#include "base/error.h"
#include "domains/sparse/simulator/schedule_ranking.h"
#include "machine/machine_description.h"

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

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

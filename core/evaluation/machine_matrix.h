// What machines have in common on one workload: what the fastest configuration of one costs on another, and
// whether both put configurations in the same order. Times of any domain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// How one machine serves another: configurations are compared that both have tried.
struct MachinePair {
    std::int64_t common = 0; ///< configurations that both have tried
    std::int64_t ran = 0;    ///< of these, those that ran on both
    /// Of the common configurations, the one that is fastest on the column's machine: its time on the row's
    /// machine over that of the fastest there. Infinite where it does not run there. Absent where nothing in
    /// common ran on one of both.
    std::optional<double> slowdown{};
    std::optional<std::size_t> copied{}; ///< the place of that configuration
    // Over the configurations that ran on both (study/ranking_metrics.h):
    std::optional<double> kendall_tau{};
    std::optional<double> pair_accuracy{};

    bool operator==(const MachinePair&) const = default;
};

struct MachineMatrix {
    std::size_t machines = 0;
    /// Row by row. In each row a machine that configurations are copied to.
    std::vector<MachinePair> pairs;

    [[nodiscard]] const MachinePair& pair(std::size_t row, std::size_t column) const {
        return pairs[row * machines + column];
    }
};

/// Of each machine its milliseconds, one for each configuration: NaN where it was never tried, infinite where
/// it failed or was abandoned.
[[nodiscard]] MachineMatrix machine_matrix(std::span<const std::vector<double>> machines);

/// An order in which similar machines stand together: the leaves of a clustering by average distance 1 − τ,
/// turned so that neighbours of two clusters are alike. Machines without a τ are far apart.
[[nodiscard]] std::vector<std::size_t> similarity_order(const MachineMatrix& matrix);

/// The same matrix with its machines in that order, which has each place once.
[[nodiscard]] MachineMatrix reordered(const MachineMatrix& matrix, std::span<const std::size_t> order);

} // namespace sparsight

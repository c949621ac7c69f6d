// Learns the parameters of a simulator by trying neighbours of one parameter after the other with the
// simulator itself: only the blocks with instructions of a class can change with its parameters.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/blocks/simulator/simulator_table.h"
#include "domains/blocks/tuning/block_errors.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace sparsight {

struct TableSearchOptions {
    std::size_t blocks_a_trial = 150; ///< at most; those of a class that come first
    std::size_t fewest_groups = 5;    ///< of a class whose parameters are tried
    /// By how many of its standard errors the mean error must fall.
    double standard_errors = 2;
};

/// What search_class() changes: the table, and how far simulated cycles are off.
struct TableSearch {
    SimulatorTable table;
    std::size_t changes = 0;
    std::size_t simulations = 0;
};

/// The classes of the training blocks that have enough groups, the most frequent one first.
[[nodiscard]] std::vector<std::size_t> searchable_classes(const TuningBlocks& blocks, std::size_t classes,
                                                          const TableSearchOptions& options);

/// The parameters of a class whose neighbours are worth a trial: micro-operations, latency, the read advances
/// that either table has, and the resources that either uses.
[[nodiscard]] std::vector<ParameterPlace> tried_parameters(const SimulatorTable& original,
                                                           const SimulatorTable& table, std::size_t place);

/// Tries the neighbours of each parameter of a class, or of the processor (ParameterPlace::of_processor), and
/// keeps what lowers the error beyond noise; then goes on in that direction with doubled steps. `places` are
/// the training blocks with that class. Error: stopped (Cancelled); those of the simulator.
[[nodiscard]] Result<void> search_class(TableSearch& search, std::size_t place, const TuningBlocks& blocks,
                                        std::span<const std::size_t> places, BlockSimulator& simulator,
                                        const TableSearchOptions& options, const std::stop_token& stop);

} // namespace sparsight

// How far simulated cycles are from measured ones, block by block, and whether a change of a parameter makes
// a difference beyond noise.
#pragma once

#include "base/error.h"
#include "domains/blocks/tuning/tuning_blocks.h"

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// Cycles of these blocks, by their places, with the parameters of a table. A block that the simulator
/// refuses with them is an error of the whole: the same block was accepted with LLVM's.
[[nodiscard]] Result<std::vector<double>>
simulate_blocks(BlockSimulator& simulator, const SimulatorTable& table, std::span<const TuningBlock> blocks,
                std::span<const std::size_t> places, const std::stop_token& stop);

/// |simulated − measured| / measured.
[[nodiscard]] double block_error(double simulated, const TuningBlock& block);

/// The mean of differences of errors, with its standard error over groups: blocks of a group are alike.
struct MeanDifference {
    double mean = 0;
    double error = 0; ///< 0 where all differences are 0
    std::size_t groups = 0;

    /// By more than so many standard errors.
    [[nodiscard]] bool is_below_zero(double errors) const { return mean < -errors * error; }
    [[nodiscard]] bool is_above_zero(double errors) const { return mean > errors * error; }
};
/// `differences` of blocks by their places. At least one.
[[nodiscard]] MeanDifference mean_difference(std::span<const double> differences,
                                             std::span<const TuningBlock> blocks,
                                             std::span<const std::size_t> places);

/// The training blocks of each class, in the order of the blocks.
[[nodiscard]] std::vector<std::vector<std::size_t>> blocks_by_class(std::span<const TuningBlock> blocks,
                                                                    std::size_t classes, TuningPart part);

} // namespace sparsight

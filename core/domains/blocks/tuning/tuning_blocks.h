// Measured blocks from which the parameters of a simulator are learned, and those that test them.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/blocks/code/machine_code.h"
#include "domains/blocks/simulator/block_simulation.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <vector>

namespace sparsight {

enum class TuningPart { Training, Validation, HeldOut };

struct TuningBlock {
    MachineCode code;
    std::vector<std::size_t> classes; ///< of its instructions, in their order
    double cycles = 0;                ///< measured, of one iteration
    std::size_t group = 0;            ///< equal for blocks that differ in constants alone
    TuningPart part = TuningPart::Training;
};

struct TuningBlocks {
    std::vector<TuningBlock> blocks;
    std::size_t apart = 0;   ///< left out, as a held-out set elsewhere has blocks of their groups
    std::size_t unknown = 0; ///< left out, as the simulator does not know one of their instructions

    [[nodiscard]] std::vector<std::size_t> of(TuningPart part) const;
};

struct TuningBlocksRequest {
    std::filesystem::path file; ///< of BlockTable
    double held_out = 0.2;      ///< share of the groups
    double validation = 0.1;    ///< likewise
    /// Blocks of each part; 0: all. Those of the groups that come first in a random order.
    std::size_t most_training = 0;
    std::size_t most_validation = 0;
    std::size_t most_held_out = 0;
    std::uint64_t seed = 1;
};

/// A group is in the same part on all machines. Errors: those of BlockTable; the file has no times of the
/// simulator's machine, or too few groups for all parts (Input); stopped (Cancelled).
[[nodiscard]] Result<TuningBlocks> read_tuning_blocks(const TuningBlocksRequest& request,
                                                      BlockSimulator& simulator, Observer& observer,
                                                      const std::stop_token& stop);

} // namespace sparsight

// Which parameters of a simulator the measured times determine: a parameter whose neighbours give the same
// error, but for noise, could have their values as well.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/blocks/simulator/simulator_table.h"
#include "domains/blocks/tuning/tuning_blocks.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sparsight {

enum class Determination {
    Determined,   ///< one more and one less are both worse, beyond noise
    Bounded,      ///< one of the two is worse, the other is not
    Undetermined, ///< neither is
    FewBlocks,    ///< too few groups of blocks have the class
};
/// "determined", "bounded on one side", "undetermined", "too few blocks".
[[nodiscard]] std::string_view name(Determination determination);

struct JudgedParameter {
    ParameterPlace place;
    std::size_t blocks = 0; ///< training blocks that it was judged by
    Determination determination = Determination::FewBlocks;
    /// By how much the mean error of these blocks rises with the better of both neighbours, as a share.
    std::optional<double> rise{};
};

struct VerdictOptions {
    std::size_t blocks_a_parameter = 60; ///< at most
    std::size_t fewest_groups = 5;
    double standard_errors = 2; ///< what counts as beyond noise
};

/// Of one class or of the processor (ParameterPlace::of_processor): tried_parameters(). `places` are the
/// training blocks with that class.
[[nodiscard]] Result<std::vector<JudgedParameter>>
judge_parameters(const SimulatorTable& table, std::size_t place, const TuningBlocks& blocks,
                 std::span<const std::size_t> places, BlockSimulator& simulator,
                 const VerdictOptions& options, const std::stop_token& stop);

} // namespace sparsight

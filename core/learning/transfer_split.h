// Which matrices a model may see that is to be adapted to a machine: all of every machine but those that it
// is tested with on that one, and their siblings.
#pragma once

#include "base/error.h"
#include "learning/task.h"

#include <cstddef>
#include <cstdint>

namespace sparsight {

/// A machine with fewer families of matrices can't be learned and tested.
inline constexpr std::size_t fewest_target_families = 4;

/// Families of matrices with runtimes of this task (place in the set's tasks).
[[nodiscard]] std::size_t count_families(const TaskSet& set, std::size_t task);

/// The test is a share of the target's matrices, drawn by the seed in whole families. To train on is every
/// matrix of the set that is no sibling of them, whichever machine it was measured on; nothing is left to
/// validate with, so that no source chooses its weights by it. An error (Fault::Input) that says what to do
/// where the target has fewer families than fewest_target_families.
[[nodiscard]] Result<MatrixSplit> transfer_split(const TaskSet& set, std::size_t target, double test_share,
                                                 std::uint64_t seed);

} // namespace sparsight

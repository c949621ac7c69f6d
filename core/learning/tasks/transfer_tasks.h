// From where a model learns to learn a machine that it does not know: the sources that the experiment on
// tasks compares with one another.
#pragma once

#include "base/error.h"
#include "learning/tasks/task.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sparsight {

enum class MetaSource : std::uint8_t {
    Scratch,       ///< nothing: the reference
    Paper,         ///< the report's machines A and B, simulated from recorded times by its formula
    Family,        ///< sampled machines, simulated mechanistically
    Real,          ///< all other machines that were measured
    FamilyAndReal, ///< both
};

inline constexpr std::array all_meta_sources{MetaSource::Scratch, MetaSource::Paper, MetaSource::Family,
                                             MetaSource::Real, MetaSource::FamilyAndReal};

/// "scratch", "paper", "family", "real", "family+real".
[[nodiscard]] std::string_view name(MetaSource source);
[[nodiscard]] std::optional<MetaSource> parse_meta_source(std::string_view text);

/// Of the machines other than the target (place in `real.tasks`) the one with most matrices: imagined
/// machines are given those and their schedules, and the formula their times, so that nothing of the target's
/// is in them. Nothing where there is no other machine.
[[nodiscard]] std::optional<std::size_t> schedule_donor(const TaskSet& real, std::size_t target);

/// What a source learns from, over the matrices of `real`; never a task of the target. No tasks for
/// MetaSource::Scratch.
[[nodiscard]] TaskSet tasks_of(MetaSource source, const TaskSet& real, std::size_t target,
                               std::span<const Task> paper, std::span<const Task> family);

// Which matrices a model may see that is to be adapted to a machine: all of every machine but those that it
// is tested with on that one, and their siblings.

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

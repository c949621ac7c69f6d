// From where a model learns to learn a machine that it does not know: the sources that the experiment on
// tasks compares with one another.
#pragma once

#include "learning/task.h"

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

} // namespace sparsight

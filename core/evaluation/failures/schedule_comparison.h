// Two schedules as loop nests side by side, with what differs marked.
#pragma once

#include "schedule/super_schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// A line of either nest, or both where the same line stands in both.
struct ComparedLine {
    std::optional<std::string> from;
    std::optional<std::string> to;
    [[nodiscard]] bool is_same() const { return from == to; }
    bool operator==(const ComparedLine&) const = default;
};

/// The loops of a schedule, a line each, outermost first, indented by their depth; then what is computed
/// inside. Each says what it runs over, how its level is stored, and which one the threads share:
///   "for i1 in 0 … 38 744, uncompressed, 48 threads, chunks of 32"
[[nodiscard]] std::vector<std::string> loop_lines(const SuperSchedule& schedule, const Extents& extents);

/// Aligned so that as many lines as possible stand beside the same one; lines over the same loop that differ
/// stand side by side.
[[nodiscard]] std::vector<ComparedLine> compare_loops(const SuperSchedule& from, const SuperSchedule& to,
                                                      const Extents& extents);

} // namespace sparsight

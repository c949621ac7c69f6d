// Two schedules as loop nests side by side, with what differs marked.
#pragma once

#include "schedule/super_schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// A line of either nest, or one of each that belong together.
struct ComparedLine {
    std::optional<std::string> from;
    std::optional<std::string> to;
    /// Both are there and differ in nothing but how deep they stand.
    [[nodiscard]] bool is_same() const;
    bool operator==(const ComparedLine&) const = default;
};

/// The loops of a schedule, a line each, outermost first, indented by two blanks a level; then what is
/// computed inside. Each says how far it runs, how A's level is stored, and which one the threads share:
///   "for i1 < 1,200, uncompressed, 48 threads by 32"
///   "  for k1 < 640, compressed"
///   "    for j1 < 256"
///   "      C(i,j) += A(i,k) · B(k,j)"
[[nodiscard]] std::vector<std::string> loop_lines(const SuperSchedule& schedule, const Extents& extents);

/// Aligned so that as many lines as possible stand beside the same one, and else beside one over the same
/// loop; each line of both is there once, in its order.
[[nodiscard]] std::vector<ComparedLine> compare_loops(const SuperSchedule& from, const SuperSchedule& to,
                                                      const Extents& extents);

} // namespace sparsight

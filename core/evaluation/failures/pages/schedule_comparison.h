// Two schedules as loop nests side by side, with what differs marked.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"
#include "evaluation/diagnosis/explanation.h"

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

// Figures of failure reports: SVG elements in the style of report_style.h.

/// From one time to the other, a bar a decision; numbers of the bars are rounded so that they, too, add up.
[[nodiscard]] std::string waterfall_figure(const Blame& blame, const std::string& from_name,
                                           const std::string& to_name);

/// What each of Blame::shares is written to cost, in milliseconds of decimals_of() the longer time: rounded
/// so that they add up to the difference of both times as these are written.
[[nodiscard]] std::vector<double> rounded_costs(const Blame& blame);
/// "+1.250", "−0.003".
[[nodiscard]] std::string signed_text(double value, int decimals);

/// Decimals by which a time of so many milliseconds has four digits: 0 to 6.
[[nodiscard]] int decimals_of(double milliseconds);

} // namespace sparsight

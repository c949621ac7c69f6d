// Comparing two schedules on a page: their loop nests side by side with the differences marked, and the
// figure of what each decision costs. Figures are SVG elements in the style of evaluation/reports/html.h.
#pragma once

#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// A line of either nest, or two that correspond. A line says the extent of its loop, how A's level is
/// stored, and whether threads share the loop; the last one is the statement:
///   "for i1 < 1,200, uncompressed, 48 threads by 32"
///   "  for k1 < 640, compressed"
///   "    for j1 < 256"
///   "      C(i,j) += A(i,k) · B(k,j)"
struct ComparedLine {
    std::optional<std::string> from;
    std::optional<std::string> to;
    /// Both lines exist and differ at most in their indentation.
    [[nodiscard]] bool is_same() const;
    bool operator==(const ComparedLine&) const = default;
};

/// Aligns the nests so that as many lines as possible stand beside an equal line, and otherwise beside a
/// line of the same loop; each line of both appears once, in its order.
[[nodiscard]] std::vector<ComparedLine> compare_loops(const SuperSchedule& from, const SuperSchedule& to,
                                                      const Extents& extents);

/// A waterfall from one time to the other, a bar a decision; the numbers of the bars are rounded so that
/// they add up.
[[nodiscard]] std::string waterfall_figure(const Blame& blame, const std::string& from_name,
                                           const std::string& to_name);

/// The displayed cost of each of Blame::shares, in milliseconds with decimals_of() the longer time: rounded
/// so that the costs add up to the difference of both displayed times.
[[nodiscard]] std::vector<double> rounded_costs(const Blame& blame);
/// "+1.250", "−0.003".
[[nodiscard]] std::string signed_text(double value, int decimals);

/// The number of decimals, 0 to 6, that gives a time four digits.
[[nodiscard]] int decimals_of(double milliseconds);

} // namespace sparsight

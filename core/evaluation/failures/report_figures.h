// Figures of failure reports: SVG elements in the style of report_style.h.
#pragma once

#include "evaluation/diagnosis/explanation.h"

#include <string>
#include <vector>

namespace sparsight {

/// From one time to the other, a bar a decision; numbers of the bars are rounded so that they, too, add up.
[[nodiscard]] std::string waterfall_figure(const Blame& blame, const std::string& from_name,
                                           const std::string& to_name);

/// What each of Blame::shares is written to cost, in milliseconds of decimals_of() the longer time: rounded
/// so that they add up to the difference of both times as these are written.
[[nodiscard]] std::vector<double> shown_costs(const Blame& blame);
/// "+1.250", "−0.003".
[[nodiscard]] std::string signed_text(double value, int decimals);

/// Decimals by which a time of so many milliseconds has four digits: 0 to 6.
[[nodiscard]] int decimals_of(double milliseconds);

} // namespace sparsight

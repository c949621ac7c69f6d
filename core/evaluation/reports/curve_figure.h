// Curves with a legend above them, as an SVG element of html_page().
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sparsight {

struct NamedCurve {
    std::string name;
    std::vector<std::pair<double, double>> points; ///< ascending; 0 or more across, above 0 upward
};

struct CurveFigure {
    std::vector<NamedCurve> curves; ///< at least one has points
    std::string about;              ///< "mean regret by measurements", for those who cannot see it
    std::string across;             ///< titles of the axes, with their units
    std::string upward;
    std::vector<double> ticks{}; ///< across
    bool in_percent = false;     ///< upward: 0.03 is "3 %"
};

/// Logarithmic upward, and across by log(1 + x), so that 0 has its place.
[[nodiscard]] std::string curve_figure(const CurveFigure& figure);

} // namespace sparsight

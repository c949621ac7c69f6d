// Curves and bars with a legend above them, alone or one below the other, as an SVG element of html_page().
#pragma once

#include <optional>
#include <span>
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

struct BarGroup {
    std::string name;
    std::vector<std::optional<double>> shares; ///< one for each bar; absent ones leave a gap
};

/// Shares of the whole, in groups.
struct BarFigure {
    std::vector<std::string> bars;
    std::vector<BarGroup> groups;
    std::string about;
    std::string upward;
    double lowest = 0; ///< share at the foot of the bars, below 1
};

/// A part of a figure: what it draws, and what it is about.
struct FigurePanel {
    std::string drawn;
    std::string about;
};
/// Logarithmic upward, and across by log(1 + x), so that 0 has its place.
[[nodiscard]] FigurePanel curve_panel(const CurveFigure& figure);
[[nodiscard]] FigurePanel bar_panel(const BarFigure& figure);
/// One below the other; empty without panels.
[[nodiscard]] std::string figure_of(std::span<const FigurePanel> panels);

} // namespace sparsight

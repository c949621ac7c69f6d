#include "evaluation/reports/curve_figure.h"

#include "evaluation/reports/figures.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace sparsight {
namespace {

constexpr double figure_width = 560;
constexpr double figure_height = 340;
constexpr double plot_left = 62;
constexpr double plot_right = 540;
constexpr double plot_top = 50;
constexpr double plot_bottom = 290;

} // namespace

std::string curve_figure(const CurveFigure& figure) {
    double highest = 0;
    double lowest = std::numeric_limits<double>::infinity();
    double furthest = 0;
    for (const NamedCurve& curve : figure.curves)
        for (const auto& [x, y] : curve.points) {
            highest = std::max(highest, y);
            lowest = std::min(lowest, y);
            furthest = std::max(furthest, x);
        }
    const SvgAxis upward = SvgAxis::logarithmic(lowest, highest, plot_bottom, plot_top);
    const SvgAxis across = SvgAxis::linear(0, std::log1p(furthest), plot_left + 10, plot_right - 10);
    std::string text = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
                                   "style=\"max-width:{0}px\" role=\"img\" aria-label=\"{2}\">\n<rect "
                                   "class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n",
                                   figure_width, figure_height, html_text(figure.about));
    const auto out = std::back_inserter(text);
    for (const double tick : upward.ticks())
        fmt::format_to(out,
                       "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text x=\"{}\" "
                       "y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                       plot_left, plot_right, upward.place(tick), upward.place(tick), plot_left - 6,
                       upward.place(tick) + 4,
                       figure.in_percent ? fmt::format("{:.3g} %", 100 * tick) : fmt::format("{:.3g}", tick));
    for (const double tick : figure.ticks)
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       across.place(std::log1p(tick)), plot_bottom + 18, tick);
    double x = plot_left;
    for (std::size_t place = 0; place < figure.curves.size(); ++place) {
        const NamedCurve& curve = figure.curves[place];
        std::string path;
        for (const auto& [at, value] : curve.points)
            fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L',
                           across.place(std::log1p(at)), upward.place(value));
        if (!path.empty())
            fmt::format_to(out, "<path class=\"curve curve{}\" d=\"{}\"/>\n", place, path);
        fmt::format_to(out,
                       "<path class=\"curve curve{}\" d=\"M{} 22 h20\"/><text x=\"{}\" y=\"26\">{}</text>\n",
                       place, x, x + 25, html_text(curve.name));
        x += 45 + 7 * static_cast<double>(curve.name.size());
    }
    fmt::format_to(out,
                   "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<text "
                   "transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n</svg>\n",
                   (plot_left + plot_right) / 2, figure_height - 8, html_text(figure.across),
                   (plot_top + plot_bottom) / 2, html_text(figure.upward));
    return text;
}

} // namespace sparsight

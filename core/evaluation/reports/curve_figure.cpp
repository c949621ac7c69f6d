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

/// A line across and its label.
std::string tick_text(double y, const std::string& label) {
    return fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text x=\"{}\" "
                       "y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                       plot_left, plot_right, y, y, plot_left - 6, y + 4, label);
}

std::string upward_title(const std::string& title) {
    return fmt::format("<text transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                       (plot_top + plot_bottom) / 2, html_text(title));
}

/// One entry for each name, in the colours of curves.
template <typename Mark>
std::string legend_of(const std::vector<std::string>& names, Mark mark) {
    std::string text;
    double x = plot_left;
    for (std::size_t place = 0; place < names.size(); ++place) {
        text += mark(place, x) +
                fmt::format("<text x=\"{}\" y=\"26\">{}</text>\n", x + 25, html_text(names[place]));
        x += 45 + 7 * static_cast<double>(names[place].size());
    }
    return text;
}

} // namespace

FigurePanel curve_panel(const CurveFigure& figure) {
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
    std::string text;
    const auto out = std::back_inserter(text);
    for (const double tick : upward.ticks())
        text += tick_text(upward.place(tick), figure.in_percent ? fmt::format("{:.3g} %", 100 * tick)
                                                                : fmt::format("{:.3g}", tick));
    for (const double tick : figure.ticks)
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       across.place(std::log1p(tick)), plot_bottom + 18, tick);
    std::vector<std::string> names;
    for (std::size_t place = 0; place < figure.curves.size(); ++place) {
        std::string path;
        for (const auto& [at, value] : figure.curves[place].points)
            fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L',
                           across.place(std::log1p(at)), upward.place(value));
        if (!path.empty())
            fmt::format_to(out, "<path class=\"curve curve{}\" d=\"{}\"/>\n", place, path);
        names.push_back(figure.curves[place].name);
    }
    text += legend_of(names, [](std::size_t place, double x) {
        return fmt::format("<path class=\"curve curve{}\" d=\"M{} 22 h20\"/>", place, x);
    });
    fmt::format_to(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                   (plot_left + plot_right) / 2, figure_height - 8, html_text(figure.across));
    return {text + upward_title(figure.upward), figure.about};
}

FigurePanel bar_panel(const BarFigure& figure) {
    const SvgAxis upward = SvgAxis::linear(figure.lowest, 1, plot_bottom, plot_top);
    std::string text;
    for (const double tick : upward.ticks())
        text += tick_text(upward.place(tick), fmt::format("{:.3g} %", 100 * tick));
    // A bar is a thick line, so that it has the colour of a curve.
    const double group_width = (plot_right - plot_left) / static_cast<double>(figure.groups.size());
    const double bar_width = 0.8 * group_width / static_cast<double>(figure.bars.size());
    const auto out = std::back_inserter(text);
    for (std::size_t group = 0; group < figure.groups.size(); ++group) {
        const BarGroup& of = figure.groups[group];
        const double left = plot_left + (static_cast<double>(group) + 0.1) * group_width;
        for (std::size_t bar = 0; bar < of.shares.size(); ++bar) {
            if (!of.shares[bar])
                continue;
            const double x = left + (static_cast<double>(bar) + 0.5) * bar_width;
            const double y = upward.place(*of.shares[bar]);
            fmt::format_to(
                out,
                "<path class=\"curve curve{}\" style=\"stroke-width:{:.1f}\" d=\"M{:.1f} {} V{:.1f}\"/>"
                "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.1f}</text>\n",
                bar, 0.9 * bar_width, x, plot_bottom, y, x, y - 5, 100 * *of.shares[bar]);
        }
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       plot_left + (static_cast<double>(group) + 0.5) * group_width, plot_bottom + 18,
                       html_text(of.name));
    }
    text += legend_of(figure.bars, [](std::size_t place, double x) {
        return fmt::format("<path class=\"curve curve{}\" style=\"stroke-width:12\" d=\"M{} 22 h20\"/>",
                           place, x);
    });
    return {text + upward_title(figure.upward), figure.about};
}

std::string figure_of(std::span<const FigurePanel> panels) {
    if (panels.empty())
        return "";
    std::string about;
    std::string drawn;
    for (std::size_t panel = 0; panel < panels.size(); ++panel) {
        about += (panel > 0 ? "; " : "") + panels[panel].about;
        drawn += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n",
                             figure_height * static_cast<double>(panel), panels[panel].drawn);
    }
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
                       "style=\"max-width:{0}px\" role=\"img\" aria-label=\"{2}\">\n<rect "
                       "class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{3}</svg>\n",
                       figure_width, figure_height * static_cast<double>(panels.size()), html_text(about),
                       drawn);
}

} // namespace sparsight

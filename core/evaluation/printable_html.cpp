#include "evaluation/printable_html.h"

#include "evaluation/html.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <span>

namespace sparsight {

namespace {

constexpr double figure_pixels = 520; ///< most of an A4 page between its margins
constexpr double pixels_of_rem = 14;

// The colours of report_style.cpp by day.
constexpr std::string_view page_rules = R"(
body { font-family: sans-serif; font-size: 7.5pt; color: #1d2733; }
h1 { font-size: 13pt; margin: 0; } h2 { font-size: 10.5pt; margin: 5px 0 1px 0; } h3 { font-size: 8.5pt; margin: 4px 0 1px 0; } h4 { font-size: 8pt; margin: 3px 0 1px 0; }
p, ul { margin: 1px 0 1px 0; }
h2.page { page-break-before: always; } .layout { width: 100%; }
.lead, .faint, .words, figcaption, .interval { color: #5d6b7a; }
.gain { color: #2f6fb3; } .loss { color: #c8690f; }
table { border-collapse: collapse; } th { text-align: left; font-weight: bold; }
td, th { padding-right: 8px; padding-top: 1px; padding-bottom: 0px; }
code, pre { font-family: monospace; font-size: 7pt; } pre { margin: 0; white-space: pre-wrap; }
td.differs { background-color: #fbe8d5; } td.gap { background-color: #f3f5f8; }
a { color: #1d2733; text-decoration: none; }
)";

constexpr std::string_view figure_rules = R"(
text { fill: #5d6b7a; } .label { fill: #1d2733; } .strong { font-weight: bold; }
.grid { stroke: #d5dce4; } .reference { stroke: #5d6b7a; stroke-width: 2; } .link { stroke: #5d6b7a; } .paper { fill: #ffffff; }
.win { fill: #2f6fb3; } .lose { fill: #c8690f; } .end { fill: #8794a2; } .frame { fill: none; stroke: #d5dce4; }
.curve { fill: none; stroke-width: 1.8; } .curve0 { stroke: #2f6fb3; } .curve1 { stroke: #a2499b; } .curve2 { stroke: #1f8a78; }
.curve3 { stroke: #9a7400; } .curve4 { stroke: #6b6f76; }
)";

struct Pixels {
    double width = 0;
    double height = 0;
};

std::string image(std::string_view svg, const Pixels& size) {
    return fmt::format("<img width=\"{:.0f}\" height=\"{:.0f}\" src=\"data:image/svg+xml;base64,{}\">",
                       size.width, size.height, base64(std::as_bytes(std::span(svg.data(), svg.size()))));
}

/// As wide as the page, in the proportions of viewBox="0 0 WIDTH HEIGHT".
Pixels figure_size(std::string_view tag) {
    constexpr std::string_view box = "viewBox=\"0 0 ";
    const std::size_t begin = tag.find(box);
    Pixels inside;
    if (begin != std::string_view::npos)
        std::sscanf(std::string(tag.substr(begin + box.size())).c_str(), "%lf %lf", &inside.width,
                    &inside.height);
    const double ratio = inside.width > 0 ? inside.height / inside.width : 0.5;
    return {figure_pixels, figure_pixels * ratio};
}

/// From <svg …> to </svg>.
std::string figure_image(std::string_view figure) {
    const std::size_t inside = figure.find('>') + 1;
    constexpr std::string_view tag = "<svg";
    return image(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" "
                             "font-size=\"13\"{}<style>{}</style>{}",
                             figure.substr(tag.size(), inside - tag.size()), figure_rules,
                             figure.substr(inside)),
                 figure_size(figure.substr(0, inside)));
}

/// A bar is an empty span with a width in rem.
std::string bar_image(std::string_view span) {
    constexpr std::string_view width = "width:";
    constexpr double height = 8;
    const std::size_t begin = span.find(width);
    if (begin == std::string_view::npos)
        return {};
    const double rem = std::strtod(std::string(span.substr(begin + width.size())).c_str(), nullptr);
    const double pixels = std::max(1.0, rem * pixels_of_rem);
    const std::string_view colour = span.find("losing") == std::string_view::npos ? "#2f6fb3" : "#c8690f";
    return image(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1}\"><rect "
                             "width=\"{0:.0f}\" height=\"{1}\" fill=\"{2}\"/></svg>",
                             pixels, height, colour),
                 {pixels, height});
}

/// Replaces each part from `begin` to `end`, both included.
template <typename Replace>
std::string replaced(std::string_view text, std::string_view begin, std::string_view end,
                     const Replace& replace) {
    std::string result;
    for (std::size_t at = 0;;) {
        const std::size_t first = text.find(begin, at);
        const std::size_t last =
            first == std::string_view::npos ? first : text.find(end, first + begin.size());
        if (last == std::string_view::npos)
            return result + std::string(text.substr(at));
        result += text.substr(at, first - at);
        result += replace(text.substr(first, last + end.size() - first));
        at = last + end.size();
    }
}

} // namespace

std::string printable_html(std::string_view page) {
    // Before the figures get rules of their own.
    const std::string styled = replaced(page, "<style>", "</style>", [](std::string_view) {
        return fmt::format("<style>{}</style>", page_rules);
    });
    std::string drawn = replaced(styled, "<svg", "</svg>", &figure_image);
    drawn = replaced(drawn, "<figure", ">", [](std::string_view) { return "<div>"; });
    drawn = replaced(drawn, "</figure", ">", [](std::string_view) { return "</div>"; });
    drawn = replaced(drawn, "<figcaption", ">", [](std::string_view) { return "<p class=\"faint\">"; });
    drawn = replaced(drawn, "</figcaption", ">", [](std::string_view) { return "</p>"; });
    const std::string barred = replaced(drawn, "<span class=\"bar", "</span>", &bar_image);
    // Those engines align by attributes alone.
    return replaced(barred, " class=\"number", "\"",
                    [](std::string_view attribute) { return std::string(attribute) + " align=\"right\""; });
}

} // namespace sparsight

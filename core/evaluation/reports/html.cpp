#include "evaluation/reports/html.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <span>

namespace sparsight {

std::string html_text(std::string_view text) {
    std::string safe;
    for (const char letter : text) {
        switch (letter) {
        case '&':
            safe += "&amp;";
            break;
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '"':
            safe += "&quot;";
            break;
        case '\'':
            safe += "&#39;";
            break;
        default:
            safe += letter;
        }
    }
    return safe;
}

std::string number_cell(std::string_view text) {
    return fmt::format("<td class=\"number\">{}</td>", text);
}

std::string base64(std::span<const std::byte> bytes) {
    static constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t byte = 0; byte < 3; ++byte)
            group = group << 8 | (byte < count ? std::to_integer<std::uint32_t>(bytes[at + byte]) : 0);
        for (std::size_t sextet = 0; sextet < 4; ++sextet)
            text += sextet <= count ? alphabet[group >> (18 - 6 * sextet) & 63] : '=';
    }
    return text;
}

namespace {

// Blue wins and orange loses everywhere in Sparsight, which colour-blind people can tell apart.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1d2733; --paper: #ffffff; --faint: #5d6b7a; --line: #d5dce4; --win: #2f6fb3; --lose: #c8690f; --mark: #fbe8d5; --gap: #f3f5f8;
  --curve0: #2f6fb3; --curve1: #a2499b; --curve2: #1f8a78; --curve3: #9a7400; --curve4: #6b6f76; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --paper: #161b21; --faint: #9aa7b5; --line: #36414d; --win: #5b9be0; --lose: #f0953f; --mark: #4a3520; --gap: #1c232b;
  --curve0: #5b9be0; --curve1: #d487cd; --curve2: #4fc3ae; --curve3: #d8b03c; --curve4: #a4abb5; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 76rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.2rem; margin: 2.4rem 0 .6rem; border-top: 1px solid var(--line); padding-top: 1.4rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
p.lead, figcaption, .faint { color: var(--faint); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } th { text-align: left; font-weight: 600; }
th, td { padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; } td.number, th.number { text-align: right; }
td:first-child, td code { white-space: nowrap; }
code, pre { font: 13px/1.45 ui-monospace, monospace; } pre { overflow-x: auto; border: 1px solid var(--line); padding: .8rem 1rem; border-radius: 4px; }
.scroll { overflow-x: auto; } .bar { display: inline-block; height: .7rem; background: var(--win); border-radius: 2px; }
.gain { color: var(--win); font-weight: 600; } .loss { color: var(--lose); font-weight: 600; }
.interval { color: var(--faint); font-size: .87em; white-space: nowrap; }
.matrix { display: flex; gap: 3rem; flex-wrap: wrap; align-items: flex-start; } .matrix figure { width: min-content; min-width: 20rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: .5rem 2rem; }
figure { margin: 0 0 1.2rem; } figure img { display: block; background: #fff; border: 1px solid var(--line); image-rendering: pixelated; }
svg { display: block; width: 100%; max-width: 46rem; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: var(--faint); }
svg .grid { stroke: var(--line); } svg .reference { stroke: var(--faint); stroke-width: 2; } svg .paper { fill: var(--paper); }
svg .win { fill: var(--win); } svg .lose { fill: var(--lose); } svg circle { fill-opacity: .55; } svg circle.pale { fill-opacity: .25; }
svg .curve { fill: none; stroke-width: 1.8; } svg .validation { stroke-dasharray: 6 4; }
svg.wide { max-width: 60rem; } svg .label { fill: var(--ink); } svg .strong { font-weight: 600; } svg .end { fill: var(--faint); } svg .frame { fill: none; stroke: var(--line); } svg .link { stroke: var(--faint); stroke-dasharray: 2 2; }
.bar.losing { background: var(--lose); } td.sentence { white-space: normal; max-width: 46rem; }
table.layout { width: 100%; } table.layout > tbody > tr > td { border: none; vertical-align: top; white-space: normal; padding-right: 2.4rem; } table.layout table { margin-bottom: 1rem; }
img.pattern { display: block; background: #fff; border: 1px solid var(--line); image-rendering: pixelated; }
pre.command { white-space: pre-wrap; } table.nests { width: 100%; table-layout: fixed; } table.nests td { border-bottom: none; padding: 0; white-space: normal; } table.nests pre { border: none; padding: .12rem .6rem; margin: 0; white-space: pre-wrap; }
table.nests td.words { padding: .3rem 1rem .5rem 0; color: var(--faint); } table.nests td.differs { background: var(--mark); } table.nests td.gap { background: var(--gap); } table.nests td + td { border-left: .6rem solid var(--paper); }
@media print { body { max-width: none; margin: 0; font-size: 12px; } h2.page { break-before: page; } h2, h3, h4 { break-after: avoid; } figure, tr { break-inside: avoid; } pre { white-space: pre-wrap; } }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; } .legend i { display: inline-block; width: 1.6rem; border-top: 3px solid; vertical-align: .25rem; margin-right: .4rem; }
.curve0 { stroke: var(--curve0); color: var(--curve0); } .curve1 { stroke: var(--curve1); color: var(--curve1); } .curve2 { stroke: var(--curve2); color: var(--curve2); }
.curve3 { stroke: var(--curve3); color: var(--curve3); } .curve4 { stroke: var(--curve4); color: var(--curve4); }
)";

} // namespace

std::string html_page(std::string_view title, std::string_view body) {
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                       "name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n"
                       "<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
                       html_text(title), style, body);
}

std::string svg_file(std::string_view figure) {
    const std::size_t inside = figure.find('>') + 1; // behind the tag that opens it
    return fmt::format("{}\n<style>{}</style>{}", figure.substr(0, inside), style, figure.substr(inside));
}

namespace {

constexpr double figure_pixels = 520; ///< most of an A4 page between its margins
constexpr double pixels_of_rem = 14;

// The colours of html_page() in light mode.
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
    constexpr std::string_view property = "width:";
    constexpr double height = 8;
    const std::size_t begin = span.find(property);
    if (begin == std::string_view::npos)
        return {};
    const double rem = std::strtod(std::string(span.substr(begin + property.size())).c_str(), nullptr);
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

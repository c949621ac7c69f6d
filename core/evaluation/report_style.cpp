#include "evaluation/report_style.h"

#include "evaluation/html.h"

#include <fmt/format.h>

namespace sparsight {

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
svg .win { fill: var(--win); } svg .lose { fill: var(--lose); } svg circle { fill-opacity: .55; }
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

} // namespace sparsight

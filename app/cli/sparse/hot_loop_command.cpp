#include "cli/sparse/hot_loop_command.h"

#include "base/terminal_text.h"
#include "cli/sparse/schedule_options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/workflow/explanation/hot_loops.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <vector>

namespace sparsight {
namespace {

constexpr CommandHelp hot_loop_help{.description = R"(
Shows the innermost loop in which a schedule's kernel computes: its machine code on each
processor, the cycles of one iteration, and what they are spent on. --against puts the
loop of another schedule beside it.

The loop is the one that multiplies and adds most in an iteration. A schedule whose blocks
are mostly empty spends its time in the loops around it, which `machine code` shows.

"bound" is the largest of what its chains of dependencies, the ports, the divider and the
front end need. It needs tables of ports: --table has those of uops.info or OSACA, as
`import-blocks --table` takes them, or the workspace has them. "mca" is LLVM's
machine-code analyser, which needs none. Both leave caches and memory out.

An entry is a stored one of the sparse matrix. A vectorised loop is often done with a
part of an entry.)",
                                    .examples = R"(
sparsight-cli hot-loop '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32' --dense 32
sparsight-cli hot-loop '1 1 i1 i0 k1 k0 1 1 0 1 i1 2 32' --operator spmv --machine hsw --table ports.csv)",
                                    .json = R"(
{"operator", "schedule", "against", "processors": [{"processor", "title", "error",
  "schedule": LOOP, "against": LOOP, "sentence"}]}
LOOP: {"processor", "loop", "depth", "hex", "entries", "cycles", "cycles_per_entry",
 "simulated_cycles", "bound": {"dependencies", "ports", "front_end", "divider", "cycles",
 "chain": [INSTRUCTION], "unknown"}, "binds", "listing": [TEXT]}
cycles are those of the bound, else the simulated ones; bound is null without a table.
against, error and sentence are null where there is none. Instructions count from 0.)"};

struct HotLoopForm {
    ScheduleInput schedule;
    std::string against;
    std::vector<std::string> machines;
    std::string table;
};

struct OnProcessor {
    LoopProcessor processor;
    Result<HotLoopCosts> schedule;
    std::optional<Result<HotLoopCosts>> against{};

    [[nodiscard]] const Error* error() const {
        if (!schedule)
            return &schedule.error();
        return against && !*against ? &against->error() : nullptr;
    }
    [[nodiscard]] std::optional<std::string> sentence() const {
        if (!against || error() != nullptr)
            return std::nullopt;
        return compare_hot_loops(*schedule, "this schedule", **against, "the other one");
    }
};

Result<std::vector<LoopProcessor>> chosen_processors(const LoopAnalyst& analyst,
                                                     const std::vector<std::string>& asked) {
    if (asked.empty())
        return analyst.processors();
    std::vector<LoopProcessor> chosen;
    for (const std::string& name : asked) {
        const auto known = std::ranges::find_if(analyst.processors(), [&](const LoopProcessor& each) {
            return each.name == name || each.llvm == name;
        });
        if (known == analyst.processors().end()) {
            std::vector<std::string> names;
            for (const LoopProcessor& each : analyst.processors())
                names.push_back(each.name);
            return fail(Fault::Input, fmt::format("there is no microarchitecture '{}': expected {}", name,
                                                  fmt::join(names, ", ")));
        }
        chosen.push_back(*known);
    }
    return chosen;
}

Result<std::vector<OnProcessor>> analyse(Session& session, const HotLoopForm& form, LoopAnalyst& analyst,
                                         const NamedSchedule& given) {
    const auto processors = chosen_processors(analyst, form.machines);
    if (!processors)
        return std::unexpected(processors.error());
    if (!form.table.empty()) {
        if (auto read = analyst.read_tables(form.table); !read)
            return std::unexpected(std::move(read).error());
    } else if (session.has_workspace()) {
        auto workspace = session.open_workspace(WorkspaceAccess::Read);
        if (!workspace)
            return std::unexpected(std::move(workspace).error());
        if (auto read = analyst.read_tables(*workspace); !read)
            return std::unexpected(std::move(read).error());
    }
    std::optional<SuperSchedule> against;
    if (!form.against.empty()) {
        const auto parsed = parse_schedule(given.schedule.op, form.against);
        if (!parsed)
            return std::unexpected(parsed.error());
        against = *parsed;
    }
    std::vector<OnProcessor> found;
    for (const LoopProcessor& each : *processors) {
        OnProcessor on{each, hot_loop_costs(given.schedule, given.extents, each, analyst)};
        if (against)
            on.against = hot_loop_costs(*against, given.extents, each, analyst);
        found.push_back(std::move(on));
    }
    return found;
}

Json to_json(const NamedSchedule& given, const HotLoopForm& form, const std::vector<OnProcessor>& found) {
    Json processors = Json::array();
    for (const OnProcessor& on : found) {
        const auto loop = [](const Result<HotLoopCosts>& costs) {
            return costs ? to_json(*costs) : Json(nullptr);
        };
        const auto sentence = on.sentence();
        processors.push_back({{"processor", on.processor.name},
                              {"title", on.processor.title},
                              {"error", on.error() != nullptr ? Json(on.error()->message) : Json(nullptr)},
                              {"schedule", loop(on.schedule)},
                              {"against", on.against ? loop(*on.against) : Json(nullptr)},
                              {"sentence", sentence ? Json(*sentence) : Json(nullptr)}});
    }
    return {{"operator", name(given.schedule.op)},
            {"schedule", to_text(given.schedule)},
            {"against", form.against.empty() ? Json(nullptr) : Json(form.against)},
            {"processors", std::move(processors)}};
}

void add_row(Table& table, const std::string& title, const Result<HotLoopCosts>& costs) {
    if (!costs) {
        table.add_row({title, "", "", "", "", costs.error().message});
        return;
    }
    const LoopAnalysis& of = costs->analysis;
    table.add_row({title, fmt::to_string(of.listing.size()), fmt::format("{:.2f}", of.simulated_cycles),
                   of.bound ? fmt::format("{:.2f}", of.bound->cycles) : "-",
                   fmt::format("{:.2f}", costs->cycles_an_entry()), of.binds});
}

/// Where the chain of the bound stands, its instructions are marked.
std::string listing_text(const HotLoopCosts& costs) {
    std::string text = fmt::format("\nLoop {} on {}, one iteration (stored entries: {:.3g}):\n",
                                   costs.loop.loop.empty() ? "?" : costs.loop.loop, costs.processor.title,
                                   costs.loop.entries);
    const auto& bound = costs.analysis.bound;
    for (std::size_t at = 0; at < costs.analysis.listing.size(); ++at)
        text += fmt::format("{:>4} {} {}\n", at + 1,
                            bound && std::ranges::count(bound->chain, at) > 0 ? "*" : " ",
                            costs.analysis.listing[at]);
    if (bound)
        text += fmt::format("Needed: chains {:.2f} (*), ports {:.2f}, front end {:.2f}, divider {:.2f} "
                            "cycles.{}\n",
                            bound->dependencies, bound->ports, bound->front_end, bound->divider,
                            bound->unknown > 0
                                ? fmt::format(" The table lacks {} of the instructions.", bound->unknown)
                                : "");
    return text;
}

std::string to_text(const std::vector<OnProcessor>& found) {
    Table table({{"processor"},
                 {"instructions", Align::Right},
                 {"mca", Align::Right},
                 {"bound", Align::Right},
                 {"cycles/entry", Align::Right},
                 {"bound by"}});
    for (const OnProcessor& on : found) {
        add_row(table, on.processor.title, on.schedule);
        if (on.against)
            add_row(table, "  against", *on.against);
    }
    std::string text = table.text();
    auto shown = std::ranges::find_if(found, [](const OnProcessor& on) {
        return on.error() == nullptr && on.schedule->analysis.bound.has_value();
    });
    if (shown == found.end())
        shown = std::ranges::find_if(found, [](const OnProcessor& on) { return on.error() == nullptr; });
    if (shown == found.end())
        return text;
    text += listing_text(*shown->schedule);
    if (shown->against)
        text += listing_text(**shown->against);
    for (const OnProcessor& on : found)
        if (const auto sentence = on.sentence())
            text += "\n" + *sentence;
    return text + (shown->against ? "\n" : "");
}

ExitCode show(Session& session, const HotLoopForm& form, const MakeLoopAnalyst& make_analyst) {
    const auto given = named_schedule(session.workspace_location(), form.schedule);
    if (!given)
        return session.refuse(given.error());
    const auto analyst = make_analyst();
    if (!analyst)
        return session.refuse(analyst.error());
    const auto found = analyse(session, form, **analyst, *given);
    if (!found)
        return session.refuse(found.error());
    session.answer(to_json(*given, form, *found), to_text(*found));
    const bool is_complete =
        std::ranges::all_of(*found, [](const OnProcessor& on) { return on.error() == nullptr; });
    return is_complete ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_hot_loop_command(CLI::App& app, Session& session, const MakeLoopAnalyst& make_analyst) {
    CLI::App& command =
        add_command(app, "hot-loop", "Show what a schedule's hot loop waits for", hot_loop_help);
    const auto form = std::make_shared<HotLoopForm>();
    add_schedule_options(command, form->schedule)->required();
    command.add_option("--against", form->against, "another schedule on one line, quoted")->type_name("LINE");
    command
        .add_option("--machine", form->machines,
                    "microarchitecture, such as skl or zen3; may be repeated\n(default: all)")
        ->type_name("NAME");
    command.add_option("--table", form->table, "ports and latencies of instructions")->type_name("FILE");
    set_action(command, session,
               [&session, form, make_analyst] { return show(session, *form, make_analyst); });
}

} // namespace sparsight

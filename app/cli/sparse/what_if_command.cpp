#include "base/terminal_text.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/workflow/explanation/what_if_study.h"
#include "evaluation/time_differences.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json number(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

Json machine_json(const WhatIfAnswer& answer) {
    Json parameters = Json::object();
    for (const ParameterInfo& info : all_parameters())
        parameters[info.key] = answer.parameters.values[info.parameter];
    Json assumed = Json::array();
    for (const MachineParameter each : answer.parameters.assumed)
        assumed.push_back(parameter_info(each).key);
    return {{"name", answer.machine.name}, {"parameters", parameters}, {"assumed", assumed}};
}

Json ranking_json(const WhatIfAnswer& answer) {
    Json ranking = Json::array();
    int place = 0;
    for (const std::size_t each : answer.ranking.order) {
        Json parts;
        if (!answer.parts.empty())
            for (const TimeTerm term : all_time_terms())
                parts[name(term)] = answer.parts[each][term];
        ranking.push_back({{"rank", ++place},
                           {"schedule", to_text(answer.schedules[each])},
                           {"ms", number(answer.ranking.milliseconds[each])},
                           {"parts", parts},
                           {"recorded_ms", number(answer.recorded_ms[each])}});
    }
    return ranking;
}

Json axis_json(const MapAxis& axis) {
    const ParameterInfo& info = parameter_info(axis.parameter);
    return {{"parameter", info.key}, {"unit", info.unit}, {"values", axis.values}};
}

/// Winners by their places in the list of winners.
std::vector<std::size_t> places_of(const WinnerMap& map, const std::vector<WinnerMap::Share>& winners) {
    std::vector<std::size_t> places;
    for (const WinnerCell& cell : map.cells)
        places.push_back(static_cast<std::size_t>(
            std::ranges::find(winners, cell.winner, &WinnerMap::Share::schedule) - winners.begin()));
    return places;
}

Json map_json(const WhatIfAnswer& answer) {
    if (!answer.map)
        return {};
    const WinnerMap& map = *answer.map;
    const auto winners = map.winners();
    Json listed = Json::array();
    for (const WinnerMap::Share& winner : winners)
        listed.push_back({{"schedule", to_text(answer.schedules[winner.schedule])}, {"cells", winner.cells}});
    const std::vector<std::size_t> places = places_of(map, winners);
    Json rows = Json::array();
    for (std::size_t row = 0; row < map.y.values.size(); ++row) {
        Json cells = Json::array();
        for (std::size_t column = 0; column < map.x.values.size(); ++column)
            cells.push_back(places[row * map.x.values.size() + column]);
        rows.push_back(std::move(cells));
    }
    return {{"x", axis_json(map.x)}, {"y", axis_json(map.y)}, {"winners", listed}, {"cells", rows}};
}

std::string basis_text(const WhatIfAnswer& answer) {
    if (!answer.basis)
        return "mechanistic";
    return fmt::format("paper, actual / (cores · bandwidth) · latency, from {} times; the factor is the same "
                       "for all, so it can't change the winner",
                       answer.basis->is_recorded ? "recorded" : "simulated");
}

/// With two significant digits: more would claim what no simulation knows.
std::string percent_text(double share) {
    const double percent = 100 * share;
    constexpr double written_with_a_point = 9.95;
    if (percent < written_with_a_point)
        return fmt::format("{:.1f} %", percent);
    const double unit = std::pow(10, std::floor(std::log10(percent)) - 1);
    return fmt::format("{:.0f} %", std::round(percent / unit) * unit);
}

std::string headline(const WhatIfAnswer& answer) {
    const auto first = equally_fast(answer.ranking.order, answer.ranking.milliseconds);
    if (first.empty())
        return "no schedule has a time\n";
    const auto& order = answer.ranking.order;
    const auto& milliseconds = answer.ranking.milliseconds;
    std::string text;
    for (const std::size_t each : first) {
        const std::string_view word = !text.empty() ? "and" : first.size() > 1 ? "fastest" : "winner";
        text += fmt::format("{:<8}{}\n", word, to_text(answer.schedules[each]));
    }
    if (first.size() > 1)
        text += "        are equally fast here: less than 1 % apart\n";
    if (first.size() < order.size() && std::isfinite(milliseconds[order[first.size()]]))
        text += fmt::format("        {} ahead of the next\n",
                            percent_text(milliseconds[order[first.size()]] / milliseconds[order[0]] - 1));
    return text;
}

std::string cell_text(double value) {
    return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-";
}

Table ranking_table(const WhatIfAnswer& answer) {
    std::vector<Table::Column> columns{{"rank", Align::Right}, {"schedule"}, {"ms", Align::Right}};
    if (!answer.parts.empty())
        for (const TimeTerm term : all_time_terms())
            columns.push_back({std::string(name(term)), Align::Right});
    columns.push_back({"recorded ms", Align::Right});
    Table table(columns);
    int place = 0;
    for (const std::size_t each : answer.ranking.order) {
        std::vector<std::string> cells{fmt::to_string(++place), to_text(answer.schedules[each]),
                                       cell_text(answer.ranking.milliseconds[each])};
        if (!answer.parts.empty())
            for (const TimeTerm term : all_time_terms())
                cells.push_back(cell_text(answer.parts[each][term]));
        cells.push_back(answer.recorded_ms[each] ? cell_text(*answer.recorded_ms[each]) : "");
        table.add_row(std::move(cells));
    }
    return table;
}

std::string axis_text(const MapAxis& axis) {
    const ParameterInfo& info = parameter_info(axis.parameter);
    const std::string_view unit = info.unit == "B" ? "" : info.unit; // each value has its own
    return fmt::format("{} {} … {}{}{}", info.key, value_text(info, axis.values.front()),
                       value_text(info, axis.values.back()), unit.empty() ? "" : " ", unit);
}

/// The largest y first, as on a plot; a letter for each winner.
std::string map_text(const WhatIfAnswer& answer) {
    const WinnerMap& map = *answer.map;
    const auto winners = map.winners();
    const std::vector<std::size_t> places = places_of(map, winners);
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    std::string text =
        fmt::format("\nwho wins, to the right {}, upwards {}:\n", axis_text(map.x), axis_text(map.y));
    const std::size_t width = map.x.values.size();
    for (std::size_t row = map.y.values.size(); row-- > 0;) {
        text += fmt::format("{:>12}  ", value_text(parameter_info(map.y.parameter), map.y.values[row]));
        for (std::size_t column = 0; column < width; ++column)
            text += letters[std::min(places[row * width + column], letters.size() - 1)];
        text += '\n';
    }
    for (std::size_t place = 0; place < winners.size(); ++place)
        text += fmt::format("{}  {:>5.1f} %  {}\n", letters[std::min(place, letters.size() - 1)],
                            100.0 * static_cast<double>(winners[place].cells) /
                                static_cast<double>(map.cells.size()),
                            to_text(answer.schedules[winners[place].schedule]));
    return text;
}

Json what_if_json(const WhatIfRequest& request, const WhatIfAnswer& answer) {
    const auto winner = answer.ranking.winner();
    Json basis;
    if (answer.basis)
        basis = answer.basis->is_recorded ? "recorded" : "simulated";
    return {{"matrix", answer.matrix},
            {"operator", name(request.op)},
            {"dense", request.dense},
            {"machine", machine_json(answer)},
            {"formula", name(request.formula)},
            {"basis", basis},
            {"winner", winner ? Json(to_text(answer.schedules[*winner])) : Json()},
            {"lead", number(answer.ranking.lead())},
            {"ranking", ranking_json(answer)},
            {"map", map_json(answer)}};
}

std::string what_if_text(const WhatIfRequest& request, const WhatIfAnswer& answer) {
    return fmt::format(
        "matrix  {}, {}\nmachine {}{}\nformula {}\n{}\n{}{}", answer.matrix, name(request.op),
        answer.machine.name,
        answer.changes.empty() ? "" : fmt::format("\n  with  {}", fmt::join(answer.changes, "\n        ")),
        basis_text(answer), headline(answer), ranking_table(answer).text(),
        answer.map ? map_text(answer) : "");
}

constexpr CommandHelp whatif_help{.description = R"(
Ranks schedules of a matrix by what they would take on a machine, with the parts
of each time, without running any. --set changes a parameter of the machine and
what goes with it: more cores have as many threads each, the L3 is that of the
whole machine. --map shows who wins over two parameters.

The machine is one of the workspace, a preset, a file with a machine's JSON, or
by default this computer. Schedules are fixed CSR, the best that were measured
on the machine, and of drawn ones those that win somewhere on a family of
machines; --from takes those of a file, --measured all that were measured.

Formulas:
  mechanistic  a sum of terms: instructions, fill-in, traffic from L2, L3 and
               memory, latency, imbalance, parallel regions, chunks
  paper        recorded time / (cores · bandwidth) · latency: a constant factor,
               which can't change a winner. Without recorded times it starts
               from simulated ones.)",
                                  .examples = R"(
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --dense 64
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --set cores=4 --set l2_bytes=256KiB
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --map cores,socket_gb_per_s --map-steps 16
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --formula paper --map cores,socket_gb_per_s)",
                                  .json = R"(
{"matrix", "operator", "dense", "machine": {"name", "parameters": {KEY: VALUE},
 "assumed": [KEY]}, "formula", "basis", "winner", "lead",
 "ranking": [{"rank", "schedule", "ms", "parts": {TERM: MS}, "recorded_ms"}],
 "map": {"x": {"parameter", "unit", "values"}, "y", "winners": [{"schedule",
         "cells"}], "cells"}}
lead: how much longer the second takes, 0.1 is 10 %. assumed: parameters of which
nothing is known. basis: what the paper's formula scales, recorded or simulated
times. cells: rows of places among the winners. Absent: null.)"};

struct WhatIfOptions {
    WhatIfRequest request;
    std::vector<std::string> map;
};

Result<WhatIfFormula> read_formula(std::string_view text) {
    for (const WhatIfFormula formula : {WhatIfFormula::Mechanistic, WhatIfFormula::Paper})
        if (text == name(formula))
            return formula;
    return fail(Fault::Input, fmt::format("'{}' is no formula: expected mechanistic or paper", text));
}

Result<void> read_map(WhatIfOptions& options) {
    if (options.map.empty())
        return {};
    std::vector<MachineParameter> parameters;
    for (const std::string& key : options.map) {
        const auto parameter = parse_machine_parameter(key);
        if (!parameter)
            return fail(Fault::Input, fmt::format("--map: there is no parameter '{}': expected two of {}",
                                                  key, fmt::join(parameter_keys(), ", ")));
        parameters.push_back(*parameter);
    }
    if (parameters.size() != 2 || parameters[0] == parameters[1])
        return fail(Fault::Input, "--map: expected two different parameters with a comma between them, as "
                                  "cores,socket_gb_per_s");
    options.request.map = std::pair(parameters[0], parameters[1]);
    return {};
}

ExitCode answer(Session& session, WhatIfOptions options) {
    if (auto read = read_map(options); !read)
        return session.refuse(read.error(), ExitCode::Usage);
    options.request.seed = session.options.seed;
    const auto answered =
        answer_with_progress(session, "whatif", [&](Observer& observer, const std::stop_token& stop) {
            return answer_what_if(session.workspace_location(), options.request, observer, stop);
        });
    if (!answered)
        return session.refuse(answered.error());
    session.answer(what_if_json(options.request, *answered), what_if_text(options.request, *answered));
    return ExitCode::Done;
}

void add_schedule_options(CLI::App& command, WhatIfRequest& request) {
    auto* count = command.add_option("--schedules", request.schedules, "how many (default 20)")
                      ->type_name("N")
                      ->check(whole_numbers(1, 100));
    auto* from = command.add_option("--from", request.from, "the schedules of this file, one a line")
                     ->type_name("FILE")
                     ->excludes(count);
    command.add_flag("--measured", request.measured, "all schedules that were measured on the machine")
        ->excludes(count)
        ->excludes(from);
}

} // namespace

void add_whatif_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "whatif", "Rank schedules by what they would take on a machine", whatif_help);
    const auto options = std::make_shared<WhatIfOptions>();
    WhatIfRequest& request = options->request;
    command.add_option("--matrix", request.matrix, "a file, or a matrix of the workspace")
        ->type_name("MATRIX")
        ->required();
    command
        .add_option("--machine", request.machine,
                    "a machine of the workspace, a preset, or a file\n(default: this computer)")
        ->type_name("MACHINE");
    command
        .add_option("--set", request.settings, "set a parameter of the machine; may be given several times")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add_operator_option(command, request.op);
    add_dense_option(command, request.dense);
    add_schedule_options(command, request);
    command.add_option("--map", options->map, "who wins over these two parameters, as cores,socket_gb_per_s")
        ->type_name("KEY,KEY")
        ->delimiter(',');
    command.add_option("--map-steps", request.map_steps, "steps along each of them (default 32)")
        ->type_name("N")
        ->check(whole_numbers(2, 256));
    add_parsed_option(command, "--formula", request.formula, &read_formula, "mechanistic (default) or paper")
        ->type_name("FORMULA");
    set_action(command, session, [&session, options] { return answer(session, *options); });
}

} // namespace sparsight

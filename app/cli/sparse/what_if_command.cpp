#include "base/optional_json.h"
#include "base/terminal_text.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/workflow/explanation/what_if_study.h"
#include "evaluation/time_differences.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
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
    const std::vector<std::string> names = nicknames(answer.schedules);
    int place = 0;
    for (const std::size_t each : answer.ranking.order) {
        Json parts;
        if (!answer.parts.empty())
            for (const TimeTerm term : all_time_terms())
                parts[name(term)] = answer.parts[each][term];
        Json entry{{"rank", ++place},         {"schedule", to_text(answer.schedules[each])},
                   {"nickname", names[each]}, {"ms", number(answer.ranking.milliseconds[each])},
                   {"parts", parts},          {"recorded_ms", json_or_null(answer.recorded_ms[each])}};
        if (answer.learned) {
            const PredictedTime& learned = answer.learned->times()[each];
            entry["learned_ms"] = json_or_null(learned.learned_ms);
            entry["learned_low_ms"] = json_or_null(learned.low_ms);
            entry["learned_high_ms"] = json_or_null(learned.high_ms);
            entry["learned_score"] = number(learned.score);
        }
        ranking.push_back(std::move(entry));
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
    const std::vector<std::string> names = nicknames(answer.schedules);
    Json listed = Json::array();
    for (const WinnerMap::Share& winner : winners)
        listed.push_back({{"schedule", to_text(answer.schedules[winner.schedule])},
                          {"nickname", names[winner.schedule]},
                          {"cells", winner.cells}});
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

Json learned_json(const WhatIfAnswer& answer) {
    const LearnedRanking& learned = *answer.learned;
    const auto winner = learned.ranking.winner();
    return {{"model", learned.told.model},
            {"tells_times", learned.told.tells_times},
            {"anchored", learned.told.workloads.front().is_anchored},
            {"winner", winner ? Json(to_text(answer.schedules[*winner])) : Json()},
            {"lead", json_or_null(learned.ranking.lead())}};
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

/// With the codes: a nickname tells namesakes of one list apart, and other commands have other lists.
std::string headline(const WhatIfAnswer& answer) {
    const auto first = equally_fast(answer.ranking.order, answer.ranking.milliseconds);
    if (first.empty())
        return "no schedule has a time\n";
    const auto& order = answer.ranking.order;
    const auto& milliseconds = answer.ranking.milliseconds;
    const std::vector<std::string> names = nicknames(answer.schedules);
    std::string text;
    for (const std::size_t each : first) {
        const std::string_view word = !text.empty() ? "and" : first.size() > 1 ? "fastest" : "winner";
        text += fmt::format("{:<8}{}\n{:8}{}\n", word, names[each], "", to_text(answer.schedules[each]));
    }
    if (first.size() > 1)
        text += "        are equally fast here: less than 1 % apart\n";
    if (first.size() < order.size() && std::isfinite(milliseconds[order[first.size()]]))
        text += fmt::format("        {} ahead of the next\n",
                            percent_text(milliseconds[order[first.size()]] / milliseconds[order[0]] - 1));
    return text;
}

/// What the model says of the same schedules, in a line.
std::string learned_line(const WhatIfAnswer& answer) {
    const LearnedRanking& learned = *answer.learned;
    const auto winner = learned.ranking.winner();
    if (!winner)
        return fmt::format("learned {} has no time of any schedule\n", learned.told.model);
    return fmt::format("learned {} expects {} to win{}\n", learned.told.model,
                       nicknames(answer.schedules)[*winner],
                       winner == answer.ranking.winner() ? ", too" : "");
}

std::string cell_text(double value) {
    return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-";
}

std::string part_text(double milliseconds, double whole_ms) {
    return is_next_to_nothing(milliseconds, whole_ms) ? "0" : cell_text(milliseconds);
}

Table ranking_table(const WhatIfAnswer& answer) {
    std::vector<Table::Column> columns{{"rank", Align::Right}, {"schedule"}, {"simulated ms", Align::Right}};
    if (!answer.parts.empty())
        for (const TimeTerm term : all_time_terms())
            columns.push_back({std::string(name(term)), Align::Right});
    columns.push_back({"recorded ms", Align::Right});
    if (answer.learned)
        columns.push_back({answer.learned->told.tells_times ? "learned ms" : "relative score", Align::Right});
    columns.push_back({"code"});
    const std::vector<std::string> names = nicknames(answer.schedules);
    Table table(columns);
    int place = 0;
    for (const std::size_t each : answer.ranking.order) {
        std::vector<std::string> cells{fmt::to_string(++place), names[each],
                                       cell_text(answer.ranking.milliseconds[each])};
        if (!answer.parts.empty())
            for (const TimeTerm term : all_time_terms())
                cells.push_back(part_text(answer.parts[each][term], answer.ranking.milliseconds[each]));
        cells.push_back(answer.recorded_ms[each] ? cell_text(*answer.recorded_ms[each]) : "");
        if (answer.learned)
            cells.push_back(cell_text(answer.learned->ranking.milliseconds[each]));
        cells.push_back(to_text(answer.schedules[each]));
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
    const std::vector<std::string> names = nicknames(answer.schedules);
    for (std::size_t place = 0; place < winners.size(); ++place)
        text += fmt::format(
            "{}  {:>5.1f} %  {} ({})\n", letters[std::min(place, letters.size() - 1)],
            100.0 * static_cast<double>(winners[place].cells) / static_cast<double>(map.cells.size()),
            names[winners[place].schedule], to_text(answer.schedules[winners[place].schedule]));
    return text;
}

Json what_if_json(const WhatIfRequest& request, const WhatIfAnswer& answer) {
    const auto winner = answer.ranking.winner();
    Json basis;
    if (answer.basis)
        basis = answer.basis->is_recorded ? "recorded" : "simulated";
    Json json{{"matrix", answer.matrix},
              {"operator", name(request.op)},
              {"dense", request.dense},
              {"machine", machine_json(answer)},
              {"formula", name(request.formula)},
              {"basis", basis},
              {"winner", winner ? Json(to_text(answer.schedules[*winner])) : Json()},
              {"lead", json_or_null(answer.ranking.lead())},
              {"ranking", ranking_json(answer)},
              {"map", map_json(answer)}};
    if (answer.learned)
        json["learned"] = learned_json(answer);
    return json;
}

std::string what_if_text(const WhatIfRequest& request, const WhatIfAnswer& answer) {
    return fmt::format(
        "matrix  {}, {}\nmachine {}{}\nformula {}\n{}{}\n{}{}", answer.matrix, name(request.op),
        answer.machine.name,
        answer.changes.empty() ? "" : fmt::format("\n  with  {}", fmt::join(answer.changes, "\n        ")),
        basis_text(answer), headline(answer), answer.learned ? learned_line(answer) : "",
        ranking_table(answer).text(), answer.map ? map_text(answer) : "");
}

Result<WhatIfFormula> read_formula(std::string_view text) {
    for (const WhatIfFormula formula : {WhatIfFormula::Mechanistic, WhatIfFormula::Paper})
        if (text == name(formula))
            return formula;
    return fail(Fault::Input, fmt::format("'{}' is no formula: expected mechanistic or paper", text));
}

class SimulatedWhatIf final : public DomainPart<ChangesRequest> {
public:
    std::string_view domain() const override { return sparse_domain; }

    void add_options(CLI::App& command) override {
        command
            .add_option("--set", request_.settings,
                        "set a parameter of the machine; may be given several times")
            ->type_name("KEY=VALUE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        setting_options_ = {add_operator_option(command, request_.op),
                            add_dense_option(command, request_.dense)};
        auto* const count = command.add_option("--schedules", request_.schedules, "how many (default 20)")
                                ->type_name("N")
                                ->check(whole_numbers(1, 100));
        auto* const from =
            command.add_option("--from", request_.from, "the schedules of this file, one a line")
                ->type_name("FILE")
                ->excludes(count);
        command
            .add_flag("--measured", request_.measured, "all schedules with a measured time on the machine")
            ->excludes(count, from);
        command
            .add_option("--map", map_,
                        "map of the fastest schedule over two parameters, such as cores,socket_gb_per_s")
            ->type_name("KEY,KEY")
            ->delimiter(',');
        command.add_option("--map-steps", request_.map_steps, "steps along each of them (default 32)")
            ->type_name("N")
            ->check(whole_numbers(2, 256));
        add_parsed_option(command, "--formula", request_.formula, &read_formula,
                          "mechanistic (default) or paper")
            ->type_name("FORMULA");
        command
            .add_option("--model", request_.model,
                        "a model that tells its times of these schedules as well,\nor its relative scores")
            ->type_name("NAME");
    }

    ExitCode run(Session& session, ChangesRequest& asked) const override {
        if (!asked.configuration.empty() || !asked.condition.empty())
            return session.refuse({Fault::Input,
                                   "--configuration and --condition are for known times: schedules are "
                                   "simulated",
                                   {},
                                   0},
                                  ExitCode::Usage);
        WhatIfRequest request = request_;
        request.matrix = asked.workload;
        for (const CLI::Option* const option : setting_options_)
            if (!asked.setting.text.empty() && option->count() > 0)
                return session.refuse(
                    {Fault::Input,
                     fmt::format("{} and --setting say the same: expected one of them", option->get_name()),
                     {},
                     0},
                    ExitCode::Usage);
        if (!asked.setting.text.empty()) {
            const auto domain = session.domains.require(sparse_domain);
            const auto setting =
                domain ? (*domain)->parse_setting(asked.setting.text) : std::unexpected(domain.error());
            if (!setting)
                return session.refuse(setting.error(), ExitCode::Usage);
            request.op = sparse_setting(*setting).op;
            request.dense = sparse_setting(*setting).dense;
        }
        request.machine = asked.machine;
        request.seed = session.options.seed;
        if (!map_.empty()) {
            const auto map = parameters_of_map(map_);
            if (!map)
                return session.refuse(map.error(), ExitCode::Usage);
            request.map = *map;
        }
        const auto answered =
            answer_with_progress(session, "whatif", [&](Observer& observer, const std::stop_token& stop) {
                return answer_what_if(session.workspace_location(), request, observer, stop);
            });
        if (!answered)
            return session.refuse(answered.error());
        session.answer(what_if_json(request, *answered), what_if_text(request, *answered));
        return ExitCode::Done;
    }

private:
    std::array<CLI::Option*, 2> setting_options_{}; ///< of the parts of a setting
    WhatIfRequest request_;
    std::vector<std::string> map_;
};

} // namespace

std::shared_ptr<DomainPart<ChangesRequest>> make_simulated_what_if() {
    return std::make_shared<SimulatedWhatIf>();
}

} // namespace sparsight

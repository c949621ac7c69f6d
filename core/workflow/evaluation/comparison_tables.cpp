#include "workflow/evaluation/comparison_tables.h"

#include "base/names.h"
#include "base/optional_json.h"
#include "base/terminal_text.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace sparsight {

namespace {

constexpr Names<MachineFigure, 3> figure_names{{{MachineFigure::Slowdown, "slowdown"},
                                                {MachineFigure::KendallTau, "tau"},
                                                {MachineFigure::PairAccuracy, "accuracy"}}};

struct Transfer {
    std::size_t row = 0;
    std::size_t column = 0;
    double slowdown = 1;
};

/// Between different machines, the cheapest first.
std::vector<Transfer> transfers_of(const MachineComparison& comparison) {
    std::vector<Transfer> transfers;
    for (std::size_t row = 0; row < comparison.machines.size(); ++row)
        for (std::size_t column = 0; column < comparison.machines.size(); ++column)
            if (const auto& slowdown = comparison.matrix.pair(row, column).slowdown;
                row != column && slowdown)
                transfers.push_back({row, column, *slowdown});
    std::ranges::stable_sort(transfers, {}, &Transfer::slowdown);
    return transfers;
}

/// Of an even number the mean of both in the middle, as everywhere. Where only half of the copies run, it is
/// the costliest of these.
double median_slowdown(const std::vector<Transfer>& transfers) {
    const std::size_t middle = transfers.size() / 2;
    const double above = transfers[middle].slowdown;
    if (transfers.size() % 2 == 1)
        return above;
    const double below = transfers[middle - 1].slowdown;
    return std::isinf(above) ? below : (below + above) / 2;
}

/// Three digits, as the map of the window has them: "1.85", "30.0".
std::string factor_text(double factor) {
    return factor < 99.95 ? fmt::format("{:#.3g}", factor) : fmt::format("{:.0f}", factor);
}

std::string figure_text(const std::optional<double>& value, MachineFigure figure) {
    if (!value)
        return "?";
    if (std::isinf(*value))
        return "fails";
    switch (figure) {
    case MachineFigure::Slowdown:
        return factor_text(*value);
    case MachineFigure::KendallTau:
        return fmt::format("{:.3f}", *value);
    case MachineFigure::PairAccuracy:
        return fmt::format("{:.1f} %", 100 * *value);
    }
    return {};
}

std::string_view figure_meaning(MachineFigure figure) {
    switch (figure) {
    case MachineFigure::Slowdown:
        return "Slowdown on the machine of the row, if the fastest of the column is copied (1.00: none; "
               "fails: it does not run)";
    case MachineFigure::KendallTau:
        return "Kendall tau of the times of both machines (1: same order, 0: unrelated, -1: opposite)";
    case MachineFigure::PairAccuracy:
        return "Pairs that the machine of the column orders as the machine of the row does (50 % is chance)";
    }
    return {};
}

} // namespace

std::string_view name(MachineFigure figure) {
    return name_in(figure_names, figure);
}

std::optional<MachineFigure> parse_machine_figure(std::string_view text) {
    return value_in(figure_names, text);
}

std::optional<double> figure_of(const MachinePair& pair, MachineFigure figure) {
    switch (figure) {
    case MachineFigure::Slowdown:
        return pair.slowdown;
    case MachineFigure::KendallTau:
        return pair.kendall_tau;
    case MachineFigure::PairAccuracy:
        return pair.pair_accuracy;
    }
    return {};
}

std::string comparison_sentence(const Domain& domain, const MachineComparison& comparison) {
    const std::vector<Transfer> transfers = transfers_of(comparison);
    const std::string& configuration = domain.words().configuration.one;
    if (transfers.empty())
        return fmt::format("These machines have no {} of {} in common.", configuration, comparison.workload);
    const Transfer& worst = transfers.back();
    const double median = median_slowdown(transfers);
    const auto cost = [](double slowdown) {
        return std::isinf(slowdown) ? std::string("does not run")
                                    : fmt::format("takes {}× as long as the best one", factor_text(slowdown));
    };
    return fmt::format("A copy of another machine's fastest {} {}, in the median. "
                       "At worst it {} (from {} to {}).",
                       configuration, cost(median), cost(worst.slowdown),
                       comparison.machines[worst.column].label, comparison.machines[worst.row].label);
}

std::string comparison_text(const Domain& domain, const MachineComparison& comparison, MachineFigure figure) {
    // The machines have numbers, as their names would make a table of a dozen too wide.
    std::vector<Table::Column> columns{{"", Align::Right}, {"copied to"}};
    for (std::size_t column = 0; column < comparison.machines.size(); ++column)
        columns.push_back({fmt::to_string(column + 1), Align::Right});
    Table figures(std::move(columns));
    Table machines({{"", Align::Right},
                    {"machine"},
                    {"best ms", Align::Right},
                    {"tried", Align::Right},
                    {"ran", Align::Right},
                    {"fastest " + domain.words().configuration.one}});
    for (std::size_t row = 0; row < comparison.machines.size(); ++row) {
        const ComparedMachine& machine = comparison.machines[row];
        std::vector<std::string> cells{fmt::to_string(row + 1), machine.label};
        for (std::size_t column = 0; column < comparison.machines.size(); ++column)
            cells.push_back(figure_text(figure_of(comparison.matrix.pair(row, column), figure), figure));
        figures.add_row(std::move(cells));
        machines.add_row({fmt::to_string(row + 1), machine.label, fmt::format("{:.4g}", machine.best_ms),
                          fmt::to_string(machine.tried), fmt::to_string(machine.ran),
                          machine.nickname.empty() ? machine.best : machine.nickname});
    }
    return fmt::format("{}\n\n{}:\n{}\n{}", comparison_sentence(domain, comparison), figure_meaning(figure),
                       figures.text(), machines.text());
}

Json comparison_json(const Domain& domain, const MachineComparison& comparison) {
    const DomainWords& words = domain.words();
    Json json{{words.workload.one, comparison.workload}};
    for (const SettingMember& member : domain.members(comparison.setting))
        json[member.key] = member_json(member);
    json["sentence"] = comparison_sentence(domain, comparison);
    json["notes"] = comparison.notes;
    json["machines"] = Json::array();
    for (const ComparedMachine& machine : comparison.machines)
        json["machines"].push_back({{"machine", machine.name},
                                    {"fingerprint", machine.fingerprint},
                                    {"condition", machine.condition},
                                    {"protocol", machine.protocol},
                                    {"tried", machine.tried},
                                    {"ran", machine.ran},
                                    {"best_ms", machine.best_ms},
                                    {words.configuration.one, machine.best},
                                    {"nickname", machine.nickname}});
    json["pairs"] = Json::array();
    for (std::size_t row = 0; row < comparison.machines.size(); ++row)
        for (std::size_t column = 0; column < comparison.machines.size(); ++column) {
            const MachinePair& pair = comparison.matrix.pair(row, column);
            const bool fails = pair.slowdown && std::isinf(*pair.slowdown);
            json["pairs"].push_back(
                {{"on", comparison.machines[row].label},
                 {"from", comparison.machines[column].label},
                 {"slowdown", fails ? Json() : json_or_null(pair.slowdown)},
                 {"fails", fails},
                 {"kendall_tau", json_or_null(pair.kendall_tau)},
                 {"pair_accuracy", json_or_null(pair.pair_accuracy)},
                 {"common", pair.common},
                 {"ran", pair.ran},
                 {"copied", pair.copied ? Json(comparison.configurations[*pair.copied]) : Json()}});
        }
    return json;
}

std::string comparison_csv(const Domain& domain, const MachineComparison& comparison) {
    std::string csv = fmt::format("{},on,from,slowdown,fails,kendall_tau,pair_accuracy,common,ran,copied\n",
                                  domain.words().workload.one);
    const auto number = [](const std::optional<double>& value) {
        return value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
    };
    for (std::size_t row = 0; row < comparison.machines.size(); ++row)
        for (std::size_t column = 0; column < comparison.machines.size(); ++column) {
            const MachinePair& pair = comparison.matrix.pair(row, column);
            csv += fmt::format(
                "{},{},{},{},{},{},{},{},{},{}\n", csv_field(comparison.workload),
                csv_field(comparison.machines[row].label), csv_field(comparison.machines[column].label),
                number(pair.slowdown), pair.slowdown && std::isinf(*pair.slowdown) ? "true" : "false",
                number(pair.kendall_tau), number(pair.pair_accuracy), pair.common, pair.ran,
                csv_field(pair.copied ? comparison.configurations[*pair.copied] : std::string()));
        }
    return csv;
}

} // namespace sparsight

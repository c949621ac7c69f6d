#include "domains/blocks/tuning/tuning_report.h"

#include "base/terminal_text.h"
#include "base/text.h"
#include "domains/blocks/tuning/block_errors.h"
#include "study/ranking_metrics.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace sparsight {
namespace {

constexpr BootstrapOptions of_means{.resamples = 2000};
constexpr BootstrapOptions of_orders{.resamples = 200}; // each sorts all blocks

SimulatorErrors errors_of(std::span<const double> cycles, std::span<const TuningBlock> blocks,
                          std::span<const std::size_t> places) {
    std::vector<SampledValue> errors;
    std::vector<SampledValue> numbers; // of blocks, for what is no function of single values
    std::vector<double> measured;
    for (std::size_t at = 0; at < places.size(); ++at) {
        const TuningBlock& block = blocks[places[at]];
        errors.push_back({block_error(cycles[at], block), 0, block.group});
        numbers.push_back({static_cast<double>(at), 0, block.group});
        measured.push_back(block.cycles);
    }
    SimulatorErrors found{estimate_by_family(errors, mean, Scale::Plain, of_means),
                          estimate_by_family(errors, median, Scale::Plain, of_means), std::nullopt};
    const auto tau = [&](std::span<const double> drawn) {
        std::vector<double> simulated;
        std::vector<double> truth;
        for (const double number : drawn) {
            simulated.push_back(cycles[static_cast<std::size_t>(number)]);
            truth.push_back(measured[static_cast<std::size_t>(number)]);
        }
        return kendall_tau_b(count_pairs(std::span<const double>(simulated), std::span<const double>(truth)));
    };
    if (kendall_tau_b(count_pairs(cycles, std::span<const double>(measured))))
        found.kendall_tau = estimate_by_family(
            numbers, [&](std::span<const double> drawn) { return tau(drawn).value_or(0); }, Scale::Plain,
            of_orders);
    return found;
}

Json json_of(const Estimate& estimate) {
    return {{"value", estimate.value},
            {"interval", estimate.interval ? Json{estimate.interval->low, estimate.interval->high} : Json()}};
}

Json json_of(const SimulatorErrors& errors) {
    return {{"mape", json_of(errors.mape)},
            {"median", json_of(errors.median)},
            {"kendall_tau", errors.kendall_tau ? json_of(*errors.kendall_tau) : Json()}};
}

std::string percent(const Estimate& estimate) {
    return estimate.interval ? fmt::format("{:.2f} % ({:.2f} to {:.2f})", 100 * estimate.value,
                                           100 * estimate.interval->low, 100 * estimate.interval->high)
                             : fmt::format("{:.2f} %", 100 * estimate.value);
}

std::string number(const std::optional<Estimate>& estimate) {
    if (!estimate)
        return "-";
    return estimate->interval ? fmt::format("{:.3f} ({:.3f} to {:.3f})", estimate->value,
                                            estimate->interval->low, estimate->interval->high)
                              : fmt::format("{:.3f}", estimate->value);
}

} // namespace

TuningComparison compare_tables(std::span<const double> original, std::span<const double> learned,
                                std::span<const TuningBlock> blocks, std::span<const std::size_t> places) {
    std::vector<SampledValue> changes;
    std::set<std::size_t> groups;
    for (std::size_t at = 0; at < places.size(); ++at) {
        const TuningBlock& block = blocks[places[at]];
        changes.push_back(
            {block_error(learned[at], block) - block_error(original[at], block), 0, block.group});
        groups.insert(block.group);
    }
    return {places.size(), groups.size(), errors_of(original, blocks, places),
            errors_of(learned, blocks, places), estimate_by_family(changes, mean, Scale::Plain, of_means)};
}

std::string csv_of(const TuningTable& table) {
    std::string text = "machine,parameter,value,original,blocks,verdict,rise\n";
    for (const JudgedParameter& each : table.parameters)
        text += fmt::format("{},{},{},{},{},{},{}\n", table.learned.machine,
                            csv_field(parameter_name(table.learned, each.place)),
                            value_of(table.learned, each.place), value_of(table.original, each.place),
                            each.blocks, name(each.determination),
                            each.rise ? fmt::format("{:.6f}", *each.rise) : std::string());
    return text;
}

Json json_of(const TuningTable& table) {
    Json list = Json::array();
    for (const JudgedParameter& each : table.parameters)
        list.push_back({{"parameter", parameter_name(table.learned, each.place)},
                        {"original", value_of(table.original, each.place)},
                        {"learned", value_of(table.learned, each.place)},
                        {"blocks", each.blocks},
                        {"verdict", name(each.determination)},
                        {"rise", each.rise ? Json(*each.rise) : Json()}});
    return list;
}

std::string text_of(const TuningTable& table, std::size_t most) {
    Table lines({{"parameter"},
                 {"LLVM", Align::Right},
                 {"learned", Align::Right},
                 {"blocks", Align::Right},
                 {"by the data"}});
    std::map<Determination, std::size_t> counts;
    std::size_t changed = 0;
    for (const JudgedParameter& each : table.parameters) {
        ++counts[each.determination];
        const int before = value_of(table.original, each.place);
        const int after = value_of(table.learned, each.place);
        if (before != after && changed++ < most)
            lines.add_row({parameter_name(table.learned, each.place), fmt::to_string(before),
                           fmt::to_string(after), fmt::to_string(each.blocks),
                           std::string(name(each.determination))});
    }
    std::string text = changed == 0 ? "No parameter has changed.\n" : lines.text();
    if (changed > most)
        text += fmt::format("{} more have changed.\n", changed - most);
    text += fmt::format("{}:", counted(table.parameters.size(), "parameter", "parameters"));
    for (const auto& [determination, count] : counts)
        text += fmt::format(" {} {}{}", count, name(determination),
                            determination == counts.rbegin()->first ? ".\n" : ",");
    return text;
}

Json json_of(const TuningComparison& comparison) {
    return {{"blocks", comparison.blocks},
            {"groups", comparison.groups},
            {"original", json_of(comparison.original)},
            {"learned", json_of(comparison.learned)},
            {"change", json_of(comparison.change)}};
}

std::string text_of(const TuningComparison& comparison) {
    Table lines({{""}, {"LLVM's parameters"}, {"learned parameters"}});
    lines.add_row({"mean error", percent(comparison.original.mape), percent(comparison.learned.mape)});
    lines.add_row({"median error", percent(comparison.original.median), percent(comparison.learned.median)});
    lines.add_row(
        {"Kendall tau", number(comparison.original.kendall_tau), number(comparison.learned.kendall_tau)});
    return fmt::format(
        "{} of {} held out, with 95 % intervals over groups:\n{}The mean error changes by {}.\n",
        counted(comparison.blocks, "block", "blocks"), counted(comparison.groups, "group", "groups"),
        lines.text(), percent(comparison.change));
}

} // namespace sparsight

#include "workflow/evaluation/machine_comparison.h"

#include "base/names.h"
#include "base/optional_json.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "store/machines.h"
#include "store/workloads.h"
#include "workflow/evaluation/stored_results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sparsight {

namespace {

using ComparableTimes = std::vector<std::vector<ResultRecord>>;

/// The only workload with times, where nobody names one.
Result<std::string> chosen_workload(Workspace& workspace, const Domain& domain, const std::string& named) {
    if (!named.empty())
        return named;
    const auto known = list_workloads(workspace, domain.name());
    if (!known)
        return std::unexpected(known.error());
    std::vector<std::string> names;
    for (const WorkloadRecord& workload : *known)
        names.push_back(workload.name);
    if (names.size() == 1)
        return names.front();
    return fail(Fault::Input, names.empty()
                                  ? fmt::format("the workspace has no {}", domain.words().workload.one)
                                  : fmt::format("expected a {} (--workload), one of: {}",
                                                domain.words().workload.one, list_known(names, "")));
}

/// Keeps the sets of the machines that were named.
Result<void> keep_machines(Workspace& workspace, const std::vector<std::string>& named,
                           ComparableTimes& sets) {
    if (named.empty())
        return {};
    std::set<std::string> fingerprints;
    for (const std::string& name : named) {
        const auto machine = require_machine(workspace, name);
        if (!machine)
            return std::unexpected(machine.error());
        fingerprints.insert(machine->fingerprint);
    }
    std::erase_if(sets, [&](const std::vector<ResultRecord>& set) {
        return !fingerprints.contains(set.front().machine_fingerprint);
    });
    return {};
}

/// The setting in which most machines have times, then most times.
Setting usual_setting(const ComparableTimes& sets) {
    struct Count {
        std::set<std::string> machines;
        std::size_t times = 0;
        Setting setting;
    };
    std::map<std::string, Count> counts;
    for (const std::vector<ResultRecord>& set : sets) {
        Count& count = counts[set.front().setting.text];
        count.machines.insert(set.front().machine_fingerprint);
        count.times += set.size();
        count.setting = set.front().setting;
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) {
        return std::pair(each.second.machines.size(), each.second.times);
    });
    return most->second.setting;
}

Result<Setting> kept_setting(Workspace& workspace, const Domain& domain,
                             const MachineComparisonRequest& request, ComparableTimes& sets,
                             std::vector<std::string>& notes) {
    std::set<std::string> known;
    for (const std::vector<ResultRecord>& set : sets)
        known.insert(domain.describe(set.front().setting));
    Setting setting = usual_setting(sets);
    const bool is_chosen = !request.setting.text.empty() || !request.setting.options.empty();
    if (is_chosen) {
        auto chosen = choose_setting_of(workspace, domain, request.setting);
        if (!chosen)
            return chosen;
        setting = *std::move(chosen);
    }
    std::erase_if(sets, [&](const auto& set) { return set.front().setting != setting; });
    if (sets.empty())
        return fail(Fault::Input, fmt::format("there are no times of {}; there are times of {}",
                                              domain.describe(setting), fmt::join(known, "; ")));
    if (!is_chosen && known.size() > 1) {
        known.erase(domain.describe(setting));
        notes.push_back(fmt::format("Compared by {}; there are also times of {}.", domain.describe(setting),
                                    fmt::join(known, "; ")));
    }
    return setting;
}

/// Of each machine and condition the largest set: times of other protocols or numbers of threads do not
/// compare with these. The largest stand first.
void keep_largest(ComparableTimes& sets, std::vector<std::string>& notes) {
    std::set<std::pair<std::string, std::string>> seen;
    const auto removed = std::erase_if(sets, [&](const std::vector<ResultRecord>& set) {
        return !seen.emplace(set.front().machine_fingerprint, set.front().condition).second;
    });
    if (removed > 0)
        notes.push_back(fmt::format("Left out {} of other protocols or numbers of threads.",
                                    counted(removed, "set of times", "sets of times")));
}

/// In the order of the workspace's machines, so that the answer does not depend on ties.
void sort_by_machine(ComparableTimes& sets) {
    std::ranges::stable_sort(sets, {}, [](const std::vector<ResultRecord>& set) {
        return std::tie(set.front().machine, set.front().machine_fingerprint, set.front().condition);
    });
}

std::vector<std::string> labels_of(const ComparableTimes& sets) {
    std::map<std::string, int> of_name;
    std::map<std::string, int> of_machine;
    for (const std::vector<ResultRecord>& set : sets)
        if (of_machine[set.front().machine_fingerprint]++ == 0)
            ++of_name[set.front().machine];
    std::vector<std::string> labels;
    for (const std::vector<ResultRecord>& set : sets) {
        const ResultRecord& first = set.front();
        std::string label = first.machine;
        if (of_name[first.machine] > 1)
            label += fmt::format(" [{}]", first.machine_fingerprint);
        if (of_machine[first.machine_fingerprint] > 1)
            label += first.condition.empty() ? " (no condition)" : fmt::format(" ({})", first.condition);
        labels.push_back(std::move(label));
    }
    return labels;
}

constexpr double never = std::numeric_limits<double>::quiet_NaN();
constexpr double did_not_run = std::numeric_limits<double>::infinity();

/// The configurations of all sets, each with its place.
class ConfigurationPlaces {
public:
    std::size_t of(const std::string& text) {
        const auto [known, is_new] = places_.try_emplace(text, texts_.size());
        if (is_new)
            texts_.push_back(text);
        return known->second;
    }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    std::vector<std::string> take_texts() { return std::move(texts_); }

private:
    std::unordered_map<std::string, std::size_t> places_;
    std::vector<std::string> texts_;
};

std::vector<double> times_by_place(const std::vector<ResultRecord>& set, ConfigurationPlaces& places) {
    std::vector<double> times;
    for (const ResultRecord& result : set) {
        const std::size_t place = places.of(result.configuration);
        if (place >= times.size())
            times.resize(places.size(), never);
        const bool has_run = result.status == MeasurementStatus::Measured && result.median_ms;
        const double time = has_run ? *result.median_ms : did_not_run;
        times[place] = std::isnan(times[place]) ? time : std::min(times[place], time);
    }
    return times;
}

ComparedMachine described(const std::vector<ResultRecord>& set, std::string label,
                          const std::vector<double>& times) {
    const ResultRecord& first = set.front();
    ComparedMachine machine;
    machine.name = first.machine;
    machine.label = std::move(label);
    machine.fingerprint = first.machine_fingerprint;
    machine.condition = first.condition;
    machine.protocol = first.protocol;
    machine.threads = first.threads;
    machine.tried = std::ranges::count_if(times, [](double time) { return !std::isnan(time); });
    machine.ran = std::ranges::count_if(times, [](double time) { return std::isfinite(time); });
    const ResultRecord* best = &first; // by its time: lists of results may go by speedups
    for (const ResultRecord& result : set)
        if (result.status == MeasurementStatus::Measured && result.median_ms < best->median_ms)
            best = &result;
    machine.best_ms = best->median_ms.value_or(0);
    machine.best = best->configuration;
    machine.family = best->family;
    return machine;
}

} // namespace

Result<MachineComparison> compare_machines(Workspace& workspace, const Domain& domain,
                                           const MachineComparisonRequest& request,
                                           const std::stop_token& stop) {
    const auto workload = chosen_workload(workspace, domain, request.workload);
    if (!workload)
        return std::unexpected(workload.error());
    auto results = find_results(workspace, domain, {.workload = *workload});
    if (!results)
        return std::unexpected(std::move(results).error());
    MachineComparison comparison;
    comparison.workload = *workload;
    if (std::string damaged = damaged_sentence(*results); !damaged.empty())
        comparison.notes.push_back(std::move(damaged));
    ComparableTimes sets = comparable_results(*std::move(results));
    std::erase_if(sets, [](const std::vector<ResultRecord>& set) {
        return set.front().status != MeasurementStatus::Measured || !set.front().median_ms;
    });
    if (auto kept = keep_machines(workspace, request.machines, sets); !kept)
        return std::unexpected(std::move(kept).error());
    if (!sets.empty()) {
        auto setting = kept_setting(workspace, domain, request, sets, comparison.notes);
        if (!setting)
            return std::unexpected(std::move(setting).error());
        comparison.setting = *std::move(setting);
    }
    keep_largest(sets, comparison.notes);
    if (sets.size() < 2)
        return fail(Fault::Input,
                    fmt::format("machines are compared by times of two or more: {} has times of {}",
                                *workload, sets.empty() ? "none" : sets.front().front().machine));
    sort_by_machine(sets);
    std::vector<std::string> labels = labels_of(sets);
    ConfigurationPlaces places;
    std::vector<std::vector<double>> times;
    std::vector<ComparedMachine> machines;
    for (std::size_t place = 0; place < sets.size(); ++place) {
        times.push_back(times_by_place(sets[place], places));
        machines.push_back(described(sets[place], std::move(labels[place]), times.back()));
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
    }
    const MachineMatrix matrix = machine_matrix(times);
    const std::vector<std::size_t> order = similarity_order(matrix);
    comparison.matrix = reordered(matrix, order);
    for (const std::size_t place : order)
        comparison.machines.push_back(std::move(machines[place]));
    comparison.configurations = places.take_texts();
    return comparison;
}

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

std::string figure_text(const std::optional<double>& value, MachineFigure figure) {
    if (!value)
        return "?";
    if (std::isinf(*value))
        return "fails";
    switch (figure) {
    case MachineFigure::Slowdown:
        return fmt::format("{:.2f}", *value);
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
    const Transfer& median = transfers[(transfers.size() - 1) / 2];
    const auto cost = [](double slowdown) {
        return std::isinf(slowdown) ? std::string("does not run")
                                    : fmt::format("takes {:.2f}× as long as the best one", slowdown);
    };
    return fmt::format("A copy of another machine's fastest {} {}, in the median. "
                       "At worst it {} (from {} to {}).",
                       configuration, cost(median.slowdown), cost(worst.slowdown),
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
                          fmt::to_string(machine.tried), fmt::to_string(machine.ran), machine.best});
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
                                    {words.configuration.one, machine.best}});
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

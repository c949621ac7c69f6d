#include "evaluation/reports/hardware_report.h"

#include "base/text.h"
#include "evaluation/reports/curve_figure.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/html.h"
#include "evaluation/reports/order_tables.h"
#include "evaluation/reports/tuning_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view title = "Transfer to a machine with few or no measurements";
constexpr double near_limit = 0.03; ///< of the regret, where a machine of the same maker is known
constexpr double far_limit = 0.10;  ///< otherwise

std::string regret_text(double regret) {
    return fmt::format("{:.1f} %", 100 * regret);
}

std::string regret_text(const std::optional<Estimate>& estimate) {
    if (!estimate)
        return "";
    return estimate->interval ? fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * estimate->value,
                                            100 * estimate->interval->low, 100 * estimate->interval->high)
                              : regret_text(estimate->value);
}

std::string share_text(const std::optional<HardwareShare>& share) {
    if (!share)
        return "";
    return fmt::format("{} of {}: {:.0f} % [{:.0f}, {:.0f}]", share->holding, share->targets,
                       100 * share->value(), 100 * share->interval.low, 100 * share->interval.high);
}

TextTable unmeasured_table(const HardwareExperiment& experiment) {
    TextTable table{{"chosen without a measurement", "mean regret"}, {}};
    for (const std::string& baseline : unmeasured_baselines())
        table.header.push_back("no worse than " + baseline);
    for (const std::string& rule : unmeasured_rules()) {
        std::vector<std::string> row{rule_title(rule), regret_text(mean_regret(experiment, rule, 0))};
        for (const std::string& baseline : unmeasured_baselines())
            row.push_back(rule == baseline ? "" : share_text(share_within(experiment, rule, baseline, 0)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable measured_table(const HardwareExperiment& experiment) {
    TextTable table{{"chosen by measurements", "measurements", "mean regret", "at most half of random search",
                     "near: at most 3 %", "far: at most 10 %"},
                    {}};
    for (const std::size_t count : measured_counts(experiment))
        for (const std::string& rule : measuring_rules())
            table.rows.push_back(
                {rule_title(rule), fmt::to_string(count), regret_text(mean_regret(experiment, rule, count)),
                 rule == "random" ? "" : share_text(share_within(experiment, rule, "random", count, 0.5)),
                 share_text(share_below(experiment, rule, count, near_limit, false)),
                 share_text(share_below(experiment, rule, count, far_limit, true))});
    return table;
}

struct Column {
    std::string rule;
    std::size_t measurements = 0;
};

/// The setting as well, unless it is named as its workload.
std::string title_of(const HardwareTarget& target) {
    return target.space == target.workload ? target.workload
                                           : fmt::format("{} ({})", target.workload, target.space);
}

TextTable target_table(const HardwareExperiment& experiment) {
    std::vector<Column> columns;
    for (const std::string& rule : unmeasured_rules())
        columns.push_back({rule, 0});
    for (const std::size_t count : measured_counts(experiment))
        for (const std::string& rule : measuring_rules())
            columns.push_back({rule, count});
    TextTable table{{"workload", "machine", "nearest by sheet", "most alike"}, {}};
    std::vector<std::vector<std::optional<double>>> regrets;
    for (const Column& column : columns) {
        table.header.push_back(
            column.measurements == 0 ? column.rule : fmt::format("{} {}", column.rule, column.measurements));
        regrets.push_back(regrets_of(experiment, column.rule, column.measurements));
    }
    for (std::size_t i = 0; i < experiment.targets.size(); ++i) {
        const HardwareTarget& target = experiment.targets[i];
        std::vector<std::string> row{
            title_of(target), target.machine,
            fmt::format("{} ({:.2f}{})", target.nearest, target.distance, target.is_far() ? ", far" : ""),
            fmt::format("{} (τ {:.2f})", target.most_alike, target.tau)};
        for (const auto& of : regrets)
            row.push_back(of[i] ? regret_text(*of[i]) : "");
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Of what goes beyond single choices.
std::vector<std::pair<std::string, TextTable>> whole_tables(const HardwareExperiment& experiment) {
    auto tables = tuning_tables(experiment);
    for (auto& table : order_tables(experiment))
        tables.push_back(std::move(table));
    return tables;
}

std::vector<std::string> sentences(const HardwareExperiment& experiment) {
    std::vector<std::string> list{
        "The regret is how much slower the chosen configuration is than the best on the machine; a failed "
        "one counts as the slowest that ran.",
        "Brackets: 95 % intervals, of means by Student's t over workloads, of shares by Wilson over as many "
        "draws as there are workloads. Those of networks are over seeds.",
        "The oracle looks at all times of the new machine, which nobody has before they are measured.",
        "A machine is far where its nearest source by sheet is at a distance of 2 or more, as is any of "
        "another maker.",
        "Random search: the mean over all draws. Trees: the mean over seeds."};
    for (const HardwareTarget& flat : experiment.flat)
        list.push_back(fmt::format("Left out: {} on {}, where the median is {:.1f} % above the best.",
                                   title_of(flat), flat.machine, 100 * (flat.headroom - 1)));
    if (const std::string order = order_sentence(experiment); !order.empty())
        list.push_back(order);
    for (const std::vector<std::string>& more : {tuning_sentences(experiment), experiment.notes})
        list.insert(list.end(), more.begin(), more.end());
    return list;
}

Json share_json(const std::optional<HardwareShare>& share) {
    if (!share)
        return {};
    return {{"holding", share->holding},
            {"of", share->targets},
            {"value", share->value()},
            {"low", share->interval.low},
            {"high", share->interval.high}};
}

Json target_json(const HardwareTarget& target) {
    return {{"space", target.space},
            {"workload", target.workload},
            {"machine", target.machine},
            {"configurations", target.configurations},
            {"sources", target.sources},
            {"best_ms", target.best},
            {"median_over_best", target.headroom},
            {"nearest", target.nearest},
            {"distance", target.distance},
            {"most_alike", target.most_alike},
            {"tau", target.tau}};
}

} // namespace

std::string hardware_text(const HardwareExperiment& experiment) {
    std::string text;
    if (!experiment.targets.empty())
        text += fmt::format("{}\n\n", aligned_text(unmeasured_table(experiment)));
    if (!measured_counts(experiment).empty())
        text += fmt::format("{}\n\n", aligned_text(measured_table(experiment)));
    for (const auto& [heading, table] : whole_tables(experiment))
        text += fmt::format("{}\n{}\n", heading, aligned_text(table));
    for (const std::string& sentence : sentences(experiment))
        text += sentence + "\n";
    return text;
}

std::string hardware_markdown(const HardwareExperiment& experiment) {
    std::string text = fmt::format("# {}\n\n", title);
    const auto add = [&](std::string_view heading, const TextTable& table) {
        text += fmt::format("## {}\n\n{}\n", heading, markdown_text(table));
    };
    if (!experiment.targets.empty()) {
        add("Nothing measured", unmeasured_table(experiment));
        add("Few measurements", measured_table(experiment));
    }
    for (const auto& [heading, table] : whole_tables(experiment))
        add(heading, table);
    if (!experiment.targets.empty())
        add("Each workload and machine", target_table(experiment));
    text += "## What was compared\n\n";
    for (const std::string& sentence : sentences(experiment))
        text += "- " + sentence + "\n";
    return text;
}

std::string hardware_csv(const HardwareExperiment& experiment) {
    std::string text = "space,workload,machine,rule,measurements,seed,regret,milliseconds,tuning_ms\r\n";
    for (const HardwarePoint& point : experiment.points) {
        const HardwareTarget& target = experiment.targets[point.target];
        text +=
            fmt::format("{},{},{},{},{},{},{:.6g},,\r\n", csv_field(target.space), csv_field(target.workload),
                        csv_field(target.machine), point.rule, point.measurements, point.seed, point.regret);
    }
    return text + tuning_csv(experiment);
}

Json hardware_json(const HardwareExperiment& experiment) {
    Json targets = Json::array();
    for (const HardwareTarget& target : experiment.targets)
        targets.push_back(target_json(target));
    Json flat = Json::array();
    for (const HardwareTarget& target : experiment.flat)
        flat.push_back(target_json(target));
    Json estimates = Json::array();
    const auto add = [&](const std::string& rule, std::size_t measurements) {
        Json one{{"rule", rule},
                 {"measurements", measurements},
                 {"mean_regret", estimate_json(mean_regret(experiment, rule, measurements))}};
        if (measurements == 0) {
            for (const std::string& baseline : unmeasured_baselines())
                one["no_worse_than_" + baseline] = share_json(share_within(experiment, rule, baseline, 0));
        } else {
            one["half_of_random"] = share_json(share_within(experiment, rule, "random", measurements, 0.5));
            one["near_within_3_percent"] =
                share_json(share_below(experiment, rule, measurements, near_limit, false));
            one["far_within_10_percent"] =
                share_json(share_below(experiment, rule, measurements, far_limit, true));
        }
        estimates.push_back(std::move(one));
    };
    for (const std::string& rule : unmeasured_rules())
        add(rule, 0);
    for (const std::size_t count : measured_counts(experiment))
        for (const std::string& rule : measuring_rules())
            add(rule, count);
    Json points = Json::array();
    for (const HardwarePoint& point : experiment.points)
        points.push_back({{"space", experiment.targets[point.target].space},
                          {"workload", experiment.targets[point.target].workload},
                          {"machine", experiment.targets[point.target].machine},
                          {"rule", point.rule},
                          {"measurements", point.measurements},
                          {"seed", point.seed},
                          {"regret", point.regret}});
    return {{"targets", std::move(targets)},     {"flat", std::move(flat)},
            {"estimates", std::move(estimates)}, {"points", std::move(points)},
            {"tuning", tuning_json(experiment)}, {"orders", orders_json(experiment)},
            {"notes", experiment.notes}};
}

namespace {

constexpr double least_drawn = 1e-3; ///< of a logarithmic axis

/// Absent without measurements.
std::optional<FigurePanel> regret_panel(const HardwareExperiment& experiment) {
    const std::vector<std::size_t> counts = measured_counts(experiment);
    if (counts.empty())
        return std::nullopt;
    CurveFigure figure{.curves = {},
                       .about = "mean regret by measurements",
                       .across = "measurements on the new machine",
                       .upward = "mean regret",
                       .ticks = {0},
                       .in_percent = true};
    for (const std::size_t count : counts)
        figure.ticks.push_back(static_cast<double>(count));
    for (const std::string& rule : measuring_rules()) {
        NamedCurve& curve = figure.curves.emplace_back(rule);
        // Before any measurement the corrected copy is the copy.
        if (const auto none = mean_regret(experiment, "copy", 0); rule == "corrected" && none)
            curve.points.emplace_back(0, std::max(none->value, least_drawn));
        for (const std::size_t count : counts)
            if (const auto regret = mean_regret(experiment, rule, count))
                curve.points.emplace_back(static_cast<double>(count), std::max(regret->value, least_drawn));
    }
    return curve_panel(figure);
}

/// Whole tunings, measurement by measurement; absent where none was compared.
std::optional<FigurePanel> tuning_panel(const HardwareExperiment& experiment) {
    CurveFigure figure{.curves = {},
                       .about = "search progress of whole tunings",
                       .across = "measurements of a whole tuning",
                       .upward = "mean regret",
                       .ticks = {1, 3, 10, 30, 100, 300, 1000},
                       .in_percent = true};
    std::vector<std::string> rules{std::string(transfer_rule)};
    rules.insert(rules.end(), scratch_rules().begin(), scratch_rules().end());
    for (const std::string& rule : rules) {
        NamedCurve curve{rule, mean_progress(experiment, rule)};
        for (auto& [measurements, regret] : curve.points)
            regret = std::max(regret, least_drawn);
        if (!curve.points.empty())
            figure.curves.push_back(std::move(curve));
    }
    if (figure.curves.empty())
        return std::nullopt;
    const double last = figure.curves.front().points.back().first;
    std::erase_if(figure.ticks, [&](double tick) { return tick > last; });
    return curve_panel(figure);
}

} // namespace

std::string hardware_figure(const HardwareExperiment& experiment) {
    std::vector<FigurePanel> panels;
    for (auto panel : {regret_panel(experiment), tuning_panel(experiment)})
        if (panel)
            panels.push_back(*std::move(panel));
    return figure_of(panels);
}

namespace {

/// One target of each workload in each setting.
std::vector<HardwareTarget> workloads_of(const HardwareExperiment& experiment) {
    std::vector<HardwareTarget> workloads;
    for (const HardwareTarget& target : experiment.targets)
        if (std::ranges::none_of(workloads, [&](const HardwareTarget& known) {
                return known.space == target.space && known.workload == target.workload;
            }))
            workloads.push_back(target);
    return workloads;
}

/// The figure above is the mean of these. Nothing for one workload.
std::string progress_section(const HardwareExperiment& experiment) {
    const std::vector<HardwareTarget> workloads = workloads_of(experiment);
    if (workloads.size() < 2 || measured_counts(experiment).empty())
        return "";
    std::string text =
        "<h2>Search progress</h2>\n<p>How far the best configuration found so far is from the "
        "best of the machine, by the measurements spent. Each curve is a tuner, in the mean over "
        "machines and seeds.</p>\n";
    for (const HardwareTarget& workload : workloads) {
        const HardwareExperiment part = of_workload(experiment, workload.space, workload.workload);
        if (const std::string figure = hardware_figure(part); !figure.empty())
            text += fmt::format("<figure>{}<figcaption>{}, on {}</figcaption></figure>\n", figure,
                                html_text(title_of(workload)),
                                counted(part.targets.size(), "machine", "machines"));
    }
    return text;
}

} // namespace

std::string hardware_html(const HardwareExperiment& experiment) {
    std::string body =
        fmt::format("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n", title, html_text(experiment.created_by));
    if (const std::string figure = hardware_figure(experiment); !figure.empty())
        body += fmt::format("<figure>{}</figure>\n", figure);
    const auto add = [&](const std::string& heading, const TextTable& table) {
        body += fmt::format("<h2>{}</h2>\n{}", html_text(heading), html_table(table));
    };
    if (!experiment.targets.empty()) {
        add("Nothing measured", unmeasured_table(experiment));
        add("Few measurements", measured_table(experiment));
    }
    body += progress_section(experiment);
    for (const TunedNetwork& network : experiment.networks)
        body += fmt::format("<figure>{}<figcaption>{} on {}</figcaption></figure>\n", network_svg(network),
                            html_text(network.network), html_text(network.machine));
    for (const auto& [heading, table] : whole_tables(experiment))
        add(heading, table);
    if (!experiment.targets.empty())
        add("Each workload and machine", target_table(experiment));
    body += "<h2>What was compared</h2>\n<ul>\n";
    for (const std::string& sentence : sentences(experiment))
        body += fmt::format("<li>{}</li>\n", html_text(sentence));
    return html_page(fmt::format("Sparsight: {}", title), body + "</ul>\n");
}

} // namespace sparsight

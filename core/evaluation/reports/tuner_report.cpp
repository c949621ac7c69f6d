#include "evaluation/reports/tuner_report.h"

#include "base/text.h"
#include "evaluation/reports/curve_figure.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view tuner_title = "Tuners by split and sample";
constexpr const char* pairs = "ordered_pair_accuracy";

/// Table 6 of Verma et al. (2023), of XGBoost on an A100 and a Xeon: all data, and their sample.
struct PublishedAccuracy {
    std::string_view split;
    std::string_view sample;
    std::string_view text;
};
constexpr std::array published{
    PublishedAccuracy{"row", "all", "0.893 / 0.851"},
    PublishedAccuracy{"row", "hardware-aware", "0.895 / 0.846"},
    PublishedAccuracy{"workload", "all", "0.857 / 0.865"},
    PublishedAccuracy{"workload", "hardware-aware", "0.853 / 0.861"},
    PublishedAccuracy{"machine", "all", "0.848 / 0.848"},
    PublishedAccuracy{"machine", "hardware-aware", "0.844 / 0.843"},
};

std::string published_text(std::string_view split, std::string_view sample) {
    for (const PublishedAccuracy& each : published)
        if (each.split == split && each.sample == sample)
            return std::string(each.text);
    return "";
}

/// "0.893 [0.880, 0.906]"
std::string number_text(const std::optional<Estimate>& estimate) {
    if (!estimate)
        return "";
    return estimate->interval ? fmt::format("{:.3f} [{:.3f}, {:.3f}]", estimate->value,
                                            estimate->interval->low, estimate->interval->high)
                              : fmt::format("{:.3f}", estimate->value);
}

std::string share_text(const std::optional<Estimate>& estimate) {
    if (!estimate)
        return "";
    return estimate->interval ? fmt::format("{:.0f} % [{:.0f}, {:.0f}]", 100 * estimate->value,
                                            100 * estimate->interval->low, 100 * estimate->interval->high)
                              : fmt::format("{:.0f} %", 100 * estimate->value);
}

TextTable accuracy_table(const TunerExperiment& experiment) {
    TextTable table{{"new in the test", "learned from"}, {}};
    for (const std::string& tuner : experiment.tuners())
        table.header.push_back(tuner);
    table.header.emplace_back("published");
    for (const std::string& split : experiment.splits())
        for (const std::string& sample : experiment.samples()) {
            std::vector<std::string> row{split, sample};
            for (const std::string& tuner : experiment.tuners())
                row.push_back(number_text(mean_figure(experiment, {split, tuner, sample}, pairs)));
            row.push_back(published_text(split, sample));
            table.rows.push_back(std::move(row));
        }
    return table;
}

TextTable saving_table(const TunerExperiment& experiment) {
    TextTable table{{"new in the test", "learned from", "tuner", "data left out", "training seconds",
                     "time saved", "pairs in order less those of all data"},
                    {}};
    for (const std::string& split : experiment.splits())
        for (const std::string& sample : experiment.samples())
            for (const std::string& tuner : experiment.tuners()) {
                const TunerCase of{split, tuner, sample};
                const auto seconds = mean_figure(experiment, of, "seconds");
                const bool is_all = sample == all_data;
                table.rows.push_back({split, sample, tuner,
                                      is_all ? "" : share_text(share_saved(experiment, of, "kept")),
                                      seconds ? fmt::format("{:.1f}", seconds->value) : "",
                                      is_all ? "" : share_text(share_saved(experiment, of, "seconds")),
                                      is_all ? "" : number_text(figure_change(experiment, of, pairs))});
            }
    return table;
}

/// All data, unless only samples were learned from.
std::string first_sample(const TunerExperiment& experiment) {
    const auto samples = experiment.samples();
    const bool has_all = std::ranges::find(samples, all_data) != samples.end();
    return has_all || samples.empty() ? std::string(all_data) : samples.front();
}

TextTable error_table(const TunerExperiment& experiment) {
    TextTable table{{"new in the test", "tuner", "speed error", "regret of the best 1", "of the best 5"}, {}};
    for (const std::string& split : experiment.splits())
        for (const std::string& tuner : experiment.tuners()) {
            const TunerCase of{split, tuner, first_sample(experiment)};
            table.rows.push_back({split, tuner, number_text(mean_figure(experiment, of, "speed_error")),
                                  share_text(mean_figure(experiment, of, "regret_at_1")),
                                  share_text(mean_figure(experiment, of, "regret_at_5"))});
        }
    return table;
}

std::vector<std::string> sentences(const TunerExperiment& experiment) {
    std::vector<std::string> all{
        "All tuners learn ln(time / fastest) with a squared error. A failure counts as twice the slowest.",
        "The test has rows (configurations), workloads or machines that are in no other part.",
        "The speed of a configuration is the fastest time over its own. Its error is the root mean square.",
        "A predicted speed above 1 counts as 1. Networks take 64 configurations in a step, the paper's took "
        "16.",
        "Published: pairs in order of XGBoost on an A100 and on a Xeon, from other data (Verma et al., "
        "2023).",
        "Brackets: 95 % intervals over spaces and seeds. With fewer than three of either there are none."};
    all.insert(all.end(), experiment.notes.begin(), experiment.notes.end());
    return all;
}

/// Titles and tables, in their order.
std::vector<std::pair<std::string, TextTable>> tables_of(const TunerExperiment& experiment) {
    return {{"Pairs in order", accuracy_table(experiment)},
            {"Data and training time", saving_table(experiment)},
            {fmt::format("Errors, learned from {}", first_sample(experiment) == all_data
                                                        ? std::string("all data")
                                                        : first_sample(experiment) + " samples"),
             error_table(experiment)}};
}

} // namespace

std::string tuner_text(const TunerExperiment& experiment) {
    std::string text;
    for (const auto& [heading, table] : tables_of(experiment))
        text += fmt::format("{}\n{}\n", heading, aligned_text(table));
    for (const std::string& sentence : sentences(experiment))
        text += sentence + "\n";
    return text;
}

std::string tuner_markdown(const TunerExperiment& experiment) {
    std::string text = fmt::format("# {}\n\n{}\n\n", tuner_title, experiment.created_by);
    for (const auto& [heading, table] : tables_of(experiment))
        text += fmt::format("## {}\n\n{}\n", heading, markdown_text(table));
    text += "## What was compared\n\n";
    for (const std::string& sentence : sentences(experiment))
        text += fmt::format("- {}\n", sentence);
    return text;
}

std::string tuner_csv(const TunerExperiment& experiment) {
    constexpr std::array figures{"measurements", "kept",        "seconds",    pairs,
                                 "speed_error",  "regret_at_1", "regret_at_5"};
    std::string text = "space,split,tuner,sample,seed";
    for (const char* const figure : figures)
        text += fmt::format(",{}", figure);
    text += "\r\n";
    for (const TunerResult& result : experiment.results) {
        text += fmt::format("{},{},{},{},{}", csv_field(result.space), result.split, csv_field(result.tuner),
                            result.sample, result.seed);
        for (const char* const figure : figures) {
            const auto found = result.figures.find(figure);
            text += found == result.figures.end() ? "," : fmt::format(",{:.6g}", found->second);
        }
        text += "\r\n";
    }
    return text;
}

Json tuner_json(const TunerExperiment& experiment) {
    Json estimates = Json::array();
    for (const std::string& split : experiment.splits())
        for (const std::string& sample : experiment.samples())
            for (const std::string& tuner : experiment.tuners()) {
                const TunerCase of{split, tuner, sample};
                estimates.push_back(
                    {{"split", split},
                     {"sample", sample},
                     {"tuner", tuner},
                     {"ordered_pair_accuracy", estimate_json(mean_figure(experiment, of, pairs))},
                     {"speed_error", estimate_json(mean_figure(experiment, of, "speed_error"))},
                     {"regret_at_1", estimate_json(mean_figure(experiment, of, "regret_at_1"))},
                     {"regret_at_5", estimate_json(mean_figure(experiment, of, "regret_at_5"))},
                     {"seconds", estimate_json(mean_figure(experiment, of, "seconds"))},
                     {"data_left_out", estimate_json(share_saved(experiment, of, "kept"))},
                     {"time_saved", estimate_json(share_saved(experiment, of, "seconds"))},
                     {"accuracy_change", estimate_json(figure_change(experiment, of, pairs))}});
            }
    Json results = Json::array();
    for (const TunerResult& result : experiment.results) {
        Json one{{"space", result.space},
                 {"split", result.split},
                 {"tuner", result.tuner},
                 {"sample", result.sample},
                 {"seed", result.seed}};
        for (const auto& [figure, value] : result.figures)
            one[figure] = value;
        one["curve"] = result.curve;
        results.push_back(std::move(one));
    }
    return {
        {"estimates", std::move(estimates)}, {"results", std::move(results)}, {"notes", experiment.notes}};
}

namespace {

/// Figure 2 of Verma et al.; absent without curves.
std::optional<FigurePanel> convergence_panel(const TunerExperiment& experiment) {
    const std::string split = experiment.splits().front();
    CurveFigure figure{.curves = {},
                       .about = "speed error by epoch",
                       .across = "epochs of networks, rounds of trees",
                       .upward = "speed error of the validation",
                       .ticks = {1, 3, 10, 30, 100, 300}};
    double last = 0;
    for (const std::string& tuner : experiment.tuners()) {
        NamedCurve curve{tuner, mean_curve(experiment, {split, tuner, first_sample(experiment)})};
        std::erase_if(curve.points, [](const auto& point) { return !(point.second > 0); });
        if (!curve.points.empty())
            last = std::max(last, curve.points.back().first);
        figure.curves.push_back(std::move(curve));
    }
    std::erase_if(figure.ticks, [&](double tick) { return tick > last; });
    return last > 0 ? std::optional(curve_panel(figure)) : std::nullopt;
}

/// The bars of Table 6 of Verma et al.; absent without accuracies.
std::optional<FigurePanel> accuracy_panel(const TunerExperiment& experiment) {
    BarFigure figure{.bars = experiment.tuners(),
                     .groups = {},
                     .about = "pairs in order by split",
                     .upward = "pairs in order",
                     .lowest = 0.5};
    bool has_any = false;
    for (const std::string& split : experiment.splits()) {
        BarGroup& group = figure.groups.emplace_back("split by " + split);
        for (const std::string& tuner : figure.bars) {
            const auto mean =
                mean_figure(experiment, {split, tuner, first_sample(experiment)}, "ordered_pair_accuracy");
            has_any = has_any || mean;
            group.shares.push_back(mean ? std::optional(mean->value) : std::nullopt);
        }
    }
    return has_any ? std::optional(bar_panel(figure)) : std::nullopt;
}

} // namespace

std::string tuner_figure(const TunerExperiment& experiment) {
    if (experiment.results.empty())
        return "";
    std::vector<FigurePanel> panels;
    for (auto panel : {convergence_panel(experiment), accuracy_panel(experiment)})
        if (panel)
            panels.push_back(*std::move(panel));
    return figure_of(panels);
}

std::string tuner_html(const TunerExperiment& experiment) {
    std::string body =
        fmt::format("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n", tuner_title, html_text(experiment.created_by));
    if (const std::string figure = tuner_figure(experiment); !figure.empty())
        body += fmt::format("<figure>{}</figure>\n", figure);
    for (const auto& [heading, table] : tables_of(experiment))
        body += fmt::format("<h2>{}</h2>\n{}", heading, html_table(table));
    body += "<h2>What was compared</h2>\n<ul>\n";
    for (const std::string& sentence : sentences(experiment))
        body += fmt::format("<li>{}</li>\n", html_text(sentence));
    return html_page(fmt::format("Sparsight: {}", tuner_title), body + "</ul>\n");
}

} // namespace sparsight

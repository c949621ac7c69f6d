#include "base/csv.h"
#include "evaluation/evaluation_tables.h"
#include "evaluation/html.h"
#include "evaluation/report_style.h"
#include "evaluation/transfer_tables.h"
#include "evaluation/transfer_writers.h"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

Json interval_json(const Estimate& estimate) {
    return {{"value", estimate.value},
            {"low", estimate.interval ? Json(estimate.interval->low) : Json()},
            {"high", estimate.interval ? Json(estimate.interval->high) : Json()}};
}

Json estimates_json(const TransferExperiment& experiment) {
    Json estimates = Json::array();
    for (const TransferTargetFacts& target : experiment.targets)
        for (const std::string& source : experiment.sources)
            for (const std::size_t shots : shots_on(experiment, target.machine)) {
                Json one{{"target", target.machine}, {"source", source}, {"shots", shots}};
                for (const TransferMetric& metric : transfer_metrics())
                    if (const auto found =
                            transfer_estimate(experiment, target.machine, source, shots, metric.name))
                        one[std::string(metric.name)] = interval_json(*found);
                estimates.push_back(std::move(one));
            }
    return estimates;
}

std::string plain_html_table(const TextTable& table) {
    std::string text = "<div class=\"scroll\"><table>\n<tr>";
    for (const std::string& title : table.header)
        text += fmt::format("<th>{}</th>", html_text(title));
    text += "</tr>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (const std::string& cell : row)
            text += fmt::format("<td>{}</td>", html_text(cell));
        text += "</tr>\n";
    }
    return text + "</table></div>\n";
}

} // namespace

std::string transfer_text(const TransferExperiment& experiment) {
    const TransferMetric& pairs = transfer_metrics().front();
    std::string text =
        fmt::format("Share of pairs of schedules in order, by matrices of the new machine that were learned "
                    "from (in brackets: {})\n\n{}",
                    interval_words, aligned_text(curve_table(experiment, pairs)));
    text += fmt::format("\nMean over the curve, one source less another on the same seeds, in points\n\n{}\n",
                        aligned_text(comparison_table(experiment)));
    for (const std::string& sentence : transfer_sentences(experiment))
        text += sentence + "\n";
    return text;
}

std::string transfer_markdown(const TransferExperiment& experiment) {
    std::string text = "# What to learn from before a new machine\n\n## Which source is better\n\n" +
                       markdown_text(comparison_table(experiment));
    for (const TransferMetric& metric : transfer_metrics())
        text += fmt::format("\n## {}, by matrices of the new machine\n\n{}", metric.title,
                            markdown_text(curve_table(experiment, metric)));
    text += "\n## What was compared\n\n";
    for (const std::string& sentence : transfer_sentences(experiment))
        text += "- " + sentence + "\n";
    return text;
}

std::string transfer_csv(const TransferExperiment& experiment) {
    std::string text = "target,source,seed,shots";
    for (const TransferMetric& metric : transfer_metrics())
        fmt::format_to(std::back_inserter(text), ",{}", metric.name);
    text += "\r\n";
    for (const TransferPoint& point : experiment.points) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{}", csv_field(point.target),
                       csv_field(point.source), point.seed, point.shots);
        for (const TransferMetric& metric : transfer_metrics()) {
            const auto value = point.metrics.find(std::string(metric.name));
            text += value == point.metrics.end() ? "," : fmt::format(",{:.6g}", value->second);
        }
        text += "\r\n";
    }
    return text;
}

std::string transfer_html(const TransferExperiment& experiment) {
    std::string body = fmt::format(
        "<h1>What to learn from before a new machine</h1>\n<p class=\"lead\">How well models rank "
        "schedules of a machine that they have not seen, after few and after many of its "
        "matrices; {}</p>\n",
        html_text(experiment.created_by));
    body += fmt::format("<figure>{}</figure>\n", transfer_figure(experiment, transfer_metrics().front()));
    body +=
        "<h2>Which source is better</h2>\n<p class=\"faint\">Mean over the curve of the share of pairs in "
        "order, one source less another on the same seeds, in points.</p>\n" +
        plain_html_table(comparison_table(experiment));
    for (const TransferMetric& metric : transfer_metrics()) {
        body += fmt::format("<h2>{}, by matrices of the new machine</h2>\n", html_text(metric.title));
        if (&metric != &transfer_metrics().front()) // that one stands above
            body += fmt::format("<figure>{}</figure>\n", transfer_figure(experiment, metric));
        body += plain_html_table(curve_table(experiment, metric));
    }
    body += "<h2>What was compared</h2>\n<ul>\n";
    for (const std::string& sentence : transfer_sentences(experiment))
        body += fmt::format("<li>{}</li>\n", html_text(sentence));
    body += "</ul>\n";
    return html_page("Sparsight: what to learn from before a new machine", body);
}

Json transfer_json(const TransferExperiment& experiment) {
    Json targets = Json::array();
    for (const TransferTargetFacts& target : experiment.targets)
        targets.push_back({{"machine", target.machine},
                           {"matrices", target.matrices},
                           {"imagined_from", target.imagined_from}});
    Json comparisons = Json::array();
    for (const TransferComparison& comparison : transfer_comparisons(experiment)) {
        Json one{{"target", comparison.target},
                 {"better", comparison.better},
                 {"than", comparison.than},
                 {"seeds", comparison.seeds}};
        one.update(interval_json(comparison.difference));
        comparisons.push_back(std::move(one));
    }
    Json trainings = Json::array();
    for (const TransferTrainingFacts& each : experiment.trainings)
        trainings.push_back({{"target", each.target},
                             {"source", each.source},
                             {"seed", each.seed},
                             {"machines", each.machines},
                             {"steps", each.steps},
                             {"examples", each.examples}});
    Json points = Json::array();
    for (const TransferPoint& point : experiment.points)
        points.push_back({{"target", point.target},
                          {"source", point.source},
                          {"seed", point.seed},
                          {"shots", point.shots},
                          {"metrics", point.metrics}});
    return {{"operator", experiment.op},
            {"dense", experiment.dense},
            {"targets", std::move(targets)},
            {"sources", experiment.sources},
            {"estimates", estimates_json(experiment)},
            {"comparisons", std::move(comparisons)},
            {"trainings", std::move(trainings)},
            {"points", std::move(points)},
            {"notes", experiment.notes}};
}

} // namespace sparsight

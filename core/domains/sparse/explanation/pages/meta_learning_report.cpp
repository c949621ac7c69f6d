#include "domains/sparse/explanation/pages/meta_learning_report.h"

#include "evaluation/reports/evaluation_report.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/html.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

/// What the report has in Table 2.
constexpr std::array reported{
    ReportRow{"Base WACO", "School server data", 0.0052, {}, {}},
    ReportRow{"Base Meta", "School server data", 0.0554, {}, {}},
    ReportRow{"Base WACO", "Local computer data", 0.0693, {}, {}},
    ReportRow{"Fine-tuned Meta", "Local computer data", 0.196, {}, {}},
};

std::string_view mark_of(TimeSource source) {
    switch (source) {
    case TimeSource::Measured:
        return "measured";
    case TimeSource::Recorded:
        return "recorded";
    case TimeSource::Simulated:
        return "simulated";
    }
    return "";
}

TextTable table_of(const MetaLearningReport& experiment) {
    TextTable table{.header = {"model in the report", "its data", "its speedup", "model here", "machine here",
                               "speedup here"},
                    .rows = {}};
    for (const ReportRow& row : report_table_2(experiment))
        table.rows.push_back({std::string(row.model), std::string(row.data),
                              fmt::format("{:.3g} %", row.reported * 100), row.our_model, row.our_machine,
                              row.ours ? percent_text(*row.ours) : "–"});
    return table;
}

std::vector<std::string> sentences(const MetaLearningReport& experiment) {
    std::vector<std::string> all;
    if (experiment.second.source == TimeSource::Simulated)
        for (const ModelEvaluation* evaluation : {&experiment.first, &experiment.second})
            all.push_back(fmt::format("{}: {}", evaluation->machine, setting_sentence(*evaluation)));
    for (const ModelEvaluation* evaluation : {&experiment.first, &experiment.second}) {
        for (const auto& some : {comparison_sentences(*evaluation), remark_sentences(*evaluation)})
            for (const std::string& sentence : some)
                all.push_back(fmt::format("{}: {}", evaluation->machine, sentence));
    }
    return all;
}

} // namespace

std::array<ReportRow, 4> report_table_2(const MetaLearningReport& experiment) {
    std::array rows = reported;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const ModelEvaluation& evaluation = at < 2 ? experiment.first : experiment.second;
        rows[at].our_machine = fmt::format("{} ({})", evaluation.machine, mark_of(evaluation.source));
        if (at % 2 >= evaluation.models.size())
            continue;
        const EvaluatedModel& model = evaluation.models[at % 2];
        rows[at].our_model = model.name;
        if (model.summary)
            rows[at].ours = model.summary->mean_relative;
    }
    return rows;
}

std::string experiment_text(const MetaLearningReport& experiment) {
    std::string text = "Mean relative speedup over fixed CSR, as in the report's Table 2 (in brackets: 95 % "
                       "intervals)\n\n" +
                       aligned_text(table_of(experiment)) + "\n";
    for (const std::string& sentence : sentences(experiment))
        text += sentence + "\n";
    return text;
}

std::string experiment_markdown(const MetaLearningReport& experiment) {
    std::string text = markdown_text(table_of(experiment)) + "\n";
    for (const ModelEvaluation* evaluation : {&experiment.first, &experiment.second})
        text += "## " + evaluation->machine + "\n\n" + evaluation_markdown(*evaluation) + "\n";
    return text;
}

std::string experiment_html(const MetaLearningReport& experiment) {
    const TextTable table = table_of(experiment);
    std::string body = fmt::format(
        "<h1>The four tests of the meta-learning report</h1>\n<p class=\"lead\">Mean relative speedup over "
        "fixed CSR: its Table 2, and ours beside it; {}; {}</p>\n<div class=\"scroll\"><table>\n<tr>",
        html_text(experiment.first.date), html_text(experiment.created_by));
    for (const std::string& title : table.header)
        body += fmt::format("<th>{}</th>", html_text(title));
    body += "</tr>\n";
    for (const auto& row : table.rows) {
        body += "<tr>";
        for (const std::string& cell : row)
            body += fmt::format("<td>{}</td>", html_text(cell));
        body += "</tr>\n";
    }
    body += "</table></div>\n";
    body += evaluation_sections(experiment.first,
                                fmt::format("Where they learned: {} (figure 6)", experiment.first.machine));
    body += evaluation_sections(experiment.second,
                                fmt::format("Another machine: {} (figure 7)", experiment.second.machine));
    return html_page("Sparsight: the four tests of the meta-learning report",
                     body + evaluation_explanation(experiment.first.words));
}

nlohmann::ordered_json experiment_json(const MetaLearningReport& experiment) {
    Json rows = Json::array();
    for (const ReportRow& row : report_table_2(experiment))
        rows.push_back({{"model", row.model},
                        {"data", row.data},
                        {"reported", row.reported},
                        {"our_model", row.our_model},
                        {"our_machine", row.our_machine},
                        {"value", row.ours ? Json(row.ours->value) : Json()},
                        {"low", row.ours && row.ours->interval ? Json(row.ours->interval->low) : Json()},
                        {"high", row.ours && row.ours->interval ? Json(row.ours->interval->high) : Json()}});
    return {{"table_2", rows},
            {"first", evaluation_json(experiment.first)},
            {"second", evaluation_json(experiment.second)}};
}

} // namespace sparsight

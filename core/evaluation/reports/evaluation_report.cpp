#include "evaluation/reports/evaluation_report.h"

#include "base/optional_json.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/figures.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

/// A name may hold anything: it must neither divide a table nor become a link, code, emphasis or HTML.
std::string markdown_safe(std::string_view text) {
    constexpr std::string_view signs = "\\`*_~&<|";
    std::string safe;
    for (const char letter : text) {
        if (signs.contains(letter) || (letter == '(' && safe.ends_with(']')))
            safe += '\\';
        safe += letter == '\n' ? ' ' : letter;
    }
    return safe;
}

std::string optional_number(const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : "";
}

} // namespace

std::string aligned_text(const TextTable& table) {
    std::vector<Table::Column> columns;
    for (const std::string& title : table.header)
        columns.push_back({title});
    Table aligned(std::move(columns));
    for (const auto& row : table.rows)
        aligned.add_row(row);
    return aligned.text();
}

std::string html_table(const TextTable& table) {
    std::string text = "<div class=\"scroll\"><table>\n<tr>";
    for (const std::string& each : table.header)
        text += fmt::format("<th>{}</th>", html_text(each));
    text += "</tr>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (const std::string& cell : row)
            text += fmt::format("<td>{}</td>", html_text(cell));
        text += "</tr>\n";
    }
    return text + "</table></div>\n";
}

namespace {

/// Units and marks beside digits are signs; a letter makes a text, as the code of a schedule has it.
bool is_of_numbers(const TextTable& table, std::size_t column) {
    return std::ranges::none_of(table.rows, [&](const std::vector<std::string>& row) {
        return std::ranges::any_of(row[column],
                                   [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
    });
}

} // namespace

std::string markdown_text(const TextTable& table) {
    std::string text;
    const auto add = [&](const std::vector<std::string>& row) {
        for (const std::string& cell : row)
            text += "| " + markdown_safe(cell) + " ";
        text += "|\n";
    };
    add(table.header);
    for (std::size_t column = 0; column < table.header.size(); ++column)
        text += column == 0 || !is_of_numbers(table, column) ? "|---" : "|---:";
    text += "|\n";
    std::ranges::for_each(table.rows, add);
    return text;
}

std::string evaluation_text(const ModelEvaluation& evaluation) {
    std::string text = setting_sentence(evaluation) + "\n\n" + aligned_text(summary_table(evaluation));
    if (const std::string sentence = interval_sentence(evaluation); !sentence.empty())
        text += sentence + "\n";
    for (const auto& sentences : {comparison_sentences(evaluation), remark_sentences(evaluation)})
        for (const std::string& sentence : sentences)
            text += sentence + "\n";
    return text;
}

namespace {

/// Of a noun of a domain, as a part of a key: "fixed_csr".
std::string key_of(std::string noun) {
    for (char& letter : noun)
        letter = letter == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return noun;
}

} // namespace

std::string baseline_key(const DomainWords& words) {
    return key_of(words.baseline->one) + "_ms";
}

std::string evaluation_csv(const ModelEvaluation& evaluation) {
    const DomainWords& words = evaluation.words;
    const std::string configuration = key_of(words.configuration.one);
    const std::string baseline = words.baseline ? key_of(words.baseline->one) : std::string();
    const bool has_condition = evaluation.condition && !evaluation.condition->empty();
    std::string text = fmt::format(
        "model,{},{}best_ms,{}best_{},best_known_ms,regret,best_known_{},kendall_tau,given_up,turns{}\r\n",
        key_of(words.workload.one),
        words.baseline ? fmt::format("{0}_ms,{0}_spread_ms,", baseline) : std::string(),
        words.baseline ? "speedup,speedup_error," : "", configuration, configuration,
        has_condition ? ",condition" : "");
    for (const EvaluatedModel& model : evaluation.models)
        for (const EvaluatedWorkload& workload : model.workloads)
            fmt::format_to(std::back_inserter(text), "{},{},{}{:.6f},{}{},{:.6f},{:.4f},{},{},{},{}{}\r\n",
                           csv_field(model.name), csv_field(workload.times.workload),
                           words.baseline ? fmt::format("{:.6f},{},", workload.times.baseline_ms,
                                                        optional_number(workload.baseline_spread_ms))
                                          : std::string(),
                           workload.times.best_ms,
                           words.baseline ? fmt::format("{:.4f},{},", workload.times.speedup(),
                                                        optional_number(workload.speedup_error))
                                          : std::string(),
                           csv_field(workload.best_configuration), workload.times.best_known_ms,
                           workload.times.regret(), csv_field(workload.best_known_configuration),
                           optional_number(workload.kendall_tau), workload.best_was_given_up ? 1 : 0,
                           workload.turns, has_condition ? "," + csv_field(*evaluation.condition) : "");
    return text;
}

std::string evaluation_markdown(const ModelEvaluation& evaluation) {
    std::string text = markdown_safe(setting_sentence(evaluation)) + "\n\n" +
                       markdown_text(summary_table(evaluation)) + "\n";
    if (const std::string sentence = interval_sentence(evaluation); !sentence.empty())
        text += "- " + markdown_safe(sentence) + "\n";
    for (const auto& sentences : {comparison_sentences(evaluation), remark_sentences(evaluation)})
        for (const std::string& sentence : sentences)
            text += "- " + markdown_safe(sentence) + "\n";
    return text + "\n" + markdown_text(workload_table(evaluation));
}

namespace {

class Sections {
public:
    explicit Sections(const ModelEvaluation& evaluation)
        : evaluation_(evaluation) {}

    std::string write(std::string_view title) {
        add("<h2>{}</h2>\n<p class=\"faint\">{}.</p>\n", html_text(title),
            html_text(setting_sentence(evaluation_)));
        if (evaluation_.workloads() > 0) {
            add_summary();
            add_sentences(comparison_sentences(evaluation_));
        }
        add_sentences(remark_sentences(evaluation_));
        if (evaluation_.workloads() > 0) {
            add_figures();
            add_workloads();
        }
        return std::move(text_);
    }

private:
    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }

    void add_sentences(const std::vector<std::string>& sentences) {
        for (const std::string& sentence : sentences)
            add("<p>{}</p>\n", html_text(sentence));
    }

    /// The interval smaller, on a line of its own.
    static std::string figure_cell(const std::string& text) {
        const std::size_t interval = text.find(" [");
        if (interval == std::string::npos)
            return html_text(text);
        return fmt::format("{}<br><span class=\"interval\">{}</span>", html_text(text.substr(0, interval)),
                           html_text(text.substr(interval + 1)));
    }

    void add_summary() {
        const TextTable table = summary_table(evaluation_);
        add("<div class=\"scroll\"><table>\n<tr>");
        for (std::size_t column = 0; column < table.header.size(); ++column)
            add("<th{}>{}</th>", column == 0 ? "" : " class=\"number\"", html_text(table.header[column]));
        add("</tr>\n");
        for (const auto& row : table.rows) {
            add("<tr>");
            for (std::size_t column = 0; column < row.size(); ++column)
                add("<td{}>{}</td>", column == 0 ? "" : " class=\"number\"",
                    column == 0 ? "<strong>" + html_text(row[column]) + "</strong>"
                                : figure_cell(row[column]));
            add("</tr>\n");
        }
        add("</table></div>\n");
        if (const std::string sentence = interval_sentence(evaluation_); !sentence.empty())
            add("<p class=\"faint\">{}</p>\n", html_text(sentence));
    }

    void add_figures() {
        if (evaluation_.words.baseline)
            add_speedups();
        if (const std::string losses = loss_figure(evaluation_.curves); !losses.empty())
            add_losses(losses);
        add("<h3>What was predicted, and what it took</h3>\n<div class=\"figures\">\n");
        for (const EvaluatedModel& model : evaluation_.models) {
            const std::string scatter = score_scatter(model, evaluation_.k, evaluation_.words);
            if (!scatter.empty())
                add("<figure><figcaption><strong>{}</strong>: Kendall τ {}, among the {} that it "
                    "chose</figcaption>\n{}</figure>\n",
                    html_text(model.name),
                    model.kendall_tau ? fmt::format("{:.2f}", *model.kendall_tau) : "unknown",
                    html_text(evaluation_.words.configuration.many), scatter);
        }
        add("</div>\n");
    }

    void add_speedups() {
        const SpeedupRange range = speedup_range(evaluation_);
        add("<h3>Speedup of each {} over {}</h3>\n<div class=\"figures\">\n",
            html_text(evaluation_.words.workload.one), html_text(evaluation_.words.baseline->one));
        for (const EvaluatedModel& model : evaluation_.models)
            add("<figure><figcaption><strong>{}</strong>: {} on average</figcaption>\n{}</figure>\n",
                html_text(model.name), mean_gain_text(model),
                speedup_bars(model, range, evaluation_.source == TimeSource::Simulated, evaluation_.words));
        add("</div>\n");
    }

    void add_losses(const std::string& figure) {
        add("<h3>Loss while training</h3>\n<figure>\n{}<figcaption class=\"legend\">", figure);
        for (std::size_t at = 0; at < evaluation_.curves.size(); ++at)
            add("<span><i class=\"curve{}\"></i>{}</span>", at % 5, html_text(evaluation_.curves[at].model));
        add("<span>solid: training, dashed: validation</span></figcaption></figure>\n");
    }

    void add_workloads() {
        const TextTable table = workload_table(evaluation_);
        const std::string& noun = evaluation_.words.workload.one;
        add("<h3>{} by {}</h3>\n<div class=\"scroll\"><table>\n<tr>", html_text(capitalised(noun)),
            html_text(noun));
        for (std::size_t column = 0; column < table.header.size(); ++column)
            add("<th{}>{}</th>", is_text(table, column) ? "" : " class=\"number\"",
                html_text(table.header[column]));
        add("</tr>\n");
        const auto places = by_speedup(evaluation_.models.front());
        for (std::size_t at = 0; at < table.rows.size(); ++at) {
            add("<tr>");
            for (std::size_t column = 0; column < table.rows[at].size(); ++column)
                add_cell(table, at, column, places[at]);
            add("</tr>\n");
        }
        add("</table></div>\n");
    }

    static bool is_text(const TextTable& table, std::size_t column) {
        return column == 0 || column + 1 == table.header.size();
    }

    /// The models' speedups, at every second place from the fourth column, are coloured.
    void add_cell(const TextTable& table, std::size_t row, std::size_t column, std::size_t place) {
        const std::string text = html_text(table.rows[row][column]);
        if (column + 1 == table.header.size()) {
            add("<td><code>{}</code></td>", text);
            return;
        }
        if (column == 0) {
            add("<td>{}</td>", text);
            return;
        }
        const bool is_speedup =
            evaluation_.words.baseline && column >= 3 && column % 2 == 1 && column + 2 < table.header.size();
        std::string_view look;
        if (is_speedup) {
            const EvaluatedWorkload& workload = evaluation_.models[(column - 3) / 2].workloads[place];
            look = workload.verdict() == Verdict::Faster   ? " gain"
                   : workload.verdict() == Verdict::Slower ? " loss"
                                                           : "";
        }
        add("<td class=\"number{}\">{}</td>", look, text);
    }

    const ModelEvaluation& evaluation_;
    std::string text_;
};

} // namespace

std::string evaluation_sections(const ModelEvaluation& evaluation, std::string_view title) {
    return Sections(evaluation).write(title);
}

std::string evaluation_explanation(const DomainWords& words) {
    const std::string workload = html_text(words.workload.one);
    const std::string configuration = html_text(words.configuration.one);
    if (!words.baseline)
        return fmt::format(
            "<h2>How to read the results</h2>\n<p>For every {0} a model chooses {2} that it predicts to be "
            "fast; their times are looked up, and the fastest of them is its answer. <em>Behind the "
            "best</em> is the geometric mean of how much slower the answers are than the fastest {1} that is "
            "known of each {0}. It is exact where every {1} was tried. Kendall τ compares, among the chosen "
            "{2}, the order of the scores with that of the times: 1 is the same order, 0 none in "
            "common.</p>\n",
            workload, configuration, html_text(words.configuration.many));
    return fmt::format(
        "<h2>How to read the results</h2>\n<p>For every {0} a model chooses {2} that it predicts to be fast; "
        "they are tried, and the fastest of them is its answer. <em>Speedup</em> is the time of {3} over the "
        "time of that answer, and <em>mean relative speedup</em> the mean of speedup − 1. An answer is "
        "<em>faster</em> or <em>slower</em> where the difference exceeds noise and 1 %; a smaller one is "
        "pale. The column beside it falls back on {3} where nothing that was chosen is faster. <em>Behind "
        "the best known</em> is the geometric mean of how much slower the answers are than the fastest {1} "
        "that was ever tried on each {0}. Kendall τ compares, among the chosen {2}, the order of the scores "
        "with that of the times: 1 is the same order, 0 none in common.</p>\n",
        workload, configuration, html_text(words.configuration.many), html_text(words.baseline->one));
}

std::string evaluation_html(const ModelEvaluation& evaluation) {
    return html_page("Sparsight: what the models chose",
                     fmt::format("<h1>What the models chose, and what it gained</h1>\n<p "
                                 "class=\"lead\">{}; {}</p>\n{}{}",
                                 html_text(evaluation.date), html_text(evaluation.created_by),
                                 evaluation_sections(evaluation, "Results"),
                                 evaluation_explanation(evaluation.words)));
}

namespace {

using Json = nlohmann::ordered_json;

/// A key of its own, where the domain has nicknames.
void add_nickname(Json& json, const char* key, const ModelEvaluation& evaluation,
                  const std::string& configuration) {
    if (!evaluation.nicknames.empty())
        json[key] = evaluation.name_of(configuration);
}

Json candidate_json(const EvaluatedCandidate& candidate, const ModelEvaluation& evaluation) {
    Json json{{"rank", candidate.rank},
              {key_of(evaluation.words.configuration.one), candidate.configuration},
              {"score", json_or_null(candidate.score)},
              {"status", candidate.status ? Json(name(*candidate.status)) : Json()},
              {"median_ms", json_or_null(candidate.median_ms)},
              {"spread_ms", json_or_null(candidate.spread_ms)},
              {"turns_ms", json_or_null(candidate.turns_ms)},
              {"turns_spread_ms", json_or_null(candidate.turns_spread_ms)}};
    add_nickname(json, "nickname", evaluation, candidate.configuration);
    return json;
}

Json workload_json(const EvaluatedWorkload& workload, const ModelEvaluation& evaluation) {
    const DomainWords& words = evaluation.words;
    Json candidates = Json::array();
    for (const EvaluatedCandidate& candidate : workload.candidates)
        candidates.push_back(candidate_json(candidate, evaluation));
    const std::string configuration = key_of(words.configuration.one);
    Json json{{key_of(words.workload.one), workload.times.workload}};
    if (words.baseline)
        json[baseline_key(words)] = workload.times.baseline_ms;
    json["best_ms"] = workload.times.best_ms;
    if (words.baseline)
        json.update({{"speedup", workload.times.speedup()},
                     {"speedup_error", json_or_null(workload.speedup_error)},
                     {"speedup_margin", json_or_null(workload.speedup_margin())}});
    json.update({{"best_" + configuration, workload.best_configuration},
                 {"given_up", workload.best_was_given_up},
                 {"best_known_ms", workload.times.best_known_ms},
                 {"regret", workload.times.regret()},
                 {"regret_error", json_or_null(workload.regret_error)},
                 {"best_known_" + configuration, workload.best_known_configuration},
                 {"turns", workload.turns},
                 {"has_faster_since", workload.has_faster_since},
                 {"kendall_tau", json_or_null(workload.kendall_tau)},
                 {"candidates", candidates}});
    add_nickname(json, "best_nickname", evaluation, workload.best_configuration);
    add_nickname(json, "best_known_nickname", evaluation, workload.best_known_configuration);
    if (workload.is_regret_exact)
        json["exact_regret"] = *workload.is_regret_exact;
    if (workload.best_told) {
        json["uncertain"] = workload.is_uncertain();
        json["best_raw_ms"] = workload.best_told->raw_ms;
    }
    return json;
}

std::string_view name_of(TimeSource source) {
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

} // namespace

nlohmann::ordered_json summary_json(const EvaluatedModel& model, const DomainWords& words) {
    Json json{{"model", model.name}, {key_of(words.workload.many), model.workloads.size()}};
    if (model.summary)
        json["families"] = model.summary->families;
    if (model.summary && !words.baseline) {
        json["regret"] = estimate_json(model.summary->regret);
        json["worst_regret"] = 1 / model.summary->worst - 1;
        json["worst_" + key_of(words.workload.one)] = model.summary->worst_workload;
    } else if (model.summary) {
        json["mean_relative_speedup"] = estimate_json(model.summary->mean_relative);
        json["mean_relative_speedup_with_fallback"] =
            estimate_json(model.summary->mean_relative_with_fallback);
        json["geometric_mean"] = estimate_json(model.summary->geometric_mean);
        json["median"] = estimate_json(model.summary->median);
        json["share_slower"] = model.summary->losing ? estimate_json(*model.summary->losing) : Json();
        json["slower_within_noise"] = model.summary->within_noise;
        json["slower_noise_unknown"] = model.summary->noise_unknown;
        json["regret"] = estimate_json(model.summary->regret);
        json["worst_speedup"] = model.summary->worst;
        json["worst_" + key_of(words.workload.one)] = model.summary->worst_workload;
    }
    json["kendall_tau"] = json_or_null(model.kendall_tau);
    json["chosen"] = model.chosen;
    json["without_time"] = model.without_time;
    return json;
}

nlohmann::ordered_json evaluation_json(const ModelEvaluation& evaluation) {
    const DomainWords& words = evaluation.words;
    const std::string workload = key_of(words.workload.one);
    Json models = Json::array();
    for (const EvaluatedModel& model : evaluation.models) {
        Json json = summary_json(model, words);
        Json workloads = Json::array();
        for (const EvaluatedWorkload& each : model.workloads)
            workloads.push_back(workload_json(each, evaluation));
        json[key_of(words.workload.many)] = workloads; // in place of their number
        models.push_back(json);
    }
    Json comparisons = Json::array();
    for (const ModelComparison& comparison : evaluation.comparisons)
        comparisons.push_back(
            {{"model", comparison.model},
             {"reference", comparison.reference},
             {"mean_relative_difference", estimate_json(comparison.figures.mean_relative_difference)},
             {"geometric_ratio", estimate_json(comparison.figures.geometric_ratio)},
             {"faster", comparison.figures.first_faster},
             {"slower", comparison.figures.second_faster},
             {"within_noise", comparison.figures.within_noise},
             {"noise_unknown", comparison.figures.noise_unknown}});
    Json left_out = Json::array();
    for (const LeftOutWorkload& each : evaluation.left_out)
        left_out.push_back({{workload, each.workload}, {"reason", each.reason}});
    Json missed_turns = Json::array();
    for (const MissedTurns& missed : evaluation.missed_turns)
        missed_turns.push_back({{workload, missed.workload},
                                {key_of(words.configuration.one), missed.configuration},
                                {"error", missed.error}});
    Json json{{"machine", evaluation.machine}, {"source", name_of(evaluation.source)}};
    if (evaluation.condition && !evaluation.condition->empty())
        json["condition"] = *evaluation.condition;
    for (const SettingMember& member : evaluation.setting_members) {
        json[member.key] = 1; // an extent that the setting does not have
        if (const auto* const word = std::get_if<std::string>(&member.value))
            json[member.key] = *word;
        if (const auto* const extent = std::get_if<std::int64_t>(&member.value))
            json[member.key] = *extent;
    }
    json.update({{"protocol", evaluation.protocol},
                 {"k", evaluation.k},
                 {"confidence", interval_confidence},
                 {"models", models},
                 {"comparisons", comparisons},
                 {"left_out", left_out},
                 {"missed_turns", missed_turns},
                 {"remarks", remark_sentences(evaluation)}});
    if (const auto exact = evaluation.workloads_with_exact_regret())
        json["exact_regret"] = *exact == evaluation.workloads();
    return json;
}

} // namespace sparsight

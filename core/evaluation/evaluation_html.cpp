#include "evaluation/evaluation_figures.h"
#include "evaluation/evaluation_tables.h"
#include "evaluation/evaluation_writers.h"
#include "evaluation/html.h"
#include "evaluation/report_style.h"

#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

class Sections {
public:
    explicit Sections(const ModelEvaluation& evaluation)
        : evaluation_(evaluation) {}

    std::string write(std::string_view title) {
        add("<h2>{}</h2>\n<p class=\"faint\">{}.</p>\n", html_text(title),
            html_text(setting_sentence(evaluation_)));
        if (evaluation_.matrices() > 0) {
            add_summary();
            add_sentences(comparison_sentences(evaluation_));
        }
        add_sentences(remark_sentences(evaluation_));
        if (evaluation_.matrices() > 0) {
            add_figures();
            add_matrices();
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
        add("</table></div>\n<p class=\"faint\">In brackets: {:.0f} % intervals of {} bootstrap resamples of "
            "the matrices.</p>\n",
            evaluation_.bootstrap.confidence * 100, evaluation_.bootstrap.resamples);
    }

    void add_figures() {
        const SpeedupRange range = speedup_range(evaluation_);
        add("<h3>Speedup of each matrix over fixed CSR</h3>\n<div class=\"figures\">\n");
        for (const EvaluatedModel& model : evaluation_.models)
            add("<figure><figcaption><strong>{}</strong>: {} on average</figcaption>\n{}</figure>\n",
                html_text(model.name), percent_text(model.summary->mean_relative.value),
                speedup_bars(model, range, evaluation_.source == TimeSource::Simulated));
        add("</div>\n");
        if (const std::string losses = loss_figure(evaluation_.curves); !losses.empty())
            add_losses(losses);
        add("<h3>What was predicted, and what it took</h3>\n<div class=\"figures\">\n");
        for (const EvaluatedModel& model : evaluation_.models) {
            const std::string scatter = score_scatter(model, evaluation_.k);
            if (!scatter.empty())
                add("<figure><figcaption><strong>{}</strong>: Kendall τ {}, among the schedules that it "
                    "chose</figcaption>\n{}</figure>\n",
                    html_text(model.name),
                    model.kendall_tau ? fmt::format("{:.2f}", *model.kendall_tau) : "unknown", scatter);
        }
        add("</div>\n");
    }

    void add_losses(const std::string& figure) {
        add("<h3>Loss while training</h3>\n<figure>\n{}<figcaption class=\"legend\">", figure);
        for (std::size_t at = 0; at < evaluation_.curves.size(); ++at)
            add("<span><i class=\"curve{}\"></i>{}</span>", at % 5, html_text(evaluation_.curves[at].model));
        add("<span>solid: training, dashed: validation</span></figcaption></figure>\n");
    }

    void add_matrices() {
        const TextTable table = matrix_table(evaluation_);
        add("<h3>Matrix by matrix</h3>\n<div class=\"scroll\"><table>\n<tr>");
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
        const bool is_speedup = column >= 3 && column % 2 == 1 && column + 2 < table.header.size();
        std::string_view look;
        if (is_speedup) {
            const double speedup = evaluation_.models[(column - 3) / 2].matrices[place].times.speedup();
            look = speedup > 1 ? " gain" : speedup < 1 ? " loss" : "";
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

std::string evaluation_explanation() {
    return "<h2>How to read the results</h2>\n<p>For every matrix a model chooses schedules that it predicts "
           "to be fast; they are tried, and the fastest of them is its answer. <em>Speedup</em> is the time "
           "of fixed CSR over the time of that answer, and <em>mean relative speedup</em> the mean of "
           "speedup − 1. Who falls back on fixed CSR where nothing that was chosen is faster never loses: "
           "that is the column beside it. <em>Behind the best known</em> is the geometric mean of how much "
           "slower the answers are than the fastest schedule that was ever tried on each matrix. Kendall τ "
           "compares the order of the scores with that of the times: 1 is the same order, 0 none in "
           "common.</p>\n";
}

std::string evaluation_html(const ModelEvaluation& evaluation) {
    return html_page("Sparsight: what the models chose",
                     fmt::format("<h1>What the models chose, and what it gained</h1>\n<p "
                                 "class=\"lead\">{}; {}</p>\n{}{}",
                                 html_text(evaluation.date), html_text(evaluation.created_by),
                                 evaluation_sections(evaluation, "Results"), evaluation_explanation()));
}

} // namespace sparsight

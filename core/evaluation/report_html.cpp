#include "base/parallel.h"
#include "base/quantity.h"
#include "evaluation/evaluation_writers.h"
#include "evaluation/html.h"
#include "evaluation/report_style.h"
#include "evaluation/report_writers.h"
#include "kernel/c_printer.h"
#include "kernel/lowering.h"
#include "schedule/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

constexpr std::size_t shown_schedules = 10;

class HtmlReport {
public:
    HtmlReport(const CollectionReport& report, const ModelEvaluation* evaluation)
        : report_(report)
        , evaluation_(evaluation) {}

    std::string write() {
        add_heading();
        add_summary();
        if (evaluation_ != nullptr)
            text_ +=
                evaluation_sections(*evaluation_, "What models choose for matrices that they never saw") +
                evaluation_explanation();
        for (const MatrixFinding& finding : report_.matrices)
            add_matrix(finding);
        add_explanation();
        return html_page("Sparsight: which schedules beat fixed CSR", text_);
    }

private:
    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }

    void add_heading() {
        add("<h1>Which schedules beat fixed CSR</h1>\n<p class=\"lead\">{}", name(report_.op));
        if (report_.op != Operator::SpMV)
            add(", dense extent {}", report_.dense);
        add(", on {}", html_text(report_.machine.cpu_model.value_or(report_.machine.name)));
        if (report_.machine.cores)
            add(", {} cores", *report_.machine.cores);
        add("; {} protocol; {}; {}</p>\n", html_text(report_.protocol), html_text(report_.date),
            html_text(report_.created_by));
    }

    void add_summary() {
        double longest = 1;
        for (const MatrixFinding& finding : report_.matrices)
            longest = std::max(longest, finding.speedup().value_or(1));
        add("<div class=\"scroll\"><table>\n<tr><th>Matrix</th><th class=\"number\">Rows</th><th "
            "class=\"number\">Columns</th>"
            "<th class=\"number\">Non-zeros</th><th class=\"number\">Fixed CSR, ms</th><th "
            "class=\"number\">Best, ms</th>"
            "<th class=\"number\">Speedup</th><th></th><th>Best schedule</th></tr>\n");
        for (std::size_t at = 0; at < report_.matrices.size(); ++at) {
            const MatrixFinding& finding = report_.matrices[at];
            const PatternStatistics& statistics = finding.statistics;
            add("<tr><td><a href=\"#m{}\">{}</a></td><td class=\"number\">{}</td><td "
                "class=\"number\">{}</td><td "
                "class=\"number\">{}</td>",
                at, html_text(finding.matrix), format_count(statistics.rows), format_count(statistics.cols),
                format_count(statistics.nnz));
            add("<td class=\"number\">{}</td><td class=\"number\">{}</td>",
                time_of(finding.fixed_csr ? &*finding.fixed_csr : nullptr), time_of(finding.best()));
            const double speedup = finding.speedup().value_or(0);
            const bool certain = finding.gain_exceeds_noise();
            add("<td class=\"number{}\">{}{}</td><td><span class=\"bar\" "
                "style=\"width:{:.1f}rem\"></span></td><td><code>{}</code></td></tr>\n",
                certain ? " gain" : "", certain ? "" : "≈ ",
                speedup > 0 ? fmt::format("{:.2f}×", speedup) : "–", 6 * speedup / longest,
                finding.best() == nullptr ? "nothing could be measured"
                                          : html_text(finding.best()->schedule));
        }
        add("</table></div>\n");
        if (const auto mean = report_.mean_speedup())
            add("<p>Geometric mean of the speedups: <strong>{:.2f}×</strong>. ≈ marks a gain within the "
                "spread of the two "
                "measurements.</p>\n",
                *mean);
    }

    static std::string time_of(const ResultRow* row) {
        if (row == nullptr || !row->median_ms)
            return "–";
        return fmt::format("{:.3f} <span class=\"faint\">± {:.3f}</span>", *row->median_ms,
                           row->spread_ms.value_or(0));
    }

    void add_matrix(const MatrixFinding& finding) {
        add("<h2 id=\"m{}\">{}</h2>\n<p class=\"faint\">{}</p>\n<div class=\"matrix\">\n", matrix_number_++,
            html_text(finding.matrix), html_text(finding.source));
        const PatternStatistics& statistics = finding.statistics;
        add("<div>\n");
        if (!finding.picture.empty())
            add("<figure><img alt=\"Sparsity pattern of {}\" src=\"data:image/png;base64,{}\"><figcaption>{} "
                "rows × {} columns, {} "
                "non-zeros; darker is denser</figcaption></figure>\n",
                html_text(finding.matrix), base64(finding.picture), format_count(statistics.rows),
                format_count(statistics.cols), format_count(statistics.nnz));
        add_statistics(statistics);
        add("</div>\n<div>\n");
        add_ranking(finding);
        if (finding.best() != nullptr)
            add_loop_nest(finding);
        add("</div>\n</div>\n");
    }

    void add_statistics(const PatternStatistics& statistics) {
        add("<table>\n");
        for (const Statistic& statistic : sparsight::statistics()) {
            if (std::ranges::find(shown_statistics, statistic.name) == shown_statistics.end())
                continue;
            const double value = statistic.of(statistics);
            const std::string text = statistic.is_integer ? format_count(static_cast<std::int64_t>(value))
                                                          : fmt::format("{:.4g}", value);
            add("<tr title=\"{}\"><td>{}</td><td class=\"number\">{}</td></tr>\n",
                html_text(statistic.definition), html_text(statistic.title), text);
        }
        add("</table>\n");
    }

    void add_ranking(const MatrixFinding& finding) {
        add("<table>\n<tr><th class=\"number\">#</th><th class=\"number\">ms</th><th "
            "class=\"number\">Speedup</th><th "
            "class=\"number\">Stored A</th><th>Schedule</th></tr>\n");
        for (std::size_t rank = 0; rank < std::min(finding.ranked.size(), shown_schedules); ++rank) {
            const ResultRow& row = finding.ranked[rank];
            add("<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
                "class=\"number\">{}</td>"
                "<td><code>{}</code>{}</td></tr>\n",
                rank + 1, time_of(&row),
                row.speedup_over_fixed_csr ? fmt::format("{:.2f}×", *row.speedup_over_fixed_csr) : "–",
                format_bytes(row.bytes), html_text(row.schedule),
                finding.fixed_csr && row.schedule == finding.fixed_csr->schedule
                    ? " <span class=\"faint\">fixed CSR</span>"
                    : "");
        }
        add("</table>\n<p class=\"faint\">{} schedules measured, {} given up as far slower after part of "
            "their first "
            "run, {} refused as "
            "too "
            "large or failed.</p>\n",
            finding.ranked.size(), finding.gave_up, finding.failed);
    }

    void add_loop_nest(const MatrixFinding& finding) {
        const auto schedule = parse_schedule(report_.op, finding.best()->schedule);
        if (!schedule)
            return;
        const Extents extents =
            sparsight::extents(report_.op, finding.statistics.rows, finding.statistics.cols, report_.dense);
        add("<details><summary>The best schedule as a loop nest</summary>\n<pre>{}</pre>\n</details>\n",
            html_text(print_c(lower(*schedule, extents, KernelTarget::of_this_computer()))));
    }

    void add_explanation() {
        add("<h2>How to read this</h2>\n<p>A <em>SuperSchedule</em> is the storage format of the sparse "
            "operand and the loop schedule "
            "together. Its text gives the split of each index, the loop order from the outside in, the "
            "format of each level (1 "
            "uncompressed, 0 compressed), the parallel loop, threads and chunk. <em>Fixed CSR</em> is the "
            "baseline: rows "
            "uncompressed, columns compressed, parallel over rows. Times are medians over several "
            "runs, ± how far the runs lie apart (1.4826 times their median absolute deviation) and, with the "
            "adaptive protocol, how far fixed CSR's time drifted meanwhile; every "
            "result was checked against fixed CSR before its time was kept.</p>\n");
    }

    static constexpr std::array<std::string_view, 9> shown_statistics{
        "density",   "row_length_mean", "row_length_max", "row_length_variation", "row_length_gini",
        "bandwidth", "symmetry",        "block_fill_4",   "block_fill_16"};

    const CollectionReport& report_;
    const ModelEvaluation* evaluation_;
    std::string text_;
    std::size_t matrix_number_ = 0;
};

} // namespace

std::string report_html(const CollectionReport& report, const ModelEvaluation* evaluation) {
    return HtmlReport(report, evaluation).write();
}

} // namespace sparsight

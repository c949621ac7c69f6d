#include "domains/sparse/explanation/pages/collection_report.h"

#include "base/milliseconds.h"
#include "base/parallel.h"
#include "base/quantity.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "domains/sparse/explanation/pages/failure_report.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "evaluation/reports/evaluation_report.h"
#include "evaluation/reports/figures.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <span>

namespace sparsight {

namespace {

void rank(MatrixFinding& finding, std::vector<ResultRow> rows) {
    for (ResultRow& row : rows) {
        switch (row.status) {
        case MeasurementStatus::Measured:
            // Of several texts that mean fixed CSR the one that was measured last, as in the store.
            if (row.is_fixed_csr && (!finding.fixed_csr || finding.fixed_csr->measured <= row.measured))
                finding.fixed_csr = row;
            finding.ranked.push_back(std::move(row));
            break;
        case MeasurementStatus::GaveUp:
            ++finding.gave_up;
            break;
        case MeasurementStatus::TooLarge:
        case MeasurementStatus::Mismatch:
        case MeasurementStatus::Failed:
        case MeasurementStatus::Damaged:
            ++finding.failed;
            break;
        }
    }
    sort_fastest_first(finding.ranked);
}

} // namespace

std::optional<CollectedTime> collected_time(const ResultRow& schedule, const ResultRow& fixed_csr) {
    const auto against = fixed_csr_ms(schedule, fixed_csr);
    if (!against || !schedule.median_ms)
        return std::nullopt;
    const auto& range = schedule.fixed_csr_range;
    return CollectedTime{.milliseconds = *schedule.median_ms,
                         .spread_ms = schedule.spread_ms.value_or(0),
                         .baseline_ms = *against,
                         .baseline_spread_ms = fixed_csr.spread_ms.value_or(0),
                         .shortest_baseline_ms = range ? std::optional(range->shortest_ms) : std::nullopt,
                         .longest_baseline_ms = range ? std::optional(range->longest_ms) : std::nullopt};
}

bool differs_from_fixed_csr(const ResultRow& schedule, const ResultRow& fixed_csr) {
    const auto time = collected_time(schedule, fixed_csr);
    return time && time->verdict() != Verdict::WithinNoise;
}

std::optional<double> MatrixFinding::baseline_ms() const {
    if (!fixed_csr)
        return std::nullopt;
    return best() == nullptr || best()->is_fixed_csr ? fixed_csr->median_ms
                                                     : fixed_csr_ms(*best(), *fixed_csr);
}

std::optional<double> MatrixFinding::speedup() const {
    if (!baseline_ms() || best() == nullptr || !(best()->median_ms.value_or(0) > 0))
        return std::nullopt;
    return best()->speedup_over_fixed_csr.value_or(*baseline_ms() / *best()->median_ms);
}

bool MatrixFinding::gain_exceeds_noise() const {
    const auto gained = speedup();
    return gained && *gained > 1 && differs_from_fixed_csr(*best(), *fixed_csr);
}

std::optional<double> CollectionReport::mean_speedup() const {
    double logarithms = 0;
    int count = 0;
    for (const MatrixFinding& finding : matrices) {
        if (const auto speedup = finding.speedup()) {
            logarithms += std::log(*speedup);
            ++count;
        }
    }
    if (count == 0)
        return std::nullopt;
    return std::exp(logarithms / count);
}

Result<CollectionReport> summarise_collection(Workspace& workspace, const ReportScope& scope,
                                              const MachineDescription& machine) {
    CollectionReport report;
    report.machine = machine;
    report.op = scope.op;
    report.dense = scope.op == Operator::SpMV ? 1 : scope.dense;
    report.protocol = scope.protocol;
    const auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(records.error());
    for (const MatrixRecord& record : *records) {
        if (!scope.matrices.empty() && std::ranges::find(scope.matrices, record.name) == scope.matrices.end())
            continue;
        auto rows = list_results(
            workspace, {record.name, scope.machine, scope.op, report.dense, scope.protocol, scope.threads});
        if (!rows)
            return std::unexpected(rows.error());
        if (rows->empty())
            continue;
        for (const ResultRow& row : *rows)
            report.date = std::max(report.date, row.measured);
        MatrixFinding finding;
        finding.matrix = record.name;
        finding.source = record.source;
        const auto pattern = load_pattern(workspace, record.id);
        if (!pattern) {
            report.left_out.push_back(pattern.error());
            continue;
        }
        finding.statistics = compute_statistics(*pattern, scope.threads);
        auto picture = report_picture(*pattern, scope.threads);
        if (!picture)
            return std::unexpected(picture.error());
        finding.picture = std::move(*picture);
        rank(finding, std::move(*rows));
        report.matrices.push_back(std::move(finding));
    }
    return report;
}

namespace {

std::string number(std::optional<double> value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

std::optional<double> row_median(const ResultRow* row) {
    return row == nullptr ? std::nullopt : row->median_ms;
}

std::optional<double> row_spread(const ResultRow* row) {
    return row == nullptr ? std::nullopt : row->spread_ms;
}

const ResultRow* fixed_csr_of(const MatrixFinding& finding) {
    return finding.fixed_csr ? &*finding.fixed_csr : nullptr;
}

} // namespace

std::string report_table(const CollectionReport& report) {
    Table table({{"matrix"},
                 {"fixed CSR ms", Align::Right},
                 {"best ms", Align::Right},
                 {"speedup", Align::Right},
                 {"best schedule"}});
    bool any_in_noise = false;
    for (const MatrixFinding& finding : report.matrices) {
        const ResultRow* best = finding.best();
        const bool in_noise = best != nullptr && !finding.gain_exceeds_noise();
        any_in_noise = any_in_noise || in_noise;
        table.add_row({finding.matrix, number(finding.baseline_ms(), 3), number(row_median(best), 3),
                       (finding.speedup() ? number(finding.speedup(), 2) + "x" : "") + (in_noise ? "~" : " "),
                       best == nullptr ? "nothing could be measured" : best->schedule});
    }
    std::string text = table.text();
    if (const auto mean = report.mean_speedup())
        fmt::format_to(std::back_inserter(text), "geometric mean of the speedups: {:.2f}x\n", *mean);
    if (any_in_noise)
        text += "~ the gain may be noise\n";
    return text;
}

std::string report_csv(const CollectionReport& report) {
    std::string text =
        "matrix,fixed_csr_ms,best_ms,speedup,best_schedule,fixed_csr_spread_ms,best_spread_ms,rows,cols,nnz,"
        "measured,gave_up,failed\r\n";
    for (const MatrixFinding& finding : report.matrices) {
        const ResultRow* best = finding.best();
        fmt::format_to(
            std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_field(finding.matrix),
            number(finding.baseline_ms(), 6), number(row_median(best), 6), number(finding.speedup(), 4),
            best == nullptr ? "" : csv_field(best->schedule), number(row_spread(fixed_csr_of(finding)), 6),
            number(row_spread(best), 6), finding.statistics.rows, finding.statistics.cols,
            finding.statistics.nnz, finding.ranked.size(), finding.gave_up, finding.failed);
    }
    return text;
}

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
                evaluation_explanation(evaluation_->words);
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
            "<th class=\"number\">Entries</th><th class=\"number\">Fixed CSR, ms</th><th "
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
                time_of(finding.baseline_ms(), row_spread(fixed_csr_of(finding))),
                time_of(row_median(finding.best()), row_spread(finding.best())));
            const double speedup = finding.speedup().value_or(0);
            const bool certain = finding.gain_exceeds_noise();
            const ResultRow* const best = finding.best();
            add("<td class=\"number{}\">{}{}</td><td><span class=\"bar\" "
                "style=\"width:{:.1f}rem\"></span></td><td>{}</td></tr>\n",
                certain ? " gain" : "", certain ? "" : "≈ ",
                speedup > 0 ? fmt::format("{:.2f}×", speedup) : "–", 6 * speedup / longest,
                best == nullptr ? "nothing could be measured"
                                : fmt::format("{}<br><code class=\"faint\">{}</code>",
                                              html_text(names_of(std::span(best, 1)).front()),
                                              html_text(best->schedule)));
        }
        add("</table></div>\n");
        if (const auto mean = report_.mean_speedup())
            add("<p>Geometric mean of the speedups: <strong>{:.2f}×</strong>. ≈ marks a gain that noise "
                "may explain.</p>\n",
                *mean);
    }

    static std::string time_of(const std::optional<double>& median_ms,
                               const std::optional<double>& spread_ms) {
        return median_ms
                   ? fmt::format("{} <span class=\"faint\">± {}</span>", format_milliseconds(*median_ms),
                                 format_spread(spread_ms.value_or(0), *median_ms))
                   : "–";
    }

    void add_matrix(const MatrixFinding& finding) {
        add("<h2 id=\"m{}\">{}</h2>\n<p class=\"faint\">{}</p>\n<div class=\"matrix\">\n", matrix_number_++,
            html_text(finding.matrix), html_text(finding.source));
        const PatternStatistics& statistics = finding.statistics;
        add("<div>\n");
        if (!finding.picture.empty())
            add("<figure><img alt=\"Sparsity pattern of {}\" src=\"data:image/png;base64,{}\"><figcaption>{} "
                "rows × {} columns, {} "
                "entries; darker is denser</figcaption></figure>\n",
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

    [[nodiscard]] std::vector<std::string> names_of(std::span<const ResultRow> rows) const {
        std::vector<std::string> codes;
        std::ranges::transform(rows, std::back_inserter(codes), &ResultRow::schedule);
        return nicknames(report_.op, codes);
    }

    void add_ranking(const MatrixFinding& finding) {
        const std::size_t shown = std::min(finding.ranked.size(), shown_schedules);
        const std::vector<std::string> names = names_of(std::span(finding.ranked).first(shown));
        add("<table>\n<tr><th class=\"number\">#</th><th class=\"number\">ms</th><th "
            "class=\"number\">Speedup</th><th "
            "class=\"number\">Stored A</th><th>Schedule</th></tr>\n");
        for (std::size_t rank = 0; rank < shown; ++rank) {
            const ResultRow& row = finding.ranked[rank];
            add("<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
                "class=\"number\">{}</td>"
                "<td>{}<br><code class=\"faint\">{}</code></td></tr>\n",
                rank + 1, time_of(row.median_ms, row.spread_ms),
                row.speedup_over_fixed_csr ? fmt::format("{:.2f}×", *row.speedup_over_fixed_csr) : "–",
                format_bytes(row.bytes), html_text(names[rank]), html_text(row.schedule));
        }
        add("</table>\n<p class=\"faint\">{} schedules measured, {} abandoned as far slower after part of "
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
            "uncompressed, columns compressed, parallel over rows; its time is that at the moment of the "
            "best schedule, where it is known. Times are medians over several "
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

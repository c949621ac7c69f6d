#include "domains/sparse/explanation/pages/page_writer.h"

#include "domains/sparse/sparse_domain.h"

#include "base/quantity.h"
#include "domains/sparse/explanation/failures/pattern_family.h"
#include "domains/sparse/explanation/pages/schedule_comparison.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sparsight {

namespace {

constexpr double picture_pixels = 280; ///< of the longer side

constexpr std::array<std::string_view, 7> shown_statistics{
    "density",   "row_length_mean", "row_length_max", "row_length_gini",
    "bandwidth", "symmetry",        "block_fill_4"};

std::string time_text(const ClockTime& time) {
    const int decimals = decimals_of(*time.milliseconds);
    std::string text =
        fmt::format("{}{:.{}f} ms", time.is_at_least ? "at least " : "", *time.milliseconds, decimals);
    if (time.spread_ms > 0)
        text += fmt::format(" <span class=\"faint\">± {:.2g}</span>", time.spread_ms);
    return text;
}

/// What begins with a digit or a sign, or says that there is none.
bool is_numbers(const TextTable& table, std::size_t column) {
    return column > 0 && std::ranges::all_of(table.rows, [&](const std::vector<std::string>& row) {
               constexpr std::string_view beginnings = "0123456789+-–−";
               return row[column].empty() || beginnings.find(row[column].front()) != std::string_view::npos;
           });
}

Operator operator_of(const FailurePage& page) {
    return page.explanation.to.schedule.op;
}

} // namespace

std::string against_title(const FailurePage& page) {
    return page.against_name.empty() ? "the other schedule" : page.against_name;
}

std::string schedule_title(const FailurePage& page) {
    return page.failure || !page.origin.model.empty() ? "the chosen schedule" : "the schedule";
}

std::string_view time_origin_text(const FailurePage& page) {
    return page.failure ? name(page.failure->times) : name(page.basis);
}

/// Of the evaluation where the page is of its case: the diagnosis beside it may be a simulation.
std::string page_title(const FailurePage& page) {
    const Blame& blame = page.explanation.blame;
    const double factor = page.failure ? 1 + page.failure->main().lost_share()
                                       : *blame.to.milliseconds / *blame.from.milliseconds;
    const std::string subject = !page.failure || page.origin.model.empty()
                                    ? page.matrix
                                    : fmt::format("{}, chosen by {}", page.matrix, page.origin.model);
    const std::string how =
        time_origin_text(page) == "measured" ? "" : fmt::format(", {}", time_origin_text(page));
    if (page.explanation.blame.is_same_program)
        return fmt::format("{}: the same program as {}", subject, against_title(page));
    if (factor >= 100)
        return fmt::format("{}: {} times as long as {}{}", subject, format_count(std::llround(factor)),
                           against_title(page), how);
    if (factor >= 2)
        return fmt::format("{}: {:.3g} times as long as {}{}", subject, factor, against_title(page), how);
    if (factor < 1)
        return fmt::format("{}: saves {:.1f} % of the time of {}{}", subject, 100 * (1 - factor),
                           against_title(page), how);
    return fmt::format("{}: {:.1f} % slower than {}{}", subject, 100 * (factor - 1), against_title(page),
                       how);
}

std::string_view PageWriter::verb() const {
    return page_.basis == DiagnosisBasis::Measured ? "measured" : "simulated";
}

std::string PageWriter::write(std::string_view id) {
    add_title(id);
    add_what_happened();
    add_schedules();
    if (blame_.shares.empty()) {
        add("<p>Both schedules mean the same.</p>\n");
    } else if (blame_.is_same_program) {
        add("<p>Both schedules are one program: on this matrix the loops, the storage and the shares of the "
            "threads are the same, so noise alone tells their times apart.</p>\n");
    } else {
        add_disagreement();
        add_decisions();
        add_mechanism();
        add_reasons();
        add_changes();
    }
    add_origin();
    return std::move(text_);
}

void PageWriter::add_heading(std::string_view title, std::string_view style) {
    add("<h{0}{2}>{1}</h{0}>\n", level_ + 1, html_text(title),
        style.empty() ? "" : fmt::format(" class=\"{}\"", style));
}

void PageWriter::add_table(const TextTable& table) {
    const auto style = [&](std::size_t column) {
        return is_numbers(table, column) ? " class=\"number\"" : "";
    };
    add("<div class=\"scroll\"><table>\n<thead><tr>");
    for (std::size_t column = 0; column < table.header.size(); ++column)
        add("<th{}>{}</th>", style(column), html_text(table.header[column]));
    add("</tr></thead>\n");
    for (const auto& row : table.rows) {
        add("<tr>");
        for (std::size_t column = 0; column < row.size(); ++column)
            add("<td{}>{}</td>", style(column), html_text(row[column]));
        add("</tr>\n");
    }
    add("</table></div>\n");
}

void PageWriter::add_title(std::string_view id) {
    add("<h{}{} class=\"page\">{}</h{}>\n<p class=\"lead\">{}", level_,
        id.empty() ? "" : fmt::format(" id=\"{}\"", id), html_text(page_title(page_)), level_,
        name(operator_of(page_)));
    if (dense_index(operator_of(page_)))
        add(", dense extent {}", page_.dense);
    add(", explained by what was {} on {}</p>\n", verb(), html_text(page_.origin.machine));
    for (const std::string& remark : page_.remarks)
        add("<p>{}</p>\n", html_text(remark));
}

void PageWriter::add_what_happened() {
    add_heading("What happened");
    add("<table class=\"layout\" width=\"100%\"><tr>\n");
    add_pattern();
    add("<td width=\"70%\">\n");
    add_signs();
    add_times();
    add_statistics();
    add("</td></tr></table>\n");
}

void PageWriter::add_pattern() {
    const PatternStatistics& statistics = page_.statistics;
    add("<td width=\"30%\">\n");
    const auto longer = static_cast<double>(std::max({statistics.rows, statistics.cols, std::int64_t{1}}));
    const auto pixels = [&](std::int64_t extent) {
        return std::max(1, static_cast<int>(picture_pixels * static_cast<double>(extent) / longer));
    };
    if (!page_.picture.empty())
        add("<img class=\"pattern\" width=\"{}\" height=\"{}\" alt=\"Sparsity pattern of {}\" "
            "src=\"data:image/png;base64,{}\">\n",
            pixels(statistics.cols), pixels(statistics.rows), html_text(page_.matrix), base64(page_.picture));
    add("<p class=\"faint\">{} × {}, {} entries<br>{}</p>\n", format_count(statistics.rows),
        format_count(statistics.cols), format_count(statistics.nnz), title(family_of(statistics)));
    add("</td>\n");
}

void PageWriter::add_times() {
    const int decimals = decimals_of(std::max(*blame_.from.milliseconds, *blame_.to.milliseconds));
    const std::vector<double> costs = rounded_costs(blame_);
    const double difference = std::accumulate(costs.begin(), costs.end(), 0.0);
    add("<table>\n<tr><th>{}</th><th class=\"number\">time</th><th>schedule</th></tr>\n",
        page_.basis == DiagnosisBasis::Measured ? "Measured" : "Simulated");
    add("<tr><td>{}</td>{}<td><code>{}</code></td></tr>\n", html_text(against_title(page_)),
        number_cell(time_text(blame_.from)), html_text(blame_.space->text(blame_.space->from())));
    add("<tr><td><strong>{}</strong></td>{}<td><code>{}</code></td></tr>\n", schedule_title(page_),
        number_cell(time_text(blame_.to)), html_text(blame_.space->text(blame_.space->to())));
    add("<tr><td>difference</td>{}<td>{}</td></tr>\n</table>\n",
        number_cell(signed_text(difference, decimals) + " ms"),
        blame_.is_significant() ? "more than the errors of both"
                                : "within the errors of both: it may be noise");
}

void PageWriter::add_statistics() {
    add("<table>\n");
    for (const Statistic& statistic : sparsight::statistics()) {
        if (std::ranges::find(shown_statistics, statistic.name) == shown_statistics.end())
            continue;
        const double value = statistic.of(page_.statistics);
        add("<tr title=\"{}\"><td>{}</td>{}</tr>\n", html_text(statistic.definition),
            html_text(statistic.title),
            number_cell(statistic.is_integer ? format_count(static_cast<std::int64_t>(value))
                                             : fmt::format("{:.4g}", value)));
    }
    add("</table>\n");
}

void PageWriter::add_signs() {
    if (!page_.failure)
        return;
    add("<table>\n<tr><th>In the evaluation, {}</th><th class=\"number\">chosen, ms</th><th "
        "class=\"number\">against, ms</th><th class=\"number\">behind</th><th></th></tr>\n",
        name(page_.failure->times));
    for (const FailureSign& sign : page_.failure->signs)
        add("<tr><td>{}</td>{}{}{}<td>{}</td></tr>\n", title(sign.kind, sparse_words()),
            number_cell(fmt::format("{:.4g}", sign.chosen.milliseconds)),
            number_cell(fmt::format("{:.4g}", sign.against.milliseconds)),
            number_cell(fmt::format("{:.0f} %", 100 * sign.lost_share())),
            sign.significance == Significance::BeyondNoise ? "beyond the noise" : "noise unknown");
    add("</table>\n");
}

void PageWriter::add_schedules() {
    add_heading("The two schedules");
    const SuperSchedule& from = page_.explanation.from.schedule;
    const SuperSchedule& to = page_.explanation.to.schedule;
    add("<table class=\"nests\">\n<tr><th>{}</th><th>{}</th></tr>\n", html_text(against_title(page_)),
        schedule_title(page_));
    add("<tr><td class=\"words\">{}</td><td class=\"words\">{}</td></tr>\n", html_text(describe(from)),
        html_text(describe(to)));
    const Extents sizes = extents(to.op, page_.statistics.rows, page_.statistics.cols, page_.dense);
    for (const ComparedLine& line : compare_loops(from, to, sizes)) {
        const std::string_view style = line.is_same() ? "" : " class=\"differs\"";
        add("<tr>");
        for (const auto& side : {line.from, line.to})
            add("<td{}><pre>{}</pre></td>", side ? style : " class=\"gap\"", side ? html_text(*side) : "");
        add("</tr>\n");
    }
    add("</table>\n<p class=\"faint\">Loops from the outside in; what differs is marked. Of an index that is "
        "split, "
        "such as i, i1 is the outer and i0 the inner loop.{}</p>\n",
        page_.failure && page_.failure->times == TimeSource::Recorded
            ? " Threads are as many as the schedules ask for, not what ran or is simulated."
            : "");
}

} // namespace sparsight

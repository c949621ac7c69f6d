#include "domains/sparse/explanation/pages/failure_report.h"

#include "domains/sparse/sparse_domain.h"

#include "base/text.h"
#include "domains/sparse/explanation/pages/page_writer.h"
#include "domains/sparse/tensor/density_grid.h"
#include "evaluation/reports/failure_summary.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

constexpr std::int64_t least_picture_pixels = 320; ///< of the longer side

} // namespace

/// At least two pixels a row for small matrices, and never more cells than rows or columns.
Result<std::vector<std::byte>> report_picture(const CsrPattern& pattern, int threads) {
    if (pattern.rows == 0 || pattern.cols == 0)
        return std::vector<std::byte>{};
    const std::int64_t longer = std::max(pattern.rows, pattern.cols);
    const auto side = [&](std::int64_t extent) {
        return std::max<std::int64_t>(1, extent * least_picture_pixels / longer);
    };
    const DensityGrid grid = overview(pattern, std::min(side(pattern.cols), pattern.cols),
                                      std::min(side(pattern.rows), pattern.rows), threads);
    const auto width = static_cast<int>(std::max(side(pattern.cols), grid.width()));
    const auto height = static_cast<int>(std::max(side(pattern.rows), grid.height()));
    return density_png(grid, width, height);
}

std::string failure_html(const FailurePage& page) {
    return html_page(page_title(page), PageWriter(page, 1).write({}));
}

std::string failures_html(const FailureReport& report) {
    FailureSummary summary{.title = report.title,
                           .setting = report.setting,
                           .words = sparse_words(),
                           .compared = report.compared,
                           .cases = report.cases,
                           .groups = report.groups,
                           .family_title = "Patterns",
                           .remarks = report.remarks,
                           .machine = report.origin.machine,
                           .seed = report.origin.seed,
                           .date = report.origin.date,
                           .created_by = report.origin.created_by,
                           .command = report.origin.command};
    summary.anchor = [&](const FailureCase& failure) {
        const auto page = std::ranges::find_if(report.pages, [&](const FailurePage& each) {
            return each.failure && each.failure->workload == failure.workload &&
                   each.failure->model_name == failure.model_name;
        });
        return page == report.pages.end() ? std::string()
                                          : fmt::format("case{}", page - report.pages.begin());
    };
    for (std::size_t page = 0; page < report.pages.size(); ++page)
        summary.sections += PageWriter(report.pages[page], 2).write(fmt::format("case{}", page));
    return failure_summary_html(summary);
}

namespace {

constexpr std::size_t shown_rows = 6;

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string share_text(const BoundedShare& share) {
    return fmt::format("{} ({} to {})", percent(share.value), percent(share.lowest), percent(share.highest));
}

std::string ms_or_dash(const std::optional<double>& milliseconds) {
    return milliseconds ? fmt::format("{:.4g}", *milliseconds) : "–";
}

std::string rule_text(const Anchor& anchor) {
    return anchor.predicates.empty()
               ? "whatever is changed"
               : "as long as " + rule_phrase(anchor, {.configuration = "the chosen schedule",
                                                      .against = "the other schedule",
                                                      .workload = "the matrix"});
}

ReportSection preference(const ModelReasons& reasons) {
    const auto is_right = reasons.is_right();
    if (reasons.margin() == 0)
        return {.title = "What it preferred",
                .paragraphs = {fmt::format("{} scores both schedules {:.4g}: it prefers neither.",
                                           reasons.model, reasons.schedule_score)}};
    return {.title = "What it preferred",
            .paragraphs = {fmt::format("{} scores the chosen schedule {:.4g} and the other schedule {:.4g} "
                                       "(lower is faster): it prefers {}{}.",
                                       reasons.model, reasons.schedule_score, reasons.against_score,
                                       reasons.margin() > 0 ? "the chosen schedule" : "the other schedule",
                                       !is_right   ? ""
                                       : *is_right ? ", and is right"
                                                   : ", and is wrong")}};
}

ReportSection rule(const AnchorReason& anchors) {
    ReportSection section{.title = "The rule behind its preference"};
    const std::optional<Anchor>& shown = anchors.anchor ? anchors.anchor : anchors.nearest;
    if (!anchors.anchor)
        section.paragraphs.push_back(fmt::format(
            "{}o rule of up to {} {} {} precise{}.", anchors.complete ? "N" : "Before the time was over n",
            counted(anchors.longest, "predicate", "predicates"),
            anchors.complete ? "is" : "was found that is", percent(anchors.wanted_precision),
            shown ? "; this is the most precise one" : ""));
    if (shown)
        section.paragraphs.push_back(
            fmt::format("It prefers the same schedule {}. Precision {}, coverage {}; of all variants it "
                        "prefers the same in {}.",
                        rule_text(*shown), share_text(shown->precision), share_text(shown->coverage),
                        share_text(anchors.unconditional)));
    return section;
}

ReportSection certainty(const UncertaintyReason& uncertainty) {
    ReportSection section{.title = "Its confidence"};
    section.paragraphs.push_back(fmt::format(
        "It takes the preferred schedule for the faster one with a confidence of {}. Checked on {} of {}: "
        "confidence and outcome differ by {} on average.",
        percent(uncertainty.confidence), counted(uncertainty.checked_pairs, "known pair", "known pairs"),
        counted(uncertainty.checked_workloads, "matrix", "matrices"),
        percent(uncertainty.calibration_error)));
    TextTable table{{"When it was so sure", "it said", "and was right in", "pairs"}, {}};
    for (const CalibrationBin& bin : uncertainty.bins)
        table.rows.push_back({fmt::format("{} to {}", percent(bin.lowest), percent(bin.highest)),
                              percent(bin.predicted), share_text(bin.observed),
                              fmt::to_string(bin.observed.draws)});
    if (!table.rows.empty())
        section.tables.push_back(std::move(table));
    return section;
}

std::string known_or_simulated(const std::optional<double>& known, const std::optional<double>& simulated) {
    return !known && simulated ? "≈ " + ms_or_dash(simulated) : ms_or_dash(known);
}

ReportSection neighbours(const NearestReason& nearest) {
    ReportSection section{.title = "The nearest training matrices"};
    section.paragraphs.push_back(fmt::format(
        "The nearest of {} that it was trained on{}.", counted(nearest.trained, "matrix", "matrices"),
        nearest.matrix_distances.is_outside()
            ? "; this one is farther off than nearly all of those are from each other"
            : ""));
    TextTable table{{"Matrix", "distance", "choice, ms", "other, ms", "best, ms"}, {}};
    bool has_simulated = false;
    for (const NearestMatrix& matrix : nearest.matrices) {
        if (table.rows.size() == shown_rows)
            break;
        table.rows.push_back({matrix.name, fmt::format("{:.3g}", matrix.distance),
                              known_or_simulated(matrix.schedule_ms, matrix.simulated_schedule_ms),
                              known_or_simulated(matrix.against_ms, matrix.simulated_against_ms),
                              ms_or_dash(matrix.best_ms)});
        has_simulated = has_simulated || matrix.simulated_schedule_ms || matrix.simulated_against_ms;
    }
    if (has_simulated)
        section.paragraphs.push_back(
            fmt::format("≈: simulated on {}, for it was not measured there; –: neither measured, nor small "
                        "enough to be stored.",
                        nearest.simulated_on.empty() ? "this computer" : nearest.simulated_on));
    if (!table.rows.empty())
        section.tables.push_back(std::move(table));
    return section;
}

std::string parting_text(const SensitivityCurve& curve) {
    if (!curve.widest)
        return "nowhere";
    return fmt::format("prefers {} to {}, which gains {:.3g} times as much",
                       curve.points[curve.widest->worse].value, curve.points[curve.widest->better].value,
                       curve.widest->factor);
}

ReportSection partings(const SensitivityReason& sensitivity) {
    ReportSection section{.title = "Where what it expects and the times part"};
    section.paragraphs.emplace_back("One thing is varied at a time; the rest stays as it is.");
    TextTable table{{"What is varied", "wrong side", "Kendall's τ", "they part most where it"}, {}};
    for (const SensitivityCurve& curve : sensitivity.curves) {
        if (table.rows.size() == shown_rows)
            break;
        if (curve.with_times == 0)
            continue;
        table.rows.push_back({curve.title, fmt::format("{} of {}", curve.wrong_sides, curve.with_times),
                              curve.kendall_tau ? fmt::format("{:.2f}", *curve.kendall_tau) : "–",
                              parting_text(curve)});
    }
    if (!table.rows.empty())
        section.tables.push_back(std::move(table));
    return section;
}

/// Cells in their places over the pattern; the more one moves the choice, the stronger.
std::string saliency_figure(const SaliencyReason& saliency, std::span<const std::byte> picture) {
    constexpr double longest_side = 300;
    const double strongest_cell = picture.empty() ? 1 : 0.75; // the pattern stays visible below
    const auto rows = static_cast<double>(std::max<std::int64_t>(saliency.row_edges.back(), 1));
    const auto columns = static_cast<double>(std::max<std::int64_t>(saliency.column_edges.back(), 1));
    const double scale = longest_side / std::max(rows, columns);
    double strongest = 0;
    for (const SaliencyCell& cell : saliency.cells)
        strongest = std::max(strongest, std::abs(cell.support.value_or(0)));
    std::string text =
        fmt::format("<svg viewBox=\"0 0 920 {:.0f}\" class=\"wide\" role=\"img\" aria-label=\"Which "
                    "cells of the pattern move its preference\">\n",
                    rows * scale + 2);
    if (!picture.empty()) // the older name of href: Qt knows no other, browsers know both
        fmt::format_to(std::back_inserter(text),
                       "<image x=\"0\" y=\"0\" width=\"{0:.1f}\" height=\"{1:.1f}\" "
                       "preserveAspectRatio=\"none\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                       "xlink:href=\"data:image/png;base64,{2}\"/>\n",
                       columns * scale, rows * scale, base64(picture));
    fmt::format_to(std::back_inserter(text),
                   "<rect class=\"frame\" x=\"0.5\" y=\"0.5\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                   columns * scale, rows * scale);
    for (const SaliencyCell& cell : saliency.cells) {
        if (!cell.support || strongest == 0)
            continue;
        const auto row = static_cast<std::size_t>(cell.row);
        const auto column = static_cast<std::size_t>(cell.column);
        const auto edge = [&](const std::vector<std::int64_t>& edges, std::size_t at) {
            return static_cast<double>(edges[at]) * scale;
        };
        const double top = edge(saliency.row_edges, row);
        const double left = edge(saliency.column_edges, column);
        fmt::format_to(
            std::back_inserter(text),
            "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
            "opacity=\"{:.2f}\"/>\n",
            *cell.support > 0 ? "lose" : "win", left, top, edge(saliency.column_edges, column + 1) - left,
            edge(saliency.row_edges, row + 1) - top, strongest_cell * std::abs(*cell.support) / strongest);
    }
    return text + "</svg>\n";
}

ReportSection saliency_section(const SaliencyReason& saliency, std::span<const std::byte> picture) {
    ReportSection section{.title = "Where in the pattern it looks"};
    if (saliency.row_edges.size() < 2 || saliency.column_edges.size() < 2)
        return section;
    section.paragraphs.emplace_back(
        "Each cell is emptied in turn: orange ones speak for the chosen schedule, blue ones for the "
        "other schedule, the stronger the more.");
    section.figures.push_back(saliency_figure(saliency, picture));
    return section;
}

} // namespace

std::vector<ReportSection> reason_sections(const ModelReasons& reasons, std::span<const std::byte> picture) {
    std::vector<ReportSection> sections{preference(reasons)};
    if (reasons.anchors)
        sections.push_back(rule(*reasons.anchors));
    if (reasons.sensitivity)
        sections.push_back(partings(*reasons.sensitivity));
    if (reasons.nearest)
        sections.push_back(neighbours(*reasons.nearest));
    if (reasons.uncertainty)
        sections.push_back(certainty(*reasons.uncertainty));
    if (reasons.saliency)
        sections.push_back(saliency_section(*reasons.saliency, picture));
    if (!reasons.missing.empty()) {
        ReportSection missing{.title = "What could not be said"};
        for (const MissingReason& part : reasons.missing)
            missing.paragraphs.push_back(fmt::format("{}: {}.", name(part.part), part.why));
        sections.push_back(std::move(missing));
    }
    return sections;
}

} // namespace sparsight

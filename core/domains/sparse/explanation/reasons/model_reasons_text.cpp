#include "domains/sparse/explanation/reasons/model_reasons_json.h"

#include "base/terminal_text.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

constexpr std::size_t told_curves = 8;
constexpr std::size_t told_cells = 5;

std::string milliseconds_text(const std::optional<double>& milliseconds) {
    return milliseconds ? fmt::format("{:.4g} ms", *milliseconds) : "-";
}

std::string_view side_of(double margin) {
    return margin > 0 ? "the schedule" : margin < 0 ? "the other one" : "neither";
}

std::string capital(std::string_view text) {
    std::string changed(text);
    if (!changed.empty())
        changed.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(changed.front())));
    return changed;
}

std::string choice_lines(const ModelReasons& reasons) {
    std::string text =
        fmt::format("{} on {}{}: the model prefers {}\n", reasons.model, reasons.matrix,
                    reasons.machine.empty() ? "" : ", " + reasons.machine, side_of(reasons.margin()));
    Table table(
        {{""}, {"score", Align::Right}, {std::string(name(reasons.times.origin)), Align::Right}, {"line"}});
    table.add_row({"schedule", fmt::format("{:.4f}", reasons.schedule_score),
                   milliseconds_text(reasons.times.schedule_ms), reasons.schedule});
    table.add_row({"the other one", fmt::format("{:.4f}", reasons.against_score),
                   milliseconds_text(reasons.times.against_ms), reasons.against});
    text += table.text();
    if (const auto right = reasons.is_right())
        text += fmt::format("{} is the {} of the two.\n", capital(side_of(reasons.margin())),
                            *right ? "faster" : "slower");
    return text;
}

std::string rule_lines(const SparseAnchorReason& reason, double margin) {
    return fmt::format("{}  The model scored {} variants{}; {} {}{}.\n",
                       anchor_lines(reason, side_of(margin), sparse_subject_words()), reason.calls,
                       reason.complete ? "" : ", and then the budget was over", reason.patterns,
                       reason.pattern_draws == PatternDraws::Statistics ? "matrices gave statistics"
                                                                        : "matrices were looked at",
                       reason.machines > 0 ? fmt::format(", {} machines", reason.machines) : "");
}

std::string point_text(const SensitivityCurve& curve, std::size_t place) {
    const SensitivityPoint& point = curve.points[place];
    return curve.unit.empty() ? point.value : point.value + " " + curve.unit;
}

std::string sensitivity_lines(const SensitivityReason& reason) {
    Table table({{"varied"},
                 {"swing", Align::Right},
                 {"tau", Align::Right},
                 {"wrong side", Align::Right},
                 {"prefers wrongly"}});
    for (std::size_t place = 0; place < std::min(told_curves, reason.curves.size()); ++place) {
        const SensitivityCurve& curve = reason.curves[place];
        const std::string parted =
            curve.widest ? fmt::format("{} to {}, which is {:.2f} times better",
                                       point_text(curve, curve.widest->worse),
                                       point_text(curve, curve.widest->better), curve.widest->factor)
                         : "-";
        table.add_row(
            {curve.is_read ? curve.title : curve.title + " (not read)", fmt::format("{:.3f}", curve.swing),
             curve.kendall_tau ? fmt::format("{:.2f}", *curve.kendall_tau) : "-",
             curve.with_times > 0 ? fmt::format("{} of {}", curve.wrong_sides, curve.with_times) : "-",
             parted});
    }
    return fmt::format("\nOne thing varied at a time: where score and time part most\n{}{}{}", table.text(),
                       reason.curves.size() > told_curves
                           ? fmt::format("{} more with --json\n", reason.curves.size() - told_curves)
                           : "",
                       reason.complete ? "" : "The budget was over before all curves were followed.\n");
}

std::string distance_line(std::string_view what, const Distances& distances) {
    const auto number = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.3g}", *value) : "-";
    };
    return fmt::format("  {}: {} to the nearest; from one to the next it is {} (95 %: {}){}\n", what,
                       number(distances.nearest), number(distances.typical), number(distances.far),
                       distances.is_outside() ? ": outside of what is known" : "");
}

std::string schedule_table(const std::vector<NearestSchedule>& nearest) {
    Table table(
        {{"distance", Align::Right}, {"matrices", Align::Right}, {"speedup", Align::Right}, {"schedule"}});
    for (const NearestSchedule& each : nearest)
        table.add_row({fmt::format("{:.3g}", each.distance), fmt::to_string(each.matrices),
                       each.median_speedup ? fmt::format("{:.2f}×", *each.median_speedup) : "-",
                       each.schedule});
    return table.text();
}

std::string known_or_simulated(const std::optional<double>& known, const std::optional<double>& simulated) {
    return !known && simulated ? "≈ " + milliseconds_text(simulated) : milliseconds_text(known);
}

std::string nearest_lines(const NearestReason& reason) {
    std::string text =
        fmt::format("\nNearest of {} that it learned from, by {}{}\n",
                    counted(static_cast<std::size_t>(reason.trained), "matrix", "matrices"),
                    name(reason.space), reason.machine.empty() ? "" : "; times on " + reason.machine);
    if (reason.is_trained)
        text += "  This matrix is one of them.\n";
    text += distance_line("matrix", reason.matrix_distances);
    Table table({{"matrix"},
                 {"distance", Align::Right},
                 {"margin", Align::Right},
                 {"schedule", Align::Right},
                 {"the other one", Align::Right},
                 {"best", Align::Right}});
    for (const NearestMatrix& each : reason.matrices)
        table.add_row({each.name, fmt::format("{:.3g}", each.distance), fmt::format("{:.3f}", each.margin),
                       known_or_simulated(each.schedule_ms, each.simulated_schedule_ms),
                       known_or_simulated(each.against_ms, each.simulated_against_ms),
                       milliseconds_text(each.best_ms)});
    text += table.text();
    if (std::ranges::any_of(reason.matrices, [](const NearestMatrix& each) {
            return each.simulated_schedule_ms || each.simulated_against_ms;
        }))
        text += fmt::format("  ≈: simulated on {}, for it was not measured there\n",
                            reason.simulated_on.empty() ? "this computer" : reason.simulated_on);
    if (reason.schedules == 0)
        return text;
    text += distance_line("schedule", reason.schedule_distances) + schedule_table(reason.schedule);
    text += distance_line("the other one", reason.against_distances) + schedule_table(reason.against);
    return text;
}

std::string uncertainty_lines(const UncertaintyReason& reason) {
    std::string text = fmt::format(
        "\nHow sure it may be: {:.0f} %, by {} of {} on {}\n  margin {:.3f}{}, calibration error {:.3f}\n",
        100 * reason.confidence, counted(static_cast<std::size_t>(reason.checked_pairs), "pair", "pairs"),
        counted(static_cast<std::size_t>(reason.checked_workloads), "matrix", "matrices"), reason.machine,
        reason.margin, reason.deviation > 0 ? fmt::format(" ± {:.3f}", reason.deviation) : "",
        reason.calibration_error);
    if (!reason.held_out)
        text += "  It learned from these matrices: on others it is less often right.\n";
    Table table({{"sure of", Align::Right}, {"right", Align::Right}, {"pairs", Align::Right}});
    for (const CalibrationBin& bin : reason.bins)
        table.add_row({fmt::format("{:.0f} %", 100 * bin.predicted), bounds_text(bin.observed),
                       fmt::to_string(bin.observed.draws)});
    return text + table.text();
}

std::string saliency_lines(const SaliencyReason& reason) {
    std::vector<SaliencyCell> cells;
    for (const SaliencyCell& cell : reason.cells)
        if (cell.support)
            cells.push_back(cell);
    std::ranges::stable_sort(cells, std::greater{},
                             [](const SaliencyCell& cell) { return std::abs(*cell.support); });
    Table table({{"rows"}, {"columns"}, {"entries", Align::Right}, {"margin", Align::Right}, {"for"}});
    for (std::size_t place = 0; place < std::min(told_cells, cells.size()); ++place) {
        const SaliencyCell& cell = cells[place];
        const auto row = static_cast<std::size_t>(cell.row);
        const auto column = static_cast<std::size_t>(cell.column);
        table.add_row(
            {fmt::format("{} to {}", reason.row_edges[row], reason.row_edges[row + 1] - 1),
             fmt::format("{} to {}", reason.column_edges[column], reason.column_edges[column + 1] - 1),
             fmt::to_string(cell.entries), fmt::format("{:+.4f}", *cell.support),
             std::string(side_of(*cell.support))});
    }
    return fmt::format("\nParts of the pattern that move the margin of {:.4f} most, of {}\n{}{}",
                       reason.margin, counted(reason.cells.size(), "cell", "cells"), table.text(),
                       reason.complete ? "" : "The budget was over before all cells were looked at.\n");
}

} // namespace

std::string model_reasons_text(const ModelReasons& reasons) {
    std::string text = choice_lines(reasons);
    if (reasons.anchors)
        text += rule_lines(*reasons.anchors, reasons.margin());
    if (reasons.sensitivity)
        text += sensitivity_lines(*reasons.sensitivity);
    if (reasons.nearest)
        text += nearest_lines(*reasons.nearest);
    if (reasons.uncertainty)
        text += uncertainty_lines(*reasons.uncertainty);
    if (reasons.saliency)
        text += saliency_lines(*reasons.saliency);
    for (const MissingReason& missing : reasons.missing)
        text += fmt::format("\nNo {}: {}.\n", name(missing.part), missing.why);
    return text;
}

} // namespace sparsight

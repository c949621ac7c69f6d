#include "base/memory.h"
#include "base/parallel.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "domains/sparse/explanation/reasons/model_reasons_json.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/workflow/learning/reasons/reasons_search.h"
#include "learn/sparse/sparse_commands.h"
#include "model/tensors/torch_runtime.h"
#include "store/models.h"
#include "workflow/learning/models/model_storage.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t told_curves = 8;
constexpr std::size_t told_cells = 5;

std::string milliseconds_text(const std::optional<double>& milliseconds) {
    return milliseconds ? fmt::format("{:.4g} ms", *milliseconds) : "-";
}

std::string share_text(const BoundedShare& share) {
    return fmt::format("{:.1f} % ({:.1f} to {:.1f} %)", 100 * share.value, 100 * share.lowest,
                       100 * share.highest);
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

std::string rule_lines(const Anchor& rule) {
    std::string text;
    for (const ReasonPredicate& predicate : rule.predicates)
        text += "  " + to_text(predicate) + "\n";
    text +=
        fmt::format("  precision {}, of {}\n", share_text(rule.precision),
                    counted(static_cast<std::size_t>(rule.precision.draws), "changed case", "changed cases"));
    text += fmt::format("  coverage  {}\n", share_text(rule.coverage));
    return text;
}

std::string anchor_lines(const AnchorReason& reason, double margin) {
    std::string text = "\nRule\n";
    if (reason.anchor && reason.anchor->predicates.empty()) {
        text += fmt::format("  It prefers {} whatever is changed.\n", side_of(margin)) +
                rule_lines(*reason.anchor);
    } else if (reason.anchor) {
        text += fmt::format("  It prefers {} whenever\n", side_of(margin)) + rule_lines(*reason.anchor);
    } else {
        text += fmt::format("  No rule of up to {} predicates holds in {:.0f} % of all changed cases.\n",
                            reason.longest, 100 * reason.wanted_precision);
        if (reason.nearest)
            text += "  The surest that was found:\n" + rule_lines(*reason.nearest);
    }
    text += fmt::format("  Whatever is changed, the choice is the same in {}.\n",
                        share_text(reason.unconditional));
    text += fmt::format("  {} cases asked{}; {} {}{}.\n", reason.calls,
                        reason.complete ? "" : ", and then the budget was over", reason.patterns,
                        reason.pattern_draws == PatternDraws::Statistics ? "matrices gave statistics"
                                                                         : "matrices were looked at",
                        reason.machines > 0 ? fmt::format(", {} machines", reason.machines) : "");
    return text;
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
                       each.median_speedup ? fmt::format("{:.2f}x", *each.median_speedup) : "-",
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
        table.add_row({fmt::format("{:.0f} %", 100 * bin.predicted), share_text(bin.observed),
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

std::string reasons_text(const ModelReasons& reasons) {
    std::string text = choice_lines(reasons);
    if (reasons.anchors)
        text += anchor_lines(*reasons.anchors, reasons.margin());
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

constexpr CommandHelp reasons_help{.description = R"(
Says why a model prefers one schedule to another one on a matrix. A schedule is csr
(fixed CSR), best (the fastest that was measured on --machine), or a line in WACO's
form.

Parts, all of them unless --only names some:
  anchors      the most general rule under which it keeps to its choice: as long as
               its predicates hold, over 95 % of all changed cases end alike. Changed
               are decisions of both schedules, the pattern and, where the model reads
               it, the machine. precision and coverage have bounds that hold at 95 %
  sensitivity  one thing varied at a time: each decision, the pattern, parts of the
               machine and, of models that read statistics, each statistic; beside it
               measured or simulated times, and where both part
  nearest      what it learned from that is most alike, with runtimes, and whether
               the matrix is farther off than those are from each other
  uncertainty  how sure it may be of its choice, and how often it was right when it
               was as sure as that, by known times
  saliency     which cells of the pattern move its choice: each is taken away in turn

margin is the score of the other schedule less that of the schedule: above 0 where
the model prefers the schedule. Every part has its share of --budget and says where
that was too short; otherwise the same --seed gives the same answer.)",
                                   .examples = R"(
sparsight-cli reasons --model first --matrix cage8 --schedule best
sparsight-cli reasons --model first --matrix cage8 --schedule '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 64 4096' --only anchors
sparsight-cli reasons --model first --matrix cage8 --schedule best --against csr --json)",
                                   .json = R"(
{"model", "architecture", "operator", "dense", "matrix", "machine", "seed",
 "reads_machine", "schedule", "against", "schedule_score", "against_score",
 "times": TIMES, "margin", "right",
 "anchors": {"anchor": RULE, "nearest": RULE, "unconditional": SHARE,
   "wanted_precision", "confidence", "longest", "candidates", "calls",
   "pattern_draws", "patterns", "machines", "complete"},
 "sensitivity": {"curves": [{"kind", "key", "title", "unit", "read", "points":
   [{"value", "number", "present", "margin", "times": TIMES, "schedule"}],
   "kendall_tau", "widest": {"better", "worse", "factor"}, "with_times",
   "wrong_sides", "swing"}], "complete"},
 "nearest": {"space", "trained", "missing", "is_trained", "matrix_distances":
   DISTANCES, "matrices": [{"matrix", "distance", "margin", "schedule_ms",
   "against_ms", "simulated_schedule_ms", "simulated_against_ms", "best_ms",
   "best_schedule"}], "schedules", "schedule_distances", "against_distances",
   "schedule": [{"schedule", "distance", "matrices",
   "median_speedup"}], "against": the same, "machine", "simulated_on"},
 "uncertainty": {"method", "margin", "deviation", "confidence", "scale",
   "fitted_pairs", "fitted_matrices", "held_out", "checked_pairs",
   "checked_matrices", "calibration_error", "bins": [{"lowest", "highest",
   "predicted", "observed": SHARE}], "machine"},
 "saliency": {"row_edges", "column_edges", "margin", "removed_share", "cells":
   [{"row", "column", "entries", "support"}], "complete"},
 "missing": [{"part", "why"}]}
TIMES: {"schedule_ms", "against_ms", "origin": measured or simulated, "log2_gain"}
SHARE: {"value", "lowest", "highest", "draws"}
RULE: {"predicates": [{"subject", "key", "title", "relation", "value", "number",
 "unit", "text"}], "precision": SHARE, "coverage": SHARE}
DISTANCES: {"nearest", "typical", "far", "outside"}
better and worse are places in points; what was not asked for or is not known is
null. without a rule that is precise enough, anchor is null, and nearest the surest.)",
                                   .events = R"({"event": "start", "job", "model", "matrix"})"};

struct ReasonsCommand {
    ReasonsRequest request;
    ProgressForm progress = ProgressForm::Display;
};

Result<ReasonPart> read_part(std::string_view text) {
    if (const auto part = parse_reason_part(text))
        return *part;
    return fail(Fault::Input, fmt::format("'{}' is no part: expected anchors, sensitivity, nearest, "
                                          "uncertainty or saliency",
                                          text));
}

ExitCode tell_reasons(Session& session, const LearningDomains& domains, ReasonsCommand options) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "reasons", options.progress);
    ReasonsRequest& request = options.request;
    request.seed = session.options.seed;
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto runtime = prepare_torch(request.threads);
    if (!runtime)
        return observer.refuse(runtime.error());
    if (!runtime->warning.empty())
        session.remark(runtime->warning);
    observer.start({{"model", request.model}, {"matrix", request.matrix}});
    const auto reasons =
        find_model_reasons(*workspace, domains, request, interruption.token(), observer.sink());
    observer.clear();
    if (!reasons)
        return observer.refuse(reasons.error());
    const std::array setting{SettingMember{.key = "dense", .title = {}, .value = reasons->dense}};
    if (const auto model = model_record(*workspace, request.model))
        if (const auto elsewhere = blend_scope_remark(*model, reasons->machine, setting))
            session.remark(*elsewhere);
    observer.answer(model_reasons_json(*reasons), reasons_text(*reasons));
    return ExitCode::Done;
}

} // namespace

void add_reasons_command(CLI::App& app, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(app, std::string(reasons_summary.name),
                                    std::string(reasons_summary.summary), reasons_help);
    const auto options = std::make_shared<ReasonsCommand>();
    ReasonsRequest& request = options->request;
    request.threads = available_threads();
    command.add_option("--model", request.model, "whose reasons")->type_name("MODEL")->required();
    command.add_option("--matrix", request.matrix, "a matrix of the workspace")
        ->type_name("NAME")
        ->required();
    command.add_option("--schedule", request.schedule, "csr, best, or a line, quoted")
        ->type_name("SCHEDULE")
        ->required();
    command.add_option("--against", request.against, "what it is held against, likewise (default csr)")
        ->type_name("SCHEDULE");
    command.add_option("--dense", request.dense, "columns of the dense matrix (default 256, as in WACO)")
        ->type_name("N")
        ->check(whole_numbers(1, max_extent));
    command
        .add_option("--machine", request.machine,
                    "on this machine: name, fingerprint or preset\n(default: this computer)")
        ->type_name("NAME");
    command
        .add_option_function<std::vector<std::string>>(
            "--only",
            [&request](const std::vector<std::string>& words) {
                for (const std::string& word : words) {
                    const auto part = read_part(word);
                    if (!part)
                        throw CLI::ValidationError("--only", part.error().message);
                    request.parts.push_back(*part);
                }
            },
            "this part alone; may be given several times")
        ->type_name("PART")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--cells", request.cells, "of the pattern in each direction (default 16)")
        ->type_name("N")
        ->check(whole_numbers(1, 64));
    add_parsed_option(command, "--budget", request.budget, &parse_duration,
                      "look for reasons for so long (default 60s)")
        ->type_name("TIME");
    add_threads_option(command, request.threads, "threads that compute (default: all)");
    add_progress_option(command, options->progress);
    set_action(command, session,
               [&session, &domains, options] { return tell_reasons(session, domains, *options); });
}

} // namespace sparsight

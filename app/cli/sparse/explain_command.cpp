#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/workflow/explanation/explain_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp explain_help{.description = R"(
Explains why a schedule takes longer than another one on a matrix: how much each
differing decision costs, by what mechanism, and which change would make it win.

A schedule is csr (fixed CSR), best (the fastest of `results --best`), or a line in
WACO's form. The schedules between both take each decision from one of them. All of
them are simulated (--simulated, the default, fast and for any machine) or measured
(--measured, on this computer, by the adaptive protocol). Shapley values divide the
difference, so the steps add up to it. They are exact for up to 8 decisions.
Otherwise, or when --budget is used up, they are estimated from random orders, and the
output has their error. Schedules that can't be built are left out and counted.

When each schedule was measured once, the rest of --budget repeats the uncertain ones in
turns, until every error is below a twentieth of the difference or a fifth of its
decision. ± is two standard errors of a median. A smaller change counts as a win only
if it wins twice beyond the noise, in turns with the other side. A change that is as
fast within the error removes the loss, and is reported, too.

Costs divide the difference of the times, and factors that of their logarithms. If
both have different signs, a decision helps some schedules and harms others. Its
factor is marked ~, and it counts as noise. The output says if stored times contradict the
new ones, or if other programs used the processors, even with --quiet.

Measured times of a matrix of the workspace are stored one by one, as in `collect`.
Stored times are used unless they are important and too uncertain; --again uses none
of them.)",
                                   .examples = R"(
sparsight-cli explain --matrix cage8.mtx --machine epyc-7543 --schedule '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 64 4096'
sparsight-cli explain --matrix cage8 --schedule csr --against best --measured
sparsight-cli explain --matrix cage8 --schedule best --against csr --operator spmv --json)",
                                   .json = R"(
{"matrix", "operator", "dense", "evaluator", "machine", "threads", "seed",
 "against": {"schedule", "ms", "spread_ms", "turns", "at_least", "simulated_ms",
             "parts": {TERM: MS}, "storage_bytes", "positions", "fill_in",
             "regions", "chunks", "counted": {"cycles",
             "instructions", "cache_misses"}}, "schedule": the same, "difference_ms",
 "same_program", "significant", "exact", "draws", "walked_orders", "hybrids":
 {"all", "asked", "schedules", "programs", "repaired", "without_time", "at_least",
 "repeated"}, "waterfall": [{"decision", "before", "after", "ms", "begin_ms",
   "end_ms", "factor", "noise_ms", "sampling_error_ms", "uncertainty_ms",
   "significant", "sign_decided", "same_program", "bounded", "parts", "alone": {"schedule", "ms"}}],
 "counterfactual": {"schedule": {"schedule", "decisions", "ms", "spread_ms",
   "against_ms", "wins", "other_side", "turns", "ratio", "ratio_error", "verified",
   "cut_short", "nearest": {"schedule", "decisions", "ratio", "ratio_error"},
   "removes_loss": {"schedule", "decisions", "same_program", "ratio", "ratio_error"}},
   "simulation_agrees", "disagreement": {"measured_factor", "simulated_factor",
   "apart"}, "machine": [{"parameter", "unit", "before", "after", "factor",
   "against_ms", "schedule_ms"}], "pattern": [{"edit", "strength", "description",
   "entries", "against_ms", "schedule_ms", "turns", "ratio", "ratio_error",
   "wins"}], "pattern_tried": the same, of those that do
   not make it win}, "no_counters", "measured", "reused",
 "repeated", "stored", "known_factor", "moved": {"schedule": {"stored_ms",
 "measured_ms"}, "against": the same}, "busy_share", "warnings": [TEXT], "command"}
ms of the waterfall add up to difference_ms, the factors multiply to the ratio of
both times. alone: the other side with this one decision changed. bounded: times
that were cut off are behind it. same_program: loops, storage and shares of threads
stay the same, so it costs exactly nothing. known_factor: the ratio of both times as
they were measured on that machine before. wins: beyond noise, by turns where it was
measured; ratio: of both times in those turns. removes_loss: the least change that
is as fast as the other side within the error. moved: stored times that contradict
those of now; busy_share: what others took of the processors. Absent: null.)",
                                   .events = R"(
{"event": "start", "job", "matrix", "operator", "dense", "measured"})"};

struct ExplainOptions {
    ExplainRequest request;
    ProgressForm progress = ProgressForm::Display;
};

Json start_json(const ExplainRequest& request) {
    return {{"matrix", request.matrix},
            {"operator", name(request.op)},
            {"dense", dense_index(request.op) ? Json(request.dense) : Json()},
            {"measured", request.measured}};
}

ExitCode answer(Session& session, ExplainOptions options) {
    options.request.seed = session.options.seed;
    const Interruption interruption;
    JobObserver observer(session, "explain", options.progress);
    observer.start(start_json(options.request));
    const WorkspaceLocation location = session.workspace_location();
    const auto answered = answer_explain(location, options.request, observer, interruption.token());
    if (!answered)
        return observer.refuse(answered.error());
    observer.clear();
    for (const std::string& remark : answered->remarks)
        session.remark(remark);
    observer.answer(explain_json(location, options.request, *answered),
                    explain_text(location, options.request, *answered));
    return ExitCode::Done;
}

} // namespace

void add_explain_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "explain", "Say which decision made a schedule slow, and why", explain_help);
    const auto options = std::make_shared<ExplainOptions>();
    ExplainRequest& request = options->request;
    request.budget = Seconds(15);
    const auto [schedule, measured] =
        add_subject_options(command, request,
                            {.schedule = "schedule to explain: csr, best, or a line in quotes",
                             .measured = "measure on this computer",
                             .threads = "threads that measured kernels run on\n(default: all)"});
    schedule->required();
    command.add_option("--against", request.against, "what to compare it with, likewise (default csr)")
        ->type_name("SCHEDULE");
    command.add_flag("--again", request.again, "measure stored times again, and replace them")
        ->needs(measured);
    add_parsed_option(command, "--budget", request.budget, &parse_duration,
                      "measure for this time (default 15s)")
        ->type_name("TIME")
        ->needs(measured);
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return answer(session, *options); });
}

} // namespace sparsight

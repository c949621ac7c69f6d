#include "base/memory.h"
#include "base/parallel.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/workflow/learning/reasons/reasons_search.h"
#include "evaluation/model_reasons/model_reasons_json.h"
#include "learn/sparse/reasons_text.h"
#include "learn/sparse/sparse_commands.h"
#include "model/tensors/torch_runtime.h"
#include "store/blend_scope.h"
#include "workflow/learning/training/model_storage.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

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
that was too short; otherwise the same --seed gives the same answer.

Progress goes to stderr; `--progress json` prints one JSON object a line on stdout:
  {"event": "start", "job", "model", "matrix"}
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "end", and what --json prints, "seconds", "complete", "stopped"}
  {"event": "error", "file", "line", "error", "stopped"})",
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
null. without a rule that is precise enough, anchor is null, and nearest the surest.)"};

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
    if (const TorchRuntime runtime = prepare_torch(request.threads); !runtime.warning.empty())
        session.remark(runtime.warning);
    observer.start({{"model", request.model}, {"matrix", request.matrix}});
    const auto reasons =
        find_model_reasons(*workspace, domains, request, interruption.token(), observer.sink());
    observer.clear();
    if (!reasons)
        return observer.refuse(reasons.error(), reasons.error().fault == Fault::Cancelled
                                                    ? ExitCode::Interrupted
                                                    : ExitCode::SomeFailed);
    if (const auto model = model_record(*workspace, request.model))
        if (const auto elsewhere = blend_scope_remark(*model, reasons->machine, reasons->dense))
            session.remark(*elsewhere);
    if (observer.tells_events())
        observer.end(model_reasons_json(*reasons), true, false);
    else if (session.options.json)
        session.print_json(model_reasons_json(*reasons));
    else
        session.print(reasons_text(*reasons));
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
    add_dense_option(command, request.dense);
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

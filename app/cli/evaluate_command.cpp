#include "base/files.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands.h"
#include "collection/measuring_domain.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "evaluation/reports/evaluation_report.h"
#include "workflow/evaluation/evaluation_job.h"
#include "workflow/machines/collection_job.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {

namespace {

constexpr CommandHelp evaluate_help{.description = R"(
Says how good models are. Each model chooses its k best configurations for every
workload. These are measured on this computer, or looked up among the recorded times
of another machine (--machine). A simulated machine simulates and stores the times
that it lacks. The fastest of them is compared with the best known configuration, and
with the baseline, if the domain has one. All models are compared on the same
workloads.

This computer then measures the fastest of every model, the fastest known ones and the
baseline again, in five to fifteen turns, until the 95 % interval of a speedup is
within 6 % of it. ± is half of that interval, and ~ marks a speedup within noise. Times
in turns are compared, because the computer may change between other times, and the
fastest of many noisy times is too fast by luck. Each time is divided by the baseline
in the same turn. The fastest gets its time from turns that did not choose it. A
configuration that can't be measured in all turns is listed with the reason, and not
compared. Stored turns of a recorded machine are looked up, too. `failures` and the
window show a finished evaluation with turns before a newer one of the same without.

The summary has the mean relative speedup (time of the baseline over time of the
model's best, less 1), the geometric mean, the median, the share of workloads with a
faster baseline, and the worst speedup. The 95 % intervals are over families of
workloads (forms of one are a family). They come from a paired bootstrap of families
and turns with Student's t; shares have Wilson's intervals. One or two families
have none. Workloads that dominate the mean are named. The default is all workloads
that were not used to train or validate any of the models or their ancestors.

The configurations of sparse matrices are schedules, and the baseline is fixed CSR.
A simulated machine without times of a matrix simulates 100 random schedules as well,
as in simulate-runtimes: the best known is one of these or of the choices. Transposed
and resized forms of training matrices are left out, too. A matrix that can't be read
is left out, with the reason (exit code 1).

Tuning records can't be measured here: --machine has their times. It is a name, or a
name with the condition of the runs: 'A100 (run=2021)'. A model chooses among the
configurations with a time there by default. If every configuration was recorded, the
regret is exact. Tuning records have no baseline, and so no speedups.

Every result is stored at once, and nothing is measured twice. The same command
resumes a stopped evaluation, and prints a finished one, whatever the order of its names.
--again chooses and measures again. A new evaluation says in what the stored one of the
same models on the same machine differs.)",
                                    .examples = R"(
sparsight-cli evaluate --models first
sparsight-cli evaluate --models first,tuned --matrices cage8,bcsstk17 --k 20 --budget 10m
sparsight-cli evaluate --models first --report first.html --csv first.csv
sparsight-cli evaluate --models first --machine 'Xeon E5-2680 v3' --markdown first.md
sparsight-cli evaluate --models first --machine sampled-7-0000
sparsight-cli evaluate --domain records --models tuned --machine A100)",
                                    .json = R"(
{"machine", "source", "operator", "dense", "protocol", "k", "confidence",
 "models": [{"model", "mean_relative_speedup": {"value", "low", "high"}, …,
   "families",
   "matrices": [{"matrix", "fixed_csr_ms", "best_ms", "speedup", "speedup_error",
                 "speedup_margin", "best_known_ms", "regret", "regret_error",
                 "turns", "kendall_tau",
                 "candidates": [{"rank", "schedule", "score", …}], …}]}],
 "comparisons": [{"model", "reference", …}], "left_out": [{"matrix", "reason"}],
 "missed_turns": [{"matrix", "schedule", "error"}], "remarks": [SENTENCE], "complete",
 "failures": [{"matrix", "schedule", "error"}]}
Keys have the domain's words for "matrix", "schedule" and "fixed_csr".
source: measured, recorded or simulated. regret is how much slower the model's best
is than the best known; by noise it may lie below 0. exact_regret, of all and of each
workload: whether each configuration of its space was tried; absent where the space
does not list its configurations. turns: in so many these times were taken, 0 where
they come from before. speedup_error and regret_error: standard errors over the
turns, each turn's time over the baseline's, or over the best known's, in the same
turn. speedup_margin: half of the 95 % interval, with Student's factor for few turns;
"uncertain" where it is above 6 % of the speedup. kendall_tau: of the scores with the
times as they were collected, since turns measure only the fastest again.
best_raw_ms: the fastest's own time over all turns, too short by the luck of
the chosen. missed_turns: what could not be measured in them. best_ms is a lower bound
if all that the model chose was abandoned.)",
                                    .events = R"(
{"event": "start", "job", "models", "matrices", "k", "machine", "measured",
 "operator", "dense", "protocol"}
{"event": "choice", "model", "matrix", "candidates"}   how many were chosen
{"event": "matrix"}, {"event": "step"}                 as `collect` prints them
{"event": "result", "model", "matrix", "fixed_csr_ms", "best_ms", "speedup",
 "best_known_ms"}                                      again when it has changed
{"event": "end", "models": [figures], "left_out", "remarks", "measured", "failed",
 "failures", "complete", "stopped"}                    measured: without the turns)"};

struct EvaluateOptions {
    EvaluationRequest request;
    NamedWorkloads workloads;
    std::string csv;
    std::string markdown;
    std::string report;
    ProgressForm progress = ProgressForm::Display;
};

Json answer_json(const EvaluationOutcome& outcome) {
    Json json = evaluation_json(outcome.evaluation);
    for (const std::string& remark : outcome.remarks)
        json["remarks"].push_back(remark);
    json["complete"] = outcome.complete;
    json["failures"] = summary_json(outcome.measured, outcome.evaluation.words)["failures"];
    return json;
}

void tell(const Session& session, JobObserver& observer, const EvaluationOutcome& outcome, bool interrupted) {
    if (observer.tells_events()) {
        Json models = Json::array();
        for (const EvaluatedModel& model : outcome.evaluation.models)
            models.push_back(summary_json(model, outcome.evaluation.words));
        const Json whole = answer_json(outcome);
        observer.end({{"models", models},
                      {"left_out", whole["left_out"]},
                      {"remarks", whole["remarks"]},
                      {"measured", outcome.measured.measured},
                      {"failed", outcome.measured.failed},
                      {"failures", whole["failures"]}},
                     outcome.complete, interrupted && !outcome.complete);
    } else if (session.options.json) {
        session.print_json(answer_json(outcome));
    } else {
        session.print(evaluation_text(outcome.evaluation));
    }
}

/// The reader closes first: what closes last moves what was written into the file, which a reader can't.
Result<void> open_to_write(const Job& job) {
    {
        const Workspace reader = std::move(job.workspace);
    }
    auto workspace = open_workspace(job.session, WorkspaceUse::Write);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    job.workspace = *std::move(workspace);
    return {};
}

/// From what is stored, if nothing is missing: then the workspace is only read.
Result<EvaluationOutcome> evaluated(const Job& job, const MeasuringDomains& measuring,
                                    const EvaluationRequest& request) {
    auto stored =
        find_stored_evaluation(job.workspace, job.session.domains, measuring, request, job.observer);
    if (!stored)
        return std::unexpected(std::move(stored).error());
    if (*stored)
        return **std::move(stored);
    if (auto opened = open_to_write(job); !opened)
        return std::unexpected(std::move(opened).error());
    return run_evaluation(job.workspace, job.session.domains, measuring, request, job.observer, job.stop());
}

ExitCode evaluate(const Job& job, const MeasuringDomains& measuring, const CLI::App& command,
                  EvaluateOptions options) {
    const Session& session = job.session;
    JobObserver& observer = job.observer;
    options.request.workloads = options.workloads.names();
    options.request.seed = session.options.seed;
    options.request.created_by = session.program_version();
    const auto outcome = evaluated(job, measuring, options.request);
    observer.clear();
    if (!outcome)
        return observer.refuse(outcome.error());
    if (outcome->evaluation.source != TimeSource::Measured) {
        constexpr std::array<std::string_view, 3> of_measuring{"--threads", "--protocol", "--budget"};
        remark_on_options_without_effect(
            command, session, of_measuring,
            fmt::format("the times of {} are {}, and nothing is measured", outcome->evaluation.machine,
                        outcome->evaluation.is_of_description() ? "simulated" : "looked up"));
    }
    if (options.request.method != "evolution" && options.request.method != "annealing") {
        constexpr std::array<std::string_view, 1> of_search{"--scored"};
        remark_on_options_without_effect(command, session, of_search,
                                         "only --method evolution and annealing have such a limit");
    }
    for (const CollectionFailure& failure : outcome->measured.failures)
        session.complain(failure.described());
    for (const LeftOutWorkload& workload : outcome->unsearched)
        session.complain({Fault::Input, fmt::format("{}: {}", workload.workload, workload.reason), {}, 0});
    const Noun& noun = outcome->evaluation.words.workload;
    if (!outcome->trained.empty())
        session.remark(fmt::format("{} in the training data, such as {}: figures on new {} may be worse",
                                   counted(outcome->trained.size(), fmt::format("of the {} was", noun.many),
                                           fmt::format("of the {} were", noun.many)),
                                   outcome->trained.front(), noun.many));
    for (const std::string& remark : outcome->remarks)
        session.remark(remark);
    if (!outcome->earlier.empty())
        session.remark(outcome->earlier);
    const ModelEvaluation& evaluation = outcome->evaluation;
    if (const auto written =
            write_named_files(session, {{options.csv, [&] { return evaluation_csv(evaluation); }},
                                        {options.markdown, [&] { return evaluation_markdown(evaluation); }},
                                        {options.report, [&] { return evaluation_html(evaluation); }}});
        !written)
        return observer.refuse(written.error());
    tell(session, observer, *outcome, job.interruption.requested());
    if (job.interruption.requested() && !outcome->complete) {
        session.remark("stopped: run the same command again to go on");
        return ExitCode::Interrupted;
    }
    if (!outcome->complete && outcome->measured.failures.empty())
        session.remark("out of budget: run the same command again to go on");
    const bool has_found_nothing = outcome->complete && outcome->evaluation.workloads() == 0;
    return outcome->measured.failures.empty() && outcome->unsearched.empty() && !has_found_nothing
               ? ExitCode::Done
               : ExitCode::SomeFailed;
}

/// One of those that sparsight-learn knows, said before anything is measured.
Result<std::string> read_method(std::string_view text) {
    constexpr std::array<std::string_view, 5> methods{"index", "exhaustive", "recorded", "evolution",
                                                      "annealing"};
    if (std::ranges::find(methods, text) != methods.end())
        return std::string(text);
    return fail(Fault::Input, fmt::format("'{}' is no method: expected {}", text, fmt::join(methods, ", ")));
}

void add_subject_options(CLI::App& command, EvaluateOptions& options) {
    command.add_option("--models", options.request.models, "names, separated by commas")
        ->type_name("NAMES")
        ->delimiter(',')
        ->required();
    add_workloads_options(command, options.workloads,
                          "names, separated by commas (default: all that the models\nwere not trained on)");
    command.add_option("--split", options.request.split, "the test part of this split")
        ->type_name("NAME")
        ->excludes("--matrices", "--matrix");
    command
        .add_option("--machine", options.request.machine,
                    "look the times up on this machine, or simulate them if it is\n"
                    "simulated (default: measure on this computer)")
        ->type_name("NAME");
}

} // namespace

void add_evaluate_command(CLI::App& app, Session& session, const MeasuringDomains& measuring,
                          const SimulatingDomains& simulating) {
    CLI::App& command =
        add_command(app, "evaluate", "Measure what models choose, and compare them", evaluate_help);
    const auto options = std::make_shared<EvaluateOptions>();
    EvaluationRequest& request = options->request;
    request.measuring.threads = available_threads();
    for (const auto& domain : simulating)
        request.simulating.push_back(domain.get());
    add_subject_options(command, *options);
    command.add_option("--k", request.k, "configurations that a model chooses for a workload\n(default 20)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000));
    add_parsed_option(command, "--method", request.method, &read_method,
                      "search method: index, exhaustive, recorded, evolution or\nannealing (see search)")
        ->type_name("METHOD");
    command
        .add_option("--scored", request.scored,
                    "configurations that a search may score (see search --budget)")
        ->type_name("N");
    add_setting_options(command, session.domains, request.setting, SettingParts::OpenToModels);
    add_threads_option(command, request.measuring.threads, "threads to run on (default: all)");
    add_protocol_option(command, request.measuring.protocol);
    add_parsed_option(command, "--budget", request.measuring.budget, &parse_duration,
                      "stop measuring after this time: 90s, 10m, 1h30m")
        ->type_name("TIME");
    command.add_flag("--again", request.measuring.again, "choose and measure again");
    command.add_option("--csv", options->csv, "write a line for each model and workload")->type_name("FILE");
    command.add_option("--markdown", options->markdown, "write the tables as Markdown")->type_name("FILE");
    command.add_option("--report", options->report, "write a page with tables and figures (HTML)")
        ->type_name("FILE");
    add_progress_option(command, options->progress);
    set_job(command, session, "evaluate", options->progress, WorkspaceUse::Read,
            [&measuring, &command, options](const Job& job) {
                return evaluate(job, measuring, command, *options);
            });
}

} // namespace sparsight

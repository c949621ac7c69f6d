#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/workflow/explanation/timeline_study.h"

#include <CLI/CLI.hpp>

namespace sparsight {

namespace {

constexpr CommandHelp timeline_help{.description = R"(
Shows when each thread takes and finishes each chunk of the parallel loop, and how
long threads wait for each other. A parallel loop inside another loop opens many
regions, and threads wait at the end of each. A simulation knows the regions together
only, so it does not tell how long threads wait in several.

A schedule is csr (fixed CSR), best (the fastest of `results --best`), or a line in
WACO's form. It is simulated (--simulated, the default: on any machine, in moments) or
recorded in a run on this computer (--measured). Recording costs a look at the clock
per chunk and per region. What that adds to a run is measured in turns with runs without
it, and is shown with two standard errors.

There are at most about 4096 intervals: beyond that, chunks that follow each other
on a thread are merged.)",
                                    .examples = R"(
sparsight-cli timeline --matrix cage8 --schedule csr --measured
sparsight-cli timeline --matrix cage8.mtx --machine epyc-7543 --schedule '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 64 4096'
sparsight-cli timeline --matrix cage8 --schedule best --csv timeline.csv)",
                                    .json = R"(
{"matrix", "operator", "dense", "schedule", "timeline": {"source", "machine",
 "threads", "loop": {"name", "over_rows", "ids", "ids_per_iteration", "chunk"},
 "regions", "chunks", "iterations", "total_ns", "opening_ns", "plain_ms",
 "overhead": {"share", "error"}, "balance": {"busiest_thread", "busiest_ms",
 "mean_ms", "waiting_ms", "imbalance"}, "waiting_ns", "intervals": [{"thread", "chunk",
 "chunks", "first", "iterations", "begin_ns", "end_ns", "busy_ns"}]}, "busy_share"}
Times begin with the run. opening_ns: C is cleared (measured), or the threads are
started (simulated). first: iteration of the loop. plain_ms: of a run without
recording; overhead: what recording adds, as a share of it. waiting_ns: of each thread
at the ends of all regions (measured). waiting_ms: of one region the average of all
threads but the busiest; of several regions the average of all threads. imbalance: work
and waiting over work. Both are null for several simulated regions. busy_ns is shorter
than the interval where merged chunks have gaps between them. busy_share: what others
took of the processors. Absent: null.)",
                                    .events = R"(
{"event": "start", "job", "matrix", "operator", "dense", "schedule", "measured"}
{"event": "end", and all of the JSON})"};

struct TimelineOptions {
    ExplainRequest request;
    std::string csv;
    ProgressForm progress = ProgressForm::Display;
};

ExitCode answer(Session& session, const TimelineOptions& options) {
    const ExplainRequest& request = options.request;
    const Interruption interruption;
    JobObserver observer(session, "timeline", options.progress);
    observer.start({{"matrix", request.matrix},
                    {"operator", name(request.op)},
                    {"dense", dense_index(request.op) ? Json(request.dense) : Json()},
                    {"schedule", request.schedule},
                    {"measured", request.measured}});
    const auto answered =
        answer_timeline(session.workspace_location(), request, observer, interruption.token());
    if (!answered)
        return observer.refuse(answered.error());
    observer.clear();
    for (const std::string& remark : answered->remarks)
        session.remark(remark);
    const auto written =
        write_named_files(session, {{options.csv, [&] { return timeline_csv(answered->timeline); }}});
    if (!written)
        return observer.refuse(written.error());
    observer.answer(timeline_json(request, *answered), timeline_text(request, *answered));
    return ExitCode::Done;
}

} // namespace

void add_timeline_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "timeline", "Show when each thread works on which chunk", timeline_help);
    const auto options = std::make_shared<TimelineOptions>();
    ExplainRequest& request = options->request;
    request.schedule = "csr";
    add_subject_options(command, request,
                        {.schedule = "csr (default), best, or a line, quoted",
                         .measured = "record a run on this computer",
                         .threads = "threads that the run is recorded on\n(default: all)"});
    command.add_option("--csv", options->csv, "write all intervals to this file")->type_name("FILE");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return answer(session, *options); });
}

} // namespace sparsight

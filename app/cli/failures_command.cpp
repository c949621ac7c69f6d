#include "cli/commands.h"
#include "cli/failures_options.h"
#include "cli/failures_output.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/job_events.h"
#include "command/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp failures_help{.description = R"(
Where models lost, and why, told as a few stories. A choice of the newest evaluation
(`evaluate`) is a failure where, by more than the noise,
  - the fastest of the k is slower than fixed CSR, by 2 % or more,
  - or 10 % slower than the best that is known,
  - the first choice is 25 % slower than another one of the k, or the k are ranked
    against their times,
  - the model foresaw a lead of 25 % that is not there,
  - or it loses on a pattern that is unlike all that it was trained on.
Each failure is diagnosed by simulating all hybrids of both schedules, each decision
taken from the one or the other (see `explain`), and failures with the same decision
to blame are one story. `report` makes pages of them.

--recorded FILE reads a table with the columns matrix, waco_schedule, waco_ms and
fixedcsr_ms: what a tuner chose, and fixed CSR, measured elsewhere. Matrices that
the workspace has are simulated; of the others blame says which decision goes along
with losing over the whole table, an association and no proof.)",
                                    .examples = R"(
sparsight-cli failures
sparsight-cli failures --model first --simulated-on epyc-7543
sparsight-cli failures --recorded best_vs_csr.csv --json)",
                                    .json = R"(
{"evaluation", "machine", "operator", "dense", "simulated_on", "compared",
 "stories": [{"sentence", "ground", "decision", "before", "after", "one_value",
   "term", "basis", "kind", "against", "families": {FAMILY: N}, "matrices",
   "lost_ms", "lost_share", "cases": [{"model", "matrix"}]}],
 "cases": [{"model", "matrix", "family", "signs": [{"kind", "held_against",
   "chosen": {"schedule", "ms", "spread_ms", "at_least", "rank"}, "against": the same,
   "lost_ms", "lost_share", "significance", "figure"}],
   "diagnosis": {"basis", "decisions": [{"decision", "before", "after", "ms",
   "factor"}], "term", "term_ms", "simulation_agrees"}, "undiagnosed",
   "unfamiliar": [STATISTIC], "line"}], "remarks", "command"}
kind: slower_than_csr, high_regret, mis_ranked, over_confident, outside_training.
ground: decision, simulation_disagrees, no_diagnosis, rest. significance:
beyond_noise, noise_unknown. Absent: null.)"};

struct FailuresOptions {
    FailuresRequest request;
    std::size_t shown_cases = 5;
};

ExitCode tell_failures(Session& session, const FailuresOptions& options) {
    const Interruption interruption;
    const JobEvents events(session, "failures", ProgressForm::Display);
    ProgressDisplay display(events.display_style());
    const auto answer = answer_failures(session, options.request, display.sink(), interruption.token());
    display.clear();
    if (!answer)
        return session.refuse(answer.error(), answer.error().fault == Fault::Cancelled
                                                  ? ExitCode::Interrupted
                                                  : ExitCode::SomeFailed);
    for (const std::string& remark : answer->remarks)
        session.remark(remark);
    if (session.options.json)
        session.print_json(failures_json(options.request, *answer));
    else
        session.print(failures_text(options.request, *answer, options.shown_cases));
    return ExitCode::Done;
}

} // namespace

void add_failures_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "failures", "Tell where models lost, and why, as a few stories", failures_help);
    const auto options = std::make_shared<FailuresOptions>();
    add_failures_options(command, options->request);
    command.add_option("--machine", options->request.machine, "of the evaluation (default: any)")
        ->type_name("NAME")
        ->excludes(command.get_option("--recorded"));
    add_operator_option(command, options->request.op);
    add_dense_option(command, options->request.dense);
    command.add_option("--cases", options->shown_cases, "shown of each story (default 5)")->type_name("N");
    set_action(command, session, [&session, options] { return tell_failures(session, *options); });
}

} // namespace sparsight

#include "cli/awaited_answer.h"
#include "cli/commands.h"
#include "cli/failures_options.h"
#include "cli/failures_output.h"
#include "command/command.h"
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
    against their times by more than chance (nobody loses that time: the fastest
    of the k is run),
  - the model foresaw a lead of 25 % that is not there (likewise),
  - or it loses on a pattern that is unlike all that it was trained on.
Each failure is diagnosed by simulating all hybrids of both schedules, each decision
taken from the one or the other (see `explain`), and failures with the same decision
to blame are one story. `report` makes pages of them. Schedules that are one program
on a matrix (the same loops, storage and shares of threads) have one time, the
shortest that was found: nothing fails against its own program. Where no more than
the name of a machine is known, this computer is simulated in its place, and said to.

--recorded FILE reads a table with the columns matrix, waco_schedule, waco_ms and
fixedcsr_ms: what a tuner chose, and fixed CSR, measured elsewhere. Matrices that
the workspace has are simulated; of the others blame says which decision goes along
with losing over the whole table, an association and no proof. Where a schedule comes
down to fixed CSR itself the line is no failure: noise or the code that others
generate tells them apart. Effects below twice their error are blamed for nothing.
A table matrices.csv beside it (matrix, rows, cols, nnz) or the matrices of the
workspace tell sizes; by these alone matrices without a pattern have families.

A simulation names a cause only where it sees this loss: at least a quarter and at most
four times of what was lost.)",
                                    .examples = R"(
sparsight-cli failures
sparsight-cli failures --model first --simulated-on epyc-7543
sparsight-cli failures --recorded best_vs_csr.csv --json)",
                                    .json = R"(
{"evaluation", "machine", "operator", "dense", "simulated_on", "compared",
 "stories": [{"sentence", "ground", "decision", "before", "after", "one_value",
   "term", "basis", "kind", "against", "families": {FAMILY: N}, "matrices", "times",
   "lost_ms", "behind_ms", "lost_share", "cases": [{"model", "matrix"}]}],
 "cases": [{"model", "matrix", "times", "lost_ms", "family",
   "signs": [{"kind", "held_against",
   "chosen": {"schedule", "ms", "spread_ms", "at_least", "rank"}, "against": the same,
   "lost_ms", "lost_share", "significance", "figure"}],
   "diagnosis": {"basis", "decisions": [{"decision", "before", "after", "ms",
   "error_ms", "factor", "significant"}], "term", "term_ms", "simulation_agrees",
   "simulated_factor"}, "undiagnosed", "unfamiliar": [{"statistic", "value",
   "trained_low", "trained_high"}], "line"}], "stands_in", "remarks", "command"}
times: measured, recorded, simulated. lost_ms: 0 where the model was only wrong about
its own k; behind_ms counts that, too. stands_in: this computer is simulated in place
of a machine that is known by its name alone.
kind: slower_than_csr, high_regret, mis_ranked, over_confident, outside_training.
ground: decision, simulation_disagrees, no_diagnosis, rest. significance:
beyond_noise, noise_unknown. Absent: null.)"};

struct FailuresOptions {
    FailuresRequest request;
    std::size_t shown_cases = 5;
};

ExitCode tell_failures(Session& session, const FailuresOptions& options) {
    const auto answer = awaited_answer(session, "failures", [&](const auto& progress, const auto& stop) {
        return answer_failures(session, options.request, progress, stop);
    });
    if (!answer)
        return refuse_answer(session, answer.error());
    for (const std::string& remark : answer->remarks)
        session.remark(remark);
    if (session.options.json)
        session.print_json(failures_json(session, options.request, *answer));
    else
        session.print(failures_text(session, options.request, *answer, options.shown_cases));
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
        ->excludes(command.get_option("--recorded"))
        ->excludes(command.get_option("--evaluation"));
    auto* recorded = command.get_option("--recorded"); // an evaluation has its own
    add_operator_option(command, options->request.op)->needs(recorded);
    add_dense_option(command, options->request.dense)->needs(recorded);
    command.add_option("--cases", options->shown_cases, "shown of each story (default 5)")->type_name("N");
    set_action(command, session, [&session, options] { return tell_failures(session, *options); });
}

} // namespace sparsight

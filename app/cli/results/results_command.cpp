#include "cli/results/results_command.h"

#include "base/files.h"
#include "base/optional_json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/results/results_filter.h"
#include "cli/results/results_tables.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "evaluation/stored_turns.h"
#include "workflow/evaluation/changed_times.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace sparsight {

Result<void> write_results(const Session& session, const Domain& domain,
                           const std::vector<ResultRecord>& results, const std::string& file) {
    auto written = write_whole_file(file, results_csv(domain, results));
    if (written && !session.options.json)
        session.remark(fmt::format("wrote {} to {}", counted(results.size(), "result", "results"), file));
    return written;
}

void tell_doubts(const Session& session, const std::vector<ResultRecord>& results) {
    for (const std::string& sentence : {damaged_sentence(results), mixed_engines_sentence(results)})
        if (!sentence.empty())
            session.remark(sentence);
}

namespace {

constexpr CommandHelp listed_results_help{.description = R"(
Lists measurements, sorted by workload, the fastest first. The speedup is over the
baseline (fixed CSR for matrices) at that moment, on the same workload, machine,
setting, protocol and number of threads. It decides which one is the fastest, because
a drift of the computer between two moments cancels in it; without speedups the median
decides. ~ marks a speedup that may be noise: the times of both differ by no more than
their spreads, or the baseline itself was as fast, or as slow, in the same collection. It
ends where 10 minutes pass without a measurement. Medians of different protocols are
not comparable: --protocol picks one.
With --best, "in turns" is the speedup of the fastest when an evaluation measured the
best again in turns. It may be another configuration than the one that is listed. ~
marks one that differs from the baseline by no more than the noise of its turns. ± is
half of its 95 % interval where it is uncertain by more than 6 %.

Status: measured; recorded (imported with its time); simulated (see
`simulate-runtimes`); gave up (abandoned after three first runs that were far slower
than the best; the median is a lower bound, shown as "> 12"); too large (its predicted
storage exceeds the limits); mismatch (the result was wrong); failed.

--changes compares times that were measured again with the times that they replaced. A
change is beyond noise if the times differ by more than both spreads. The noise is
unknown if a time has no spread. A run that was abandoned takes at least as long as
shown, so its change is a bound: > at least, < at most. Bounds are listed only where
there are no two times. Times of two versions of what measures, such as two compilers,
are not comparable. They are counted apart, listed last, and marked "other version". An
unknown version counts as another one. The overall change has a 95 % interval over
families of workloads (forms of one are a family). It needs three families, whose times
are of one machine, one setting and one version.)",
                                          .examples = R"(
sparsight-cli results --best
sparsight-cli results --matrix cage8 --operator spmm --dense 256
sparsight-cli results --csv results.csv
sparsight-cli results --changes --matrix cage8
sparsight-cli results --since 2026-11-24T13:00Z
sparsight-cli results --domain records --best
sparsight-cli results --json | jq -r '.[] | [.matrix, .median_ms, .schedule] | @tsv')",
                                          .json = R"(
[{"matrix", "machine", "operator", "dense", "schedule", "nickname", "status",
  "median_ms", "spread_ms", "speedup_over_fixed_csr", "bytes"}]
Other domains have their own words: of records "workload", "space", "configuration",
and "condition" where a run is named.
With --best also "in_turns": {"schedule", "speedup", "margin"}, as the text says.
Times are null where there is none, the speedup unless both were measured, bytes
where only the runtime is known (imported). Of those abandoned median_ms is a lower bound.
With --changes: {"compared", "other_engine", "beyond_noise", "noise_unknown",
  "given_up", "given_up_before", "failed", "overall_ratio", "overall_interval",
  "changes": [{…, "machine_fingerprint", "earlier", "earlier_ms", "earlier_spread_ms",
  "earlier_status", "earlier_engine", "later", "later_ms", "later_spread_ms",
  "later_engine", "ratio", "status", "beyond_noise", "significance"}]}
significance: beyond_noise, within_noise, noise_unknown, other_engine. other_engine
counts the changes between two versions of what measures; no other count has them. An
engine is null where it is unknown. failed counts those without a time any more.
given_up counts those timed before and abandoned now, given_up_before the reverse;
their ratios are bounds. overall_ratio leaves these out. It is the mean over
workloads, and overall_interval its 95 % interval. Both are null below three families
and where the times are of several machines, settings or engines.)"};

struct ShowOptions {
    ResultsOptions asked;
    bool best = false;
    std::string csv;
    bool changes = false;
    std::string since;
};

ExitCode show_changes(Session& session, Workspace& workspace, const ShowOptions& options) {
    const auto chosen = chosen_results(workspace, session.domains, options.asked);
    if (!chosen)
        return session.refuse(chosen.error());
    const auto& [domain, filter] = *chosen;
    const auto changes = find_changed_times(workspace, *domain, filter, options.since);
    if (!changes)
        return session.refuse(changes.error());
    session.answer(changes_json(*domain, *changes), changes_text(*domain, *changes));
    return ExitCode::Done;
}

Json with_turns(Json results, const std::vector<std::optional<FastestInTurns>>& in_turns,
                const DomainWords& words) {
    for (std::size_t each = 0; each < in_turns.size(); ++each)
        if (const auto& fastest = in_turns[each])
            results[each]["in_turns"] = {{words.configuration.one, fastest->configuration},
                                         {"speedup", fastest->speedup},
                                         {"margin", json_or_null(fastest->margin)}};
    return results;
}

ExitCode show(Session& session, Workspace& workspace, const ShowOptions& options) {
    if (options.changes || !options.since.empty())
        return show_changes(session, workspace, options);
    auto asked = select_results(workspace, session.domains, options.asked);
    if (!asked)
        return session.refuse(asked.error());
    const Domain& domain = *asked->domain;
    tell_doubts(session, asked->results);
    if (options.best)
        asked->results = best_results(asked->results);
    const std::vector<ResultRecord>& results = asked->results;
    if (!options.csv.empty())
        if (const auto written = write_results(session, domain, results, options.csv); !written)
            return session.refuse(written.error());
    std::vector<std::optional<FastestInTurns>> in_turns;
    if (options.best) {
        auto found = fastest_in_turns(workspace, domain, results);
        if (!found)
            return session.refuse(found.error());
        in_turns = *std::move(found);
    }
    if (session.options.json)
        session.print_json(with_turns(results_json(domain, results), in_turns, domain.words()));
    else if (results.empty())
        session.remark("there are no such results");
    else if (options.csv.empty())
        session.print(results_text(domain, results, in_turns));
    return ExitCode::Done;
}

} // namespace

void add_results_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "results", "Show measurements", listed_results_help);
    const auto options = std::make_shared<ShowOptions>();
    add_filter_options(command, session.domains, options->asked);
    auto* const best = command.add_flag("--best", options->best,
                                        "only the fastest configuration of each workload and setting");
    auto* const csv =
        command.add_option("--csv", options->csv, "write the results as CSV, with protocol, reason and date")
            ->type_name("FILE");
    command
        .add_flag("--changes", options->changes,
                  "compare times that were measured again with the times\nthat they replaced")
        ->excludes(csv, best);
    command
        .add_option("--since", options->since,
                    "compare times since this date (UTC) with the newest\nearlier times")
        ->type_name("DATE")
        ->excludes(csv, best);
    set_action(command, session, WorkspaceUse::Read,
               [&session, options](Workspace& workspace) { return show(session, workspace, *options); });
}

} // namespace sparsight

#include "base/atomic_file.h"
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/results_filter.h"
#include "cli/results_output.h"
#include "command/command.h"
#include "command/session.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp results_help{.description = R"(
Lists measurements, sorted by matrix, then by median. The speedup is over fixed
CSR on the same matrix, machine, operator, dense extent, protocol and number of
threads. Medians of different protocols are not comparable: --protocol picks one.

Status: measured; simulated (no machine ran it, see `simulate-runtimes`); gave up
(three first runs were far behind the best and abandoned; the median is how long
they ran, a lower bound, shown as "> 12"); too large (its storage would exceed the
limits; the size is predicted); mismatch (the result was wrong); failed.)",
                                   .examples = R"(
sparsight-cli results --best
sparsight-cli results --matrix cage8 --operator spmm --dense 256
sparsight-cli results --csv results.csv
sparsight-cli results --json | jq -r '.[] | [.matrix, .median_ms, .schedule] | @tsv')",
                                   .json = R"(
[{"matrix", "machine", "operator", "dense", "schedule", "status", "median_ms",
  "spread_ms", "speedup_over_fixed_csr", "bytes"}]
Times are null where there is none, the speedup unless both were measured, bytes
where only the runtime is known (imported). Of those given up median_ms is a lower bound.)"};

struct ResultsOptions {
    ResultFilter filter;
    bool best = false;
    std::string csv;
};

ExitCode show(Session& session, const ResultsOptions& options) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    auto results = find_results(*workspace, options.filter);
    if (!results)
        return session.refuse(results.error());
    if (options.best)
        *results = best_results(*results);
    if (!options.csv.empty()) {
        if (const auto written = write_whole_file(options.csv, results_csv(*results)); !written)
            return session.refuse(written.error());
        session.remark(
            fmt::format("wrote {} to {}", counted(results->size(), "result", "results"), options.csv));
    }
    if (session.options.json)
        session.print_json(results_json(*results));
    else if (results->empty())
        session.remark("there are no such results");
    else if (options.csv.empty())
        session.print(results_text(*results));
    return ExitCode::Done;
}

} // namespace

void add_results_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "results", "Show what was measured", results_help);
    const auto options = std::make_shared<ResultsOptions>();
    add_filter_options(command, options->filter);
    command.add_flag("--best", options->best, "only the fastest schedule of each matrix and setting");
    command.add_option("--csv", options->csv, "write them as CSV, protocol, reason and date included")
        ->type_name("FILE");
    set_action(command, session, [&session, options] { return show(session, *options); });
}

} // namespace sparsight

#include "cli/commands.h"
#include "cli/results/results_command.h"
#include "cli/results/results_filter.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace sparsight {

namespace {

constexpr CommandHelp export_help{.description = R"(
Writes what is in the workspace into files that other programs read. A file is
replaced as a whole, or stays as it was if anything fails.)",
                                  .examples = R"(
sparsight-cli export matrix cage8 cage8.mtx
sparsight-cli export waco exported --machine 'Xeon E5-2680 v3' --operator spmm
sparsight-cli export results results.csv --operator spmm)",
                                  .json = {}};

constexpr CommandHelp exported_results_help{
    .description = R"(
Writes measurements as CSV with a header line. The columns for matrices are: matrix,
machine, operator, dense, protocol, schedule, status, median_ms, spread_ms,
speedup_over_fixed_csr, bytes, reason, measured (when, UTC), nickname. Other domains
have their own words.)",
    .examples = R"(sparsight-cli export results results.csv --matrix cage8 --protocol adaptive)",
    .json = R"({"file", "results": NUMBER})"};

struct ResultsExport {
    std::string file;
    ResultsOptions asked;
};

ExitCode export_results(Session& session, Workspace& workspace, const ResultsExport& request) {
    const auto asked = select_results(workspace, session.domains, request.asked);
    if (!asked)
        return session.refuse(asked.error());
    tell_doubts(session, asked->results);
    if (const auto written = write_results(session, *asked->domain, asked->results, request.file); !written)
        return session.refuse(written.error());
    if (session.options.json)
        session.print_json({{"file", request.file}, {"results", asked->results.size()}});
    return ExitCode::Done;
}

void add_export_results(CLI::App& parent, Session& session) {
    CLI::App& command = add_command(parent, "results", "Write measurements as CSV", exported_results_help);
    const auto request = std::make_shared<ResultsExport>();
    command.add_option("file", request->file, "the CSV file")->type_name("FILE")->required();
    add_filter_options(command, session.domains, request->asked);
    set_action(command, session, WorkspaceUse::Read, [&session, request](Workspace& workspace) {
        return export_results(session, workspace, *request);
    });
}

} // namespace

void add_export_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "export", "Write results and matrices into files", export_help);
    command.require_subcommand(1);
    add_export_results(command, session);
}

} // namespace sparsight

#include "cli/waco_import.h"

#include "base/plural.h"
#include "cli/progress_display.h"
#include "cli/session.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

Json to_json(const WacoImportReport& report) {
    Json json{{"matrices", report.matrices},         {"patterns", report.patterns},
              {"measurements", report.measurements}, {"failed_runs", report.failed_runs},
              {"outliers", report.outliers},         {"failed", Json::array()}};
    for (const Error& problem : report.problems)
        json["failed"].push_back(failure_json(problem));
    return json;
}

} // namespace

ExitCode import_waco(Session& session, const WacoImport& request) {
    if (request.machine.empty())
        return session.refuse({Fault::Input, "--waco needs --machine: whose runtimes are they?", {}, 0},
                              ExitCode::Usage);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    ProgressDisplay display(ProgressDisplay::style_of_stderr(session.options.quiet));
    const auto report = import_waco_folder(*workspace, request, {}, display.sink());
    display.clear();
    if (!report)
        return session.refuse(report.error());
    for (const Error& problem : report->problems)
        session.complain(problem);
    if (session.options.json)
        session.print_json(to_json(*report));
    else
        session.print(fmt::format("{}, {} of them with entries; {}, {} of them of failed runs and {}; {}\n",
                                  counted(report->matrices, "matrix", "matrices"), report->patterns,
                                  counted(report->measurements, "measurement", "measurements"),
                                  report->failed_runs, counted(report->outliers, "outlier", "outliers"),
                                  counted(report->problems.size(), "problem", "problems")));
    return report->problems.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace sparsight

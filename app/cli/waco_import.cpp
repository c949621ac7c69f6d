#include "cli/waco_import.h"

#include "base/plural.h"
#include "command/interruption.h"

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

ExitCode import_waco(Session& session, const WacoImport& request, ProgressForm form) {
    if (request.machine.empty())
        return session.refuse({Fault::Input, "--waco needs --machine: whose runtimes are they?", {}, 0},
                              ExitCode::Usage);
    const Interruption interruption;
    JobEvents events(session, "import", form);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    events.start({{"folder", request.folder.string()}});
    ProgressDisplay display(events.display_style());
    const auto report = import_waco_folder(*workspace, request, interruption.token(),
                                           events.are_told() ? events.sink() : display.sink());
    display.clear();
    if (!report && report.error().fault == Fault::Cancelled && events.are_told()) {
        events.end(Json::object(), false, true);
        return ExitCode::Interrupted;
    }
    if (!report)
        return events.refuse(report.error());
    for (const Error& problem : report->problems) {
        events.tell("failed", failure_json(problem));
        session.complain(problem);
    }
    if (events.are_told())
        events.end(to_json(*report), true, false);
    else if (session.options.json)
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

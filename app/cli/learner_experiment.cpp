#include "cli/learner_experiment.h"

#include "command/options.h"
#include "command/session.h"
#include "evaluation/reports/html.h"
#include "workflow/process/learn_process.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

void follow(const Json& event, std::string_view item, JobObserver& observer) {
    const std::string what = event.value("event", "");
    Json members = event;
    members.erase("event");
    if (what == "start") {
        members.erase("job");
        observer.start(members);
        for (const Json& note : event.value("notes", Json::array()))
            observer.note(note.get<std::string>());
    } else if (what == item) {
        observer.event(what, members);
    } else if (what == "progress") {
        const std::string stage = event.value("stage", "");
        observer.event(what, members);
        observer.show({.stage = stage,
                       .done = event.value("done", std::uint64_t{0}),
                       .total = event.value("total", std::uint64_t{0})});
    }
}

ExitCode tell(const Session& session, const LearnerExperiment& experiment, JobObserver& observer,
              ExperimentWords words) {
    const ExperimentFiles& files = experiment.files;
    const std::string figure = words.figure();
    if (!files.figure.empty() && figure.empty())
        return observer.refuse({Fault::Input, "there is nothing to draw a figure of", files.figure, 0});
    const auto written = write_named_files(session, {{files.markdown, words.markdown},
                                                     {files.csv, words.csv},
                                                     {files.figure, [&] { return svg_file(figure); }},
                                                     {files.report, words.report}});
    if (!written)
        return observer.refuse(written.error());
    words.json["complete"] = true;
    if (observer.tells_events())
        observer.end({{"estimates", words.json["estimates"]}}, true, false);
    else if (session.options.json)
        session.print_json(words.json);
    else
        session.print(words.text());
    return ExitCode::Done;
}

} // namespace

void add_file_options(CLI::App& command, ExperimentFiles& files, const char* points, const char* figure) {
    command.add_option("--markdown", files.markdown, "write the tables as Markdown")->type_name("FILE");
    command.add_option("--csv", files.csv, points)->type_name("FILE");
    command.add_option("--figure", files.figure, figure)->type_name("FILE");
    command.add_option("--report", files.report, "write a page with tables and figures (HTML)")
        ->type_name("FILE");
}

ExitCode run_learner_experiment(const Session& session, const LearnerExperiment& experiment) {
    const Interruption interruption;
    JobObserver observer(session, "experiment", experiment.progress);
    if (const auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite); !workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto answer = follow_learner(
        {.workspace = session.workspace_path(), .seed = session.options.seed}, experiment.arguments,
        [&](const Json& event) { follow(event, experiment.item, observer); }, interruption.token());
    observer.clear();
    const bool is_stopped =
        answer ? answer->value("stopped", false) : answer.error().fault == Fault::Cancelled;
    if (is_stopped)
        session.remark("stopped: run the same command again to go on");
    if (!answer)
        return observer.refuse(answer.error());
    if (is_stopped) {
        if (observer.tells_events())
            observer.end({{"estimates", Json::array()}}, false, true);
        return ExitCode::Interrupted;
    }
    auto words = experiment.read(*answer);
    if (!words)
        return observer.refuse(words.error());
    return tell(session, experiment, observer, *std::move(words));
}

} // namespace sparsight

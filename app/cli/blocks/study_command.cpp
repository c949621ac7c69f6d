#include "cli/blocks/study_command.h"

#include "cli/learner_experiment.h"
#include "command/blocks/study_options.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/study/analysed_cells.h"
#include "domains/blocks/study/study_report.h"
#include "evaluation/reports/html.h"
#include "workflow/process/learn_process.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

constexpr CommandHelp study_help{.description = R"(
How well do cost models predict the cycles of basic blocks? Blocks of a workspace are
divided by group: eight, one and one of ten groups train, validate and test.

  accuracy      Ithemal, GRANITE (for each machine, and one for all), boosted trees that
                correct the bound, the bound itself, and both figures of LLVM-MCA
  ablations     GRANITE without edge types, with 4 iterations, with a global read-out
  transfer      each machine is taken for new: Ithemal fine-tuned and meta-learned from
                the others, against scratch, by the number of blocks
  explanations  how similar Ithemal's explanations are to those of the bound, beside how
                similar their predictions are (COMET, MLSys 2024)

The usual sizes take about half a day on two cores: start the command twice, and both
share the work. --quick takes minutes and says nothing of the models. Networks that are
as large as published are presets of `train`.

Every cell (a model, its machines, its seed) is stored in the workspace: the same command
resumes where it was stopped or killed, also within a training. --as-it-is reports what
is finished, without further work.)",
                                 .examples = R"(
sparsight-cli experiment blocks --report blocks.html
sparsight-cli experiment blocks --quick --report quick.html --csv quick.csv
sparsight-cli experiment blocks --parts accuracy --hours 2 --threads 1
sparsight-cli experiment blocks --as-it-is --report so-far.html --published published_errors.csv)",
                                 .json = R"(
{"lead", "estimates": [{"section", "model", "of", "figure", "shots", "estimate": {"value", "low",
 "high"}, "trainings", "blocks"}], "goals": [SENTENCE], "notes": [SENTENCE],
 "not_finished": [CELL], "complete"}
section: accuracy, classes, applications, multi-task, ablations, transfer, throughput or
explanations. of: a machine, or a part of the blocks. Errors are shares.)",
                                 .events = R"(
{"event": "start", "job", "cells", "finished", "blocks", "machines",
 "expected_seconds", "resumed"}
{"event": "cell", "cell", "finished"}
{"event": "end", "estimates": […], "complete", "stopped"})"};

struct StudyCommand {
    StudyOptions options;
    std::string published;
    bool is_as_it_is = false;
    ExperimentFiles files;
    ProgressForm progress = ProgressForm::Display;
};

void follow(const Json& event, JobObserver& observer) {
    const std::string what = event.value("event", "");
    Json members = event;
    members.erase("event");
    if (what == "start") {
        members.erase("job");
        observer.start(members);
    } else if (what == "cell") {
        observer.event(what, members);
    } else if (what == "warning") {
        observer.remark(event.value("warning", ""));
    } else if (what == "progress") {
        const std::string stage = event.value("stage", "");
        std::optional<Seconds> left;
        if (event.contains("seconds_left") && event["seconds_left"].is_number())
            left = Seconds(event["seconds_left"].get<double>());
        observer.show({.stage = stage,
                       .done = event.value("done", std::uint64_t{0}),
                       .total = event.value("total", std::uint64_t{0}),
                       .left = left});
    }
}

/// All that is not stored yet. Errors: Fault::Cancelled, so that the same command goes on.
Result<void> work(const Session& session, const StudyCommand& command, JobObserver& observer,
                  const std::stop_token& stop) {
    StudySizes sizes = command.options.sizes();
    sizes.seed = session.options.seed;
    const auto analyse = [&]() -> Result<void> {
        auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
        if (!workspace)
            return std::unexpected(std::move(workspace).error());
        const auto blocks = read_study_blocks(*workspace, sizes.machines, sizes.seed);
        if (!blocks)
            return std::unexpected(blocks.error());
        return run_analysed_cells(*workspace, *blocks, sizes, observer, stop);
    };
    if (auto done = analyse(); !done)
        return done;
    std::vector<std::string> arguments = command.options.arguments();
    arguments.insert(arguments.begin(), std::string(block_study_command));
    const auto answer = follow_learner(
        {.workspace = session.workspace_path(), .seed = session.options.seed}, std::move(arguments),
        [&](const Json& event) { follow(event, observer); }, stop);
    if (!answer)
        return std::unexpected(answer.error());
    if (answer->value("stopped", false))
        return fail(Fault::Cancelled, "the study was stopped");
    for (const Json& failed : answer->value("failed", Json::array()))
        observer.complain({Fault::Input, failed.get<std::string>(), {}, 0});
    if (const auto elsewhere = answer->value("elsewhere", 0); elsewhere > 0)
        observer.remark(
            fmt::format("{} cells are left: another process works on them, or on what they need", elsewhere));
    return analyse();
}

Result<BlockStudyReport> report(const Session& session, const StudyCommand& command) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    StudySizes sizes = command.options.sizes();
    sizes.seed = session.options.seed;
    auto study = read_block_study(*workspace, sizes);
    if (!study)
        return std::unexpected(std::move(study).error());
    study->created_by = session.program_version();
    std::vector<PublishedFigure> published;
    if (!command.published.empty()) {
        auto read = read_published_figures(command.published, study->blocks.machines);
        if (!read)
            return std::unexpected(std::move(read).error());
        published = *std::move(read);
    }
    return BlockStudyReport(*study, std::move(published));
}

ExitCode run(Session& session, const StudyCommand& command) {
    const Interruption interruption;
    JobObserver observer(session, "experiment", command.progress);
    if (const auto checked = check(command.options.sizes()); !checked)
        return observer.refuse(checked.error(), ExitCode::Usage);
    if (!command.is_as_it_is)
        if (const auto done = work(session, command, observer, interruption.token()); !done) {
            observer.clear();
            if (done.error().fault != Fault::Cancelled)
                return observer.refuse(done.error());
            session.remark("stopped: run the same command again to go on");
            if (!observer.tells_events())
                return observer.refuse(done.error());
            observer.end({{"estimates", Json::array()}}, false, true);
            return ExitCode::Interrupted;
        }
    observer.clear();
    const auto made = report(session, command);
    if (!made)
        return observer.refuse(made.error());
    const std::string figure = made->figure();
    if (!command.files.figure.empty() && figure.empty())
        return observer.refuse(
            {Fault::Input, "there is nothing to draw a figure of", command.files.figure, 0});
    const auto written =
        write_named_files(session, {{command.files.markdown, [&] { return made->markdown(); }},
                                    {command.files.csv, [&] { return made->csv(); }},
                                    {command.files.figure, [&] { return svg_file(figure); }},
                                    {command.files.report, [&] { return made->html(); }}});
    if (!written)
        return observer.refuse(written.error());
    Json json = made->json();
    json["complete"] = made->missing.empty();
    if (observer.tells_events())
        observer.end({{"estimates", json["estimates"]}}, made->missing.empty(), false);
    else
        session.answer(json, made->text());
    return ExitCode::Done;
}

} // namespace

void add_block_study(CLI::App& experiment, Session& session) {
    CLI::App& command = add_command(experiment, "blocks", "Compare cost models of basic blocks", study_help);
    const auto options = std::make_shared<StudyCommand>();
    options->options.add_to(command);
    command.add_flag("--as-it-is", options->is_as_it_is, "report what is finished, without further work");
    command
        .add_option("--published", options->published,
                    "table of figures that others report, with the columns\npaper_or_source, uarch, tool, "
                    "metric, value and status")
        ->type_name("FILE");
    add_file_options(command, options->files, "write every figure",
                     "write the mean error by blocks of a new machine (SVG)");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return run(session, *options); });
}

} // namespace sparsight

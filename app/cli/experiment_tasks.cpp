#include "base/atomic_file.h"
#include "cli/commands.h"
#include "cli/learner_child.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/job_events.h"
#include "command/transfer_settings.h"
#include "evaluation/report_style.h"
#include "evaluation/transfer_writers.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace sparsight {

namespace {

constexpr CommandHelp tasks_help{.description = R"(
Which machines to learn from before a machine is learned that is new? On every
machine of the workspace that has runtimes, measured here or recorded elsewhere, a
model is adapted with 0, 1, 5 … of its matrices. Before, it was meta-trained on
  paper        the report's machines A and B: the recorded times of another machine
               by the report's formula, which changes no order
  family       machines sampled from a family and simulated mechanistically, with
               the matrices and schedules of that other machine
  real         all other machines that have runtimes
  family+real  both
or on nothing (scratch). Each source is trained until it has looked at as many
schedules as the others, from the same first weights, and adapted by the same steps
on the same matrices of the new machine. No source, and no adapting, ever sees a
test matrix or a resized, transposed or permuted form of one. Each seed draws other
test matrices. Times are looked up; nothing is measured.

What is told of the test matrices is the share of pairs of schedules that the model
puts in order, Kendall's τ, and how much slower than the best of all the best of its
first 1, 5 and 20 is. Intervals are those of a bootstrap over the seeds.

What is done is kept in the workspace: the same command goes on where it was stopped
or killed, in the middle of a training, and comes to the same figures; once finished
it writes its report from what is kept. --config names a TOML file of the settings:
  targets = ["Xeon 8272CL"]
  seeds = 5
  family = 8

--progress json prints one JSON object a line on stdout:
  {"event": "start", "job", "targets", "sources", "shots", "seeds", "notes",
   "resumed", "parameters"}
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "point", "target", "source", "seed", "shots", "metrics": {METRIC:
   NUMBER}}
  {"event": "end", "comparisons": […], "complete", "stopped"}
  {"event": "error", "file", "line", "error", "stopped"})",
                                 .examples = R"(
sparsight-cli experiment tasks --figure tasks.svg --report tasks.html
sparsight-cli experiment tasks --targets 'Xeon 8272CL' --seeds 10 --csv points.csv
sparsight-cli experiment tasks --config tasks.toml --json)",
                                 .json = R"(
{"operator", "dense", "targets": [{"machine", "matrices", "imagined_from"}],
 "sources", "estimates": [{"target", "source", "shots", METRIC: {"value", "low",
 "high"}}], "comparisons": [{"target", "better", "than", "seeds", "value", "low",
 "high"}], "trainings": [{"target", "source", "seed", "machines", "steps",
 "examples"}], "points": [{"target", "source", "seed", "shots", "metrics"}],
 "notes"}
A comparison's value is the share of pairs in order, mean over the curve, of `better`
less that of `than`.)"};

struct TasksOptions {
    std::vector<std::pair<std::string, std::string>>
        given; ///< options of sparsight-learn, as they stand there
    std::string markdown;
    std::string csv;
    std::string figure;
    std::string report;
    ProgressForm progress = ProgressForm::Display;
};

Json without(Json event, std::string_view member) {
    event.erase(member);
    return event;
}

/// What the learner tells on the way, told again.
class LearnerEvents {
public:
    LearnerEvents(const Session& session, JobEvents& events)
        : session_(session)
        , events_(events)
        , display_(events.display_style()) {}

    void take(const Json& event) {
        const std::string what = event.value("event", "");
        if (what == "start") {
            events_.start(without(without(event, "event"), "job"));
            for (const Json& note : event.value("notes", Json::array()))
                remark(note);
        } else if (what == "progress") {
            events_.tell(what, without(event, "event"));
            show(event);
        } else if (what == "point") {
            events_.tell(what, without(event, "event"));
        }
    }
    void clear() { display_.clear(); }

private:
    void remark(const Json& note) {
        if (events_.are_told() || !note.is_string())
            return;
        session_.remark(note.get<std::string>());
    }
    void show(const Json& event) {
        const auto left = event.find("seconds_left");
        const std::string stage = event.value("stage", "");
        display_.show({.what = stage,
                       .done = event.value("done", std::uint64_t{0}),
                       .total = event.value("total", std::uint64_t{0}),
                       .left = left != event.end() && left->is_number()
                                   ? std::optional(Seconds(left->get<double>()))
                                   : std::nullopt});
    }

    const Session& session_;
    JobEvents& events_;
    ProgressDisplay display_;
};

Result<void> write_files(const Session& session, const TasksOptions& options,
                         const TransferExperiment& experiment) {
    const auto figure = [](const TransferExperiment& each) {
        return svg_file(transfer_figure(each, transfer_metrics().front()));
    };
    using Writer = std::string (*)(const TransferExperiment&);
    for (const auto& [file, writer] :
         std::array<std::pair<const std::string*, Writer>, 4>{{{&options.markdown, &transfer_markdown},
                                                               {&options.csv, &transfer_csv},
                                                               {&options.figure, +figure},
                                                               {&options.report, &transfer_html}}}) {
        if (file->empty())
            continue;
        if (auto written = write_whole_file(*file, writer(experiment)); !written)
            return written;
        session.remark(fmt::format("wrote {}", *file));
    }
    return {};
}

std::vector<std::string> learner_arguments(const TasksOptions& options) {
    std::vector<std::string> arguments{std::string(transfer_command)};
    for (const auto& [option, value] : options.given)
        arguments.insert(arguments.end(), {option, value});
    return arguments;
}

ExitCode compare_tasks(const Session& session, const TasksOptions& options) {
    const Interruption interruption;
    JobEvents events(session, "experiment", options.progress);
    if (const auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite); !workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    LearnerEvents learner(session, events);
    const auto end = follow_learner(
        session, learner_arguments(options), [&](const Json& event) { learner.take(event); },
        interruption.token());
    learner.clear();
    const bool is_stopped = end ? end->value("stopped", false) : end.error().fault == Fault::Cancelled;
    if (is_stopped)
        session.remark("stopped: run the same command again to go on");
    if (!end)
        return events.refuse(end.error(), is_stopped ? ExitCode::Interrupted : ExitCode::SomeFailed);
    auto experiment = parse_transfer_experiment(*end);
    if (!experiment)
        return events.refuse(experiment.error());
    experiment->created_by = session.program_version();
    if (!is_stopped)
        if (const auto written = write_files(session, options, *experiment); !written)
            return events.refuse(written.error());
    Json json = transfer_json(*experiment);
    json["complete"] = !is_stopped;
    if (events.are_told())
        events.end({{"comparisons", json["comparisons"]}}, !is_stopped, is_stopped);
    else if (session.options.json)
        session.print_json(json);
    else if (!is_stopped)
        session.print(transfer_text(*experiment));
    return is_stopped ? ExitCode::Interrupted : ExitCode::Done;
}

void add_forwarded_option(CLI::App& command, const std::shared_ptr<TasksOptions>& options, std::string name,
                          std::string_view placeholder, std::string_view help_text) {
    std::ranges::replace(name, '_', '-');
    const std::string option = "--" + name;
    command
        .add_option(
            option,
            [options, option](const CLI::results_t& words) {
                options->given.emplace_back(option, words.front());
                return true;
            },
            std::string(help_text))
        ->type_name(std::string(placeholder))
        ->run_callback_for_default(false);
}

} // namespace

void add_experiment_tasks(CLI::App& experiment, Session& session) {
    CLI::App& command =
        add_command(experiment, "tasks", "Compare what to learn from before a new machine", tasks_help);
    const auto options = std::make_shared<TasksOptions>();
    add_forwarded_option(command, options, "config", "FILE",
                         "a TOML file of the settings below, named with\nunderscores; options come first");
    for (const TransferSetting& setting : transfer_settings)
        add_forwarded_option(command, options, std::string(setting.name), setting.placeholder, setting.help);
    add_forwarded_option(command, options, "threads", "N", "threads of LibTorch (default: all)");
    command.add_option("--markdown", options->markdown, "write the tables as Markdown")->type_name("FILE");
    command.add_option("--csv", options->csv, "write every point of every seed")->type_name("FILE");
    command.add_option("--figure", options->figure, "write the curves of the pairs in order (SVG)")
        ->type_name("FILE");
    command.add_option("--report", options->report, "write a page with tables and figures (HTML)")
        ->type_name("FILE");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return compare_tasks(session, *options); });
}

} // namespace sparsight

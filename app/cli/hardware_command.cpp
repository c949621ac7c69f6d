#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "evaluation/reports/hardware_report.h"
#include "evaluation/reports/html.h"
#include "workflow/learning_settings.h"
#include "workflow/process/learn_process.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

constexpr CommandHelp hardware_help{.description = R"(
Which configuration should a machine use on which nothing or little was measured? Each
machine with times of a workload is taken for new in its turn, and the choice is looked
up among its times: nothing is measured. A workload needs times of three machines.

A machine that is new is known by its data sheet alone (import-records --machines):
  copy         other machines' times, weighted by the likeness of their sheets; also
               of other workloads that have the same decisions
  trees        boosted trees over decisions and sheets, trained on other machines
  median       baseline: the configuration with the best median of other machines
  nearest      baseline: the best one of the machine with the nearest sheet
  oracle       baseline: the best one of the machine whose times have the most
               similar order; it looks at times that nobody has yet
Measurements on the new machine are chosen one after another:
  corrected    the copy with a Bayesian correction, which each measurement improves
  sources      the best of each other machine, then the second best of each …
  scratch      boosted trees that know only what was measured
  random       random search, as the mean over all draws

Machines where the median is within 2 % of the best are left out. Every point is stored
in the workspace: the same command resumes where it was stopped or killed.)",
                                    .examples = R"(
sparsight-cli experiment hardware
sparsight-cli experiment hardware --settings gemm4096,pnpoly_2021 --seeds 2
sparsight-cli experiment hardware --targets MI50 --csv points.csv --report mi50.html)",
                                    .json = R"(
{"targets": [{"workload", "machine", "configurations", "sources", "median_over_best",
 "nearest", "distance", "most_alike", "tau"}], "flat": [{the same}], "estimates":
 [{"rule", "measurements", "mean_regret": {"value", "low", "high"},
 "no_worse_than_median": {"holding", "of", "value", "low", "high"},
 "no_worse_than_nearest", "no_worse_than_oracle", "half_of_random",
 "near_within_3_percent", "far_within_10_percent"}], "points": [{"workload",
 "machine", "rule", "measurements", "seed", "regret"}], "notes", "complete"}
A regret of 0.03 is 3 % slower than the best. half_of_random is the share of targets
with at most half of random search's regret.)",
                                    .events = R"(
{"event": "start", "job", "run", "pairs", "measurements", "seeds", "notes", "resumed"}
{"event": "point", "space", "workload", "machine", "rule", "measurements", "seed",
 "regret"}
{"event": "end", "estimates": […], "complete", "stopped"})"};

struct HardwareOptions {
    std::string domain;
    std::vector<std::string> settings;
    std::vector<std::string> targets;
    std::vector<int> measurements{10, 50};
    int seeds = 5;
    int threads = 1;
    std::string markdown;
    std::string csv;
    std::string figure;
    std::string report;
    ProgressForm progress = ProgressForm::Display;
};

std::vector<std::string> arguments_of(const HardwareOptions& options) {
    std::vector<std::string> arguments{std::string(hardware_command),
                                       "--measurements",
                                       fmt::format("{}", fmt::join(options.measurements, ",")),
                                       "--seeds",
                                       fmt::to_string(options.seeds),
                                       "--threads",
                                       fmt::to_string(options.threads)};
    if (!options.domain.empty())
        arguments.insert(arguments.end(), {"--domain", options.domain});
    if (!options.settings.empty())
        arguments.insert(arguments.end(),
                         {"--settings", fmt::format("{}", fmt::join(options.settings, ","))});
    if (!options.targets.empty())
        arguments.insert(arguments.end(), {"--targets", fmt::format("{}", fmt::join(options.targets, ","))});
    return arguments;
}

void follow(const Json& event, JobObserver& observer) {
    const std::string what = event.value("event", "");
    Json members = event;
    members.erase("event");
    if (what == "start") {
        members.erase("job");
        observer.start(members);
        for (const Json& note : event.value("notes", Json::array()))
            observer.note(note.get<std::string>());
    } else if (what == "point") {
        observer.event(what, members);
    } else if (what == "progress") {
        const std::string stage = event.value("stage", "");
        observer.event(what, members);
        observer.show({.stage = stage,
                       .done = event.value("done", std::uint64_t{0}),
                       .total = event.value("total", std::uint64_t{0})});
    }
}

ExitCode tell(const Session& session, const HardwareOptions& options, JobObserver& observer,
              const HardwareExperiment& experiment) {
    const auto written =
        write_named_files(session, {{options.markdown, [&] { return hardware_markdown(experiment); }},
                                    {options.csv, [&] { return hardware_csv(experiment); }},
                                    {options.figure, [&] { return svg_file(hardware_figure(experiment)); }},
                                    {options.report, [&] { return hardware_html(experiment); }}});
    if (!written)
        return observer.refuse(written.error());
    Json json = hardware_json(experiment);
    json["complete"] = true;
    if (observer.tells_events())
        observer.end({{"estimates", json["estimates"]}}, true, false);
    else if (session.options.json)
        session.print_json(json);
    else
        session.print(hardware_text(experiment));
    return ExitCode::Done;
}

ExitCode run_experiment_of(const Session& session, const HardwareOptions& options) {
    const Interruption interruption;
    JobObserver observer(session, "experiment", options.progress);
    if (const auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite); !workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto answer = follow_learner(
        {.workspace = session.workspace_path(), .seed = session.options.seed}, arguments_of(options),
        [&](const Json& event) { follow(event, observer); }, interruption.token());
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
    auto experiment = parse_hardware_experiment(*answer);
    if (!experiment)
        return observer.refuse(experiment.error());
    experiment->created_by = session.program_version();
    return tell(session, options, observer, *experiment);
}

} // namespace

void add_experiment_hardware(CLI::App& experiment, Session& session) {
    CLI::App& command = add_command(experiment, "hardware",
                                    "Transfer to a machine with few or no measurements", hardware_help);
    const auto options = std::make_shared<HardwareOptions>();
    add_domain_option(command, session.domains, options->domain);
    command
        .add_option("--settings", options->settings,
                    "spaces of configurations, separated by commas\n(default: all that have times)")
        ->type_name("NAMES")
        ->delimiter(',');
    command
        .add_option("--targets", options->targets,
                    "machines to take for new, separated by commas\n(default: each in its turn)")
        ->type_name("NAMES")
        ->delimiter(',');
    command
        .add_option("--measurements", options->measurements,
                    "numbers of measurements on the new machine (default 10,50)")
        ->type_name("N,N")
        ->delimiter(',')
        ->check(whole_numbers(1, 100'000));
    command.add_option("--seeds", options->seeds, "trainings of trees for each point (default 5)")
        ->type_name("N")
        ->check(whole_numbers(1, 1000));
    add_threads_option(command, options->threads, "threads that train trees (default 1)");
    command.add_option("--markdown", options->markdown, "write the tables as Markdown")->type_name("FILE");
    command.add_option("--csv", options->csv, "write every point of every seed")->type_name("FILE");
    command.add_option("--figure", options->figure, "write the mean regret by measurements (SVG)")
        ->type_name("FILE");
    command.add_option("--report", options->report, "write a page with tables and figures (HTML)")
        ->type_name("FILE");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return run_experiment_of(session, *options); });
}

} // namespace sparsight

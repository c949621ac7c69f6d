#include "cli/sparse/sparse_commands.h"
#include "cli/sparse/transfer_files.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/explanation/pages/transfer_report.h"
#include "workflow/process/learn_process.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

constexpr CommandHelp contributions_help{.description = R"(
What do simulator, network and meta-learning each contribute to a gray box? The model
is adapted to each machine that is named, with 0, 1, 2 … of its matrices, and so are
its rivals, on the same matrices:
  simulator    the calibrated simulator alone
  scratch      the same gray box without meta-learning
  trees        boosted trees that know nothing else
  MODEL        another network, without the simulator
  blend:MODEL  that network blended with the calibrated simulator
All are tested with the same matrices, which none has seen in any form. Times are
looked up; nothing is measured.

The adapted models stay as MODEL-contributions-1 and so on. Points are stored as they
are made: the same command resumes where it was stopped.)",
                                         .examples = R"(
sparsight-cli experiment contributions --model gray --machine 'AMD EPYC'
sparsight-cli experiment contributions --model gray --machine 'Xeon 8272CL' \
    --against simulator,blend:meta --figure parts.svg --report parts.html)",
                                         .json = R"(
{"operator", "dense", "targets": [{"machine", "matrices", "imagined_from"}],
 "sources", "estimates": [{"target", "source", "shots", METRIC: {"value", "low",
 "high"}}], "comparisons": [{"target", "better", "than", "seeds", "value", "low",
 "high"}], "trainings", "points": [{"target", "source", "seed", "shots", "metrics"}],
 "notes", "complete"}
The sources are the contenders, the model first.)",
                                         .events = R"(
{"event": "start", "job"}
{"event": "point", "machine", "contender", "shots", "seeds", "mean"}
{"event": "end", "comparisons": […], "complete", "stopped"})"};

struct ContributionsOptions {
    std::string model;
    std::vector<std::string> machines;
    std::vector<std::string> against{"simulator", "scratch", "trees"};
    std::string shots = "0,1,2,5,10,25,100000";
    int seeds = 5;
    TransferFiles files;
    ProgressForm progress = ProgressForm::Display;
};

/// One machine's part: the answer of sparsight-learn.
Result<Json> adapt_to(const Session& session, const ContributionsOptions& options, std::size_t place,
                      JobObserver& observer, const std::stop_token& stop) {
    const std::string& machine = options.machines[place];
    std::vector<std::string> arguments{"finetune",
                                       "--model",
                                       options.model,
                                       "--machine",
                                       machine,
                                       "--name",
                                       fmt::format("{}-contributions-{}", options.model, place + 1),
                                       "--renew",
                                       "--workloads",
                                       "100000",
                                       "--shots",
                                       options.shots,
                                       "--seeds",
                                       fmt::to_string(options.seeds)};
    if (!options.against.empty())
        arguments.insert(arguments.end(), {"--against", fmt::format("{}", fmt::join(options.against, ","))});
    return follow_learner(
        {.workspace = session.workspace_path(), .seed = session.options.seed}, std::move(arguments),
        [&](const Json& event) {
            const std::string what = event.value("event", "");
            if (what == "shot") {
                Json point = event;
                point.erase("event");
                point["machine"] = machine;
                observer.event("point", point);
            } else if (what == "progress") {
                const std::string stage = fmt::format("{}: {}", machine, event.value("stage", ""));
                observer.show({.stage = stage,
                               .done = event.value("done", std::uint64_t{0}),
                               .total = event.value("total", std::uint64_t{0})});
            }
        },
        stop);
}

ExitCode tell(const Session& session, const ContributionsOptions& options, JobObserver& observer,
              const TransferExperiment& experiment) {
    const auto written = write_transfer_files(session, options.files, experiment);
    if (!written)
        return observer.refuse(written.error());
    Json json = transfer_json(experiment);
    json["complete"] = true;
    if (observer.tells_events())
        observer.end({{"comparisons", json["comparisons"]}}, true, false);
    else if (session.options.json)
        session.print_json(json);
    else
        session.print(transfer_text(experiment));
    return ExitCode::Done;
}

ExitCode run_contributions(const Session& session, const ContributionsOptions& options) {
    const Interruption interruption;
    JobObserver observer(session, "experiment", options.progress);
    if (const auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite); !workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    observer.start(Json::object());
    std::vector<std::pair<std::string, Json>> answers;
    for (std::size_t place = 0; place < options.machines.size(); ++place) {
        auto answer = adapt_to(session, options, place, observer, interruption.token());
        observer.clear();
        const bool is_stopped =
            answer ? answer->value("stopped", false) : answer.error().fault == Fault::Cancelled;
        if (is_stopped)
            session.remark("stopped: run the same command again to go on");
        if (!answer)
            return observer.refuse(answer.error());
        if (is_stopped)
            return ExitCode::Interrupted;
        answers.emplace_back(options.machines[place], *std::move(answer));
    }
    auto experiment = contributions_of(answers);
    if (!experiment)
        return observer.refuse(experiment.error());
    experiment->created_by = session.program_version();
    return tell(session, options, observer, *experiment);
}

} // namespace

void add_experiment_contributions(CLI::App& experiment, Session& session) {
    CLI::App& command = add_command(experiment, "contributions",
                                    "Compare a gray box with its parts and rivals", contributions_help);
    const auto options = std::make_shared<ContributionsOptions>();
    command.add_option("--model", options->model, "a gray box")->type_name("MODEL")->required();
    command.add_option("--machine", options->machines, "a machine to adapt to; may be repeated")
        ->type_name("NAME")
        ->required()
        ->allow_extra_args(false);
    command
        .add_option("--against", options->against,
                    "rivals, separated by commas (default:\nsimulator,scratch,trees)")
        ->type_name("NAMES")
        ->delimiter(',');
    command.add_option("--shots", options->shots, "matrices to adapt to (default: 0,1,2,5,10,25 and all)")
        ->type_name("N,N");
    command.add_option("--seeds", options->seeds, "draws of these matrices (default 5)")
        ->type_name("N")
        ->check(whole_numbers(1, 1000));
    add_transfer_files(command, options->files);
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return run_contributions(session, *options); });
}

} // namespace sparsight

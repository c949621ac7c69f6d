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
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
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
  trees:simulator
               boosted trees that correct the calibrated simulator; they
               read what the gray box reads
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

/// Models that are adapted to the same matrices of machines.
struct CurveRequest {
    std::string model{}; ///< the first; it keeps the adapted ones as NAME-1, NAME-2 …
    std::string name{};
    std::vector<std::string> machines{};
    std::vector<std::string> against{"simulator", "scratch", "trees"};
    std::string shots = "0,1,2,5,10,25,100000";
    int seeds = 5;
    ExperimentKind kind = ExperimentKind::Contributions;
};

struct ContributionsOptions {
    CurveRequest curves;
    TransferFiles files;
    ProgressForm progress = ProgressForm::Display;
};

/// One machine's part: the answer of sparsight-learn.
Result<Json> adapt_to(const Session& session, const CurveRequest& request, std::size_t place,
                      JobObserver& observer, const std::stop_token& stop) {
    const std::string& machine = request.machines[place];
    std::vector<std::string> arguments{"finetune",
                                       "--model",
                                       request.model,
                                       "--machine",
                                       machine,
                                       "--name",
                                       fmt::format("{}-{}", request.name, place + 1),
                                       "--renew",
                                       "--workloads",
                                       "100000",
                                       "--shots",
                                       request.shots,
                                       "--seeds",
                                       fmt::to_string(request.seeds)};
    if (!request.against.empty())
        arguments.insert(arguments.end(), {"--against", fmt::format("{}", fmt::join(request.against, ","))});
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

ExitCode tell(const Session& session, const TransferFiles& files, JobObserver& observer,
              const TransferExperiment& experiment) {
    const auto written = write_transfer_files(session, files, experiment);
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

ExitCode refuse_or_stop(const Session& session, JobObserver& observer, const Error& error) {
    if (error.fault == Fault::Cancelled)
        session.remark("stopped: run the same command again to go on");
    return observer.refuse(error);
}

/// `title` names a contender for people.
ExitCode draw_curves(const Session& session, const CurveRequest& request, const TransferFiles& files,
                     const std::function<std::string(std::string contender)>& title, JobObserver& observer,
                     const std::stop_token& stop) {
    std::vector<std::pair<std::string, Json>> answers;
    for (std::size_t place = 0; place < request.machines.size(); ++place) {
        auto answer = adapt_to(session, request, place, observer, stop);
        observer.clear();
        if (!answer)
            return refuse_or_stop(session, observer, answer.error());
        if (answer->value("stopped", false)) {
            session.remark("stopped: run the same command again to go on");
            return ExitCode::Interrupted;
        }
        if (answer->contains("shots") && (*answer)["shots"].is_array())
            for (Json& shot : (*answer)["shots"])
                shot["contender"] = title(shot.value("contender", ""));
        answers.emplace_back(request.machines[place], *std::move(answer));
    }
    auto experiment = contributions_of(answers, request.kind);
    if (!experiment)
        return observer.refuse(experiment.error());
    experiment->created_by = session.program_version();
    return tell(session, files, observer, *experiment);
}

ExitCode run_contributions(const Session& session, const ContributionsOptions& options) {
    const Interruption interruption;
    JobObserver observer(session, "experiment", options.progress);
    if (const auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite); !workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    observer.start(Json::object());
    CurveRequest curves = options.curves;
    curves.name = curves.model + "-contributions";
    return draw_curves(session, curves, options.files, std::identity(), observer, interruption.token());
}

void add_curve_options(CLI::App& command, CurveRequest& curves) {
    command.add_option("--machine", curves.machines, "a machine to adapt to; may be repeated")
        ->type_name("NAME")
        ->required()
        ->allow_extra_args(false);
    command.add_option("--shots", curves.shots, "matrices to adapt to (default: 0,1,2,5,10,25 and all)")
        ->type_name("N,N");
    command.add_option("--seeds", curves.seeds, "draws of these matrices (default 5)")
        ->type_name("N")
        ->check(whole_numbers(1, 1000));
}

} // namespace

void add_experiment_contributions(CLI::App& experiment, Session& session) {
    CLI::App& command = add_command(experiment, "contributions",
                                    "Compare a gray box with its parts and rivals", contributions_help);
    const auto options = std::make_shared<ContributionsOptions>();
    command.add_option("--model", options->curves.model, "a gray box")->type_name("MODEL")->required();
    command
        .add_option("--against", options->curves.against,
                    "rivals, separated by commas (default:\nsimulator,scratch,trees)")
        ->type_name("NAMES")
        ->delimiter(',');
    add_curve_options(command, options->curves);
    add_transfer_files(command, options->files);
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return run_contributions(session, *options); });
}

namespace {

constexpr CommandHelp methods_help{.description = R"(
Which method of meta-learning learns most from few measurements of a new machine? A
model is meta-trained by each method on the same simulated machines, with the same
settings (--preset, --config) and as many epochs. All are adapted to each machine that
is named, with 0, 1, 2 … of its matrices, each by the rule of its method: inner steps,
or the closed form. The simulators of gray boxes are calibrated with the same matrices
first, and the calibrated simulator alone is one of the curves.

All are tested with the same matrices, which none has seen in any form. Times are
looked up; nothing is measured. The models stay as NAME-METHOD, and the adapted ones of
the first method as NAME-adapted-1 and so on. The same command resumes where it was
stopped. --figure has one curve for each method.)",
                                   .examples = R"(
sparsight-cli experiment methods --machine 'AMD EPYC' --figure methods.svg
sparsight-cli experiment methods --machine 'AMD EPYC' --methods closed-form,maml,reptile \
    --epochs 10 --report methods.html)",
                                   .json = R"(
What `experiment contributions` prints. The sources are the methods in their order, and
simulator.)",
                                   .events = R"(
{"event": "start", "job"}
{"event": "point", "machine", "contender", "shots", "seeds", "mean"}
{"event": "end", "comparisons": […], "complete", "stopped"})"};

struct MethodsOptions {
    CurveRequest curves{.against = {}, .kind = ExperimentKind::Methods};
    std::vector<std::string> methods{"closed-form", "maml",     "fomaml", "reptile",
                                     "anil",        "meta-sgd", "report"};
    std::string name = "methods";
    std::string preset = "gray-box";
    std::string config;
    std::optional<int> epochs;
    TransferFiles files;
    ProgressForm progress = ProgressForm::Display;
};

/// What the presets leave open to methods with inner steps; as in `experiment tasks`.
const std::vector<std::string> usual_inner_steps{"--inner-steps", "3", "--inner-rate", "0.05"};

std::vector<std::string> training_of(const MethodsOptions& options, const std::string& method) {
    std::vector<std::string> arguments{"train",    "--preset", options.preset,
                                       "--method", method,     "--no-baseline"};
    if (!options.config.empty())
        arguments.insert(arguments.end(), {"--config", options.config});
    else if (method != "closed-form")
        arguments.insert(arguments.end(), usual_inner_steps.begin(), usual_inner_steps.end());
    if (options.epochs)
        arguments.insert(arguments.end(), {"--epochs", fmt::to_string(*options.epochs)});
    return arguments;
}

ExitCode run_methods(const Session& session, const MethodsOptions& options) {
    const Interruption interruption;
    JobObserver observer(session, "experiment", options.progress);
    if (const auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite); !workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    observer.start(Json::object());
    const auto model_of = [&](const std::string& method) {
        return fmt::format("{}-{}", options.name, method);
    };
    CurveRequest curves = options.curves;
    for (const std::string& method : options.methods) {
        auto made =
            make_model({.workspace = session.workspace_path(), .seed = session.options.seed},
                       model_of(method), training_of(options, method), observer, interruption.token());
        observer.clear();
        if (!made)
            return refuse_or_stop(session, observer, made.error());
        if (curves.model.empty())
            curves.model = model_of(method);
        else
            curves.against.push_back(model_of(method));
    }
    if (options.preset == "gray-box")
        curves.against.emplace_back("simulator");
    curves.name = options.name + "-adapted";
    const auto method_of = [&](std::string contender) {
        const std::string prefix = options.name + "-";
        return contender.starts_with(prefix) ? contender.substr(prefix.size()) : contender;
    };
    return draw_curves(session, curves, options.files, method_of, observer, interruption.token());
}

} // namespace

void add_experiment_methods(CLI::App& experiment, Session& session) {
    CLI::App& command =
        add_command(experiment, "methods", "Compare methods of meta-learning on a new machine", methods_help);
    const auto options = std::make_shared<MethodsOptions>();
    command
        .add_option("--methods", options->methods,
                    "methods, separated by commas; the others are compared\nwith the first (default: "
                    "closed-form,maml,fomaml,\nreptile,anil,meta-sgd,report)")
        ->type_name("NAMES")
        ->delimiter(',');
    command.add_option("--name", options->name, "what the models' names begin with (default methods)")
        ->type_name("NAME");
    command.add_option("--preset", options->preset, "preset of `train` for all of them (default gray-box)")
        ->type_name("PRESET");
    command.add_option("--config", options->config, "settings of all trainings (see train)")
        ->type_name("FILE");
    command.add_option("--epochs", options->epochs, "epochs of each training (default: the preset's)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    add_curve_options(command, options->curves);
    add_transfer_files(command, options->files);
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return run_methods(session, *options); });
}

} // namespace sparsight

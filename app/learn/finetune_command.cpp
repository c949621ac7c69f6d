#include "base/memory.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/program.h"
#include "learn/commands.h"
#include "learn/model_facts.h"
#include "learn/settings_options.h"
#include "workflow/learning/fine_tuning/finetune_run.h"

#include <CLI/CLI.hpp>

namespace sparsight {

namespace {

constexpr CommandHelp finetune_help{.description = R"(
Adapts a model to a machine with few measurements, by the inner loop of its
meta-training or by Adam. The new model is stored under --name. The output compares
how well it and --model rank the test workloads.

--shots shows how many workloads are worth measuring. The model and the models of
--against are adapted to each number of workloads, with --seeds random draws, and
tested on the same workloads, with 95 % confidence intervals. The table shows pairs in
the right order; of workloads with one configuration the mean error of the times.

A network is adapted alone. Earlier versions blended it with the simulator by two
weights. Such models still load and score as they did. Gray boxes have replaced them;
--against blend:MODEL compares with one.

A gray box has the simulator inside. It is calibrated to the measurements; then the last
layer is solved for in closed form, and boosted trees learn what is left. With one or
two workloads they correct the simulator alone. `models show` tells in what the machine
is unlike its simulator.

Ctrl-C stops (exit code 130). The same command resumes, and computes no point of the
curve twice.)",
                                    .examples = R"(
sparsight-cli finetune --model meta --machine laptop --name meta-laptop
sparsight-cli finetune --model meta --machine laptop --name curve --shots 0,1,5,10 --against scratch,first
sparsight-cli finetune --model gray --machine laptop --name parts --shots 0,1,5 --against simulator,blend:meta)",
                                    .json = R"(
{"run", "model", "verdict": "better", "equal" or "worse", "gained_by": "network",
 "simulator", "both" or "nothing", "asked", "used", "before": {METRIC: NUMBER}, "after": {METRIC: NUMBER},
 "simulator_alone": {METRIC: NUMBER}, "doubt": {"residual", "temperature", "reach",
 "calibrated_on"} or null, "reliability": {"pairs", "matrices", "error",
 "uncalibrated_error", "within", "differences", "bins": [{"lowest", "highest",
 "predicted", "observed", "low", "high", "pairs"}]} or null, "remarks": [SENTENCE],
 "shots": [{"contender", "shots", "seeds", "mean"}], "seconds"}
verdict: the model after compared with the one before, by pairs in the right order on
the test; less than a tenth of a percentage point is no difference. gained_by: the
part of the model that brought the gain. asked and used: matrices to learn from, null
where they are named. simulator_alone: of a gray box, its calibrated simulator. doubt:
of a gray box, the scatter of the logarithms of measured times about the
predicted ones, the factor that makes a stated order come true as often as stated, how
many deviations hold 95 % of the differences, and how many validation matrices chose
both. reliability: the same on the test matrices: in each bin how sure the model was
of the order of two schedules, and how often it was right, with 95 % bounds; error is
their mean distance, within the share of differences within their 95 % interval.
points of resumed_at are those of the curve that are known. Metrics as `train
--help` explains them.)",
                                    .events = R"(
{"event": "start", "job", "run", "name", "parent", "method", "architecture",
 "epochs", "steps_per_epoch", "machines": [NAME], "matrices": {"train",
 "validation", "test"}, "notes": [SENTENCE], "replaces", "resumed_at":
 {"epoch", "step", "points"} or null, "parameters"}
{"event": "epoch", "epoch", "training_loss"}
{"event": "shot", "contender", "shots", "seeds": [{METRIC: NUMBER}],
 "mean": {METRIC: {"mean", "low", "high"}}})"};

struct FinetuneCommand {
    std::shared_ptr<SettingsInput> input = std::make_shared<SettingsInput>();
    std::string name;
    bool again = false;
    bool renew = false;
    ProgressForm progress = ProgressForm::Display;
};

Redo redo_of(const FinetuneCommand& options) {
    return options.again ? Redo::Always : options.renew ? Redo::WhenChanged : Redo::Never;
}

ExitCode print_outcome(JobObserver& observer, const FinetuneOutcome& outcome) {
    if (outcome.end == RunEnd::Stopped) {
        if (!observer.tells_events())
            return observer.refuse(outcome.reason);
        observer.end({{"run", outcome.run}, {"model", nullptr}}, false, true);
        return ExitCode::Interrupted;
    }
    observer.clear();
    observer.answer(outcome_json(outcome), outcome_text(outcome));
    return ExitCode::Done;
}

ExitCode finetune(Session& session, const LearningDomains& domains, const CLI::App& command,
                  const FinetuneCommand& options) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "finetune", options.progress);
    auto settings = collect_settings(command, session, *options.input);
    if (!settings)
        return observer.refuse(settings.error(), ExitCode::Usage);
    auto request = read_finetune_request(*settings);
    if (!request)
        return observer.refuse(request.error(), ExitCode::Usage);
    request->name = options.name;
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const FinetuneOrder order{*std::move(settings), *std::move(request), redo_of(options)};
    const auto outcome = run_finetuning(*workspace, domains, order, observer, interruption.token());
    if (!outcome)
        return observer.refuse(outcome.error());
    if (outcome->end == RunEnd::Refused)
        return refuse_request(observer, outcome->reason);
    return print_outcome(observer, *outcome);
}

} // namespace

void add_finetune_command(CLI::App& app, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(app, std::string(finetune_summary.name),
                                    std::string(finetune_summary.summary), finetune_help);
    const auto options = std::make_shared<FinetuneCommand>();
    options->input->definitions = finetune_settings(session.domains);
    command.add_option("--name", options->name, "name of the new model")->type_name("NAME")->required();
    add_settings_options(command, options->input);
    auto* const again = command.add_flag("--again", options->again,
                                         "train again; the new model replaces the one of this name");
    command
        .add_flag("--renew", options->renew,
                  "train again if the model of this name has other settings\nor training data")
        ->excludes(again);
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, &domains, &command, options] {
        return finetune(session, domains, command, *options);
    });
}

} // namespace sparsight

#include "base/memory.h"
#include "base/terminal_text.h"
#include "command/job.h"
#include "command/program.h"
#include "domains/sparse/workflow/learning/transfer/transfer_run.h"
#include "domains/sparse/workflow/learning_settings.h"
#include "learn/settings_options.h"
#include "learn/sparse/sparse_commands.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace sparsight {

namespace {

constexpr CommandHelp transfer_help{.description = R"(
The experiment on tasks: which machines to learn from before a machine is learned
that is new. `sparsight-cli experiment tasks` starts it and writes its report; its
help explains what is compared.)",
                                    .examples = R"(
sparsight-cli experiment tasks
sparsight-learn transfer --targets 'Xeon 8272CL' --seeds 3 --json)",
                                    .json = R"(
{"run", "operator", "dense", "targets", "sources", "trainings": [{"target",
 "source", "seed", "machines", "steps", "examples"}], "points": [{"target",
 "source", "seed", "shots", "metrics"}], "notes", "parameters"}
metrics: of all test matrices by METRIC, of each family of them by METRIC/FAMILY.)",
                                    .events = R"(
{"event": "start", "job", "run", "targets": [{"machine", "matrices",
 "imagined_from", "tasks_per_step"}], "sources", "shots", "seeds", "notes",
 "resumed", "parameters"}
{"event": "point", "target", "source", "seed", "shots", "metrics": {METRIC:
 NUMBER}})"};

Json outcome_json(const TransferOutcome& outcome) {
    Json trainings = Json::array();
    for (const auto& [cell, training] : outcome.trainings)
        trainings.push_back({{"target", outcome.targets[cell.target].machine},
                             {"source", name(cell.source)},
                             {"seed", cell.seed},
                             {"machines", training.machines},
                             {"steps", training.steps},
                             {"examples", training.examples}});
    Json points = Json::array();
    for (const auto& [point, metrics] : outcome.points)
        points.push_back(point_json(outcome, point, metrics));
    return {{"run", outcome.run},
            {"operator", name(outcome.op)},
            {"dense", outcome.dense},
            {"targets", targets_json(outcome)},
            {"sources", sources_json(outcome)},
            {"trainings", std::move(trainings)},
            {"points", std::move(points)},
            {"notes", outcome.notes},
            {"parameters", outcome.parameters}};
}

/// The ordered pair accuracy, as means over the seeds.
std::string outcome_text(const TransferOutcome& outcome) {
    std::map<std::tuple<std::size_t, std::size_t, MetaSource>, std::vector<double>> accuracies;
    for (const auto& [point, metrics] : outcome.points)
        if (const auto found = metrics.find("ordered_pair_accuracy"); found != metrics.end())
            accuracies[{point.first.target, point.second, point.first.source}].push_back(found->second);
    Table table(
        {{"target"}, {"matrices", Align::Right}, {"source"}, {"pairs in the right order", Align::Right}});
    for (const auto& [key, values] : accuracies)
        table.add_row({outcome.targets[std::get<0>(key)].machine, fmt::to_string(std::get<1>(key)),
                       std::string(name(std::get<2>(key))),
                       fmt::format("{:.4f}", std::reduce(values.begin(), values.end()) /
                                                 static_cast<double>(values.size()))});
    return table.text();
}

ExitCode print_outcome(JobObserver& observer, const TransferOutcome& outcome) {
    if (outcome.end == RunEnd::Stopped) {
        observer.remark("stopped: run the same command again to go on");
        if (!observer.tells_events())
            return observer.refuse(outcome.reason);
        observer.end(outcome_json(outcome), false, true);
        return ExitCode::Interrupted;
    }
    observer.clear();
    observer.answer(outcome_json(outcome), outcome_text(outcome));
    return ExitCode::Done;
}

ExitCode transfer(Session& session, const CLI::App& command, const SettingsInput& input,
                  ProgressForm progress) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "experiment", progress);
    auto settings = collect_settings(command, session, input);
    if (!settings)
        return observer.refuse(settings.error(), ExitCode::Usage);
    auto request = read_transfer_request(*settings);
    if (!request)
        return observer.refuse(request.error(), ExitCode::Usage);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const TransferOrder order{*std::move(settings), *std::move(request)};
    const auto outcome = run_transfer(*workspace, order, observer, interruption.token());
    return outcome ? print_outcome(observer, *outcome) : observer.refuse(outcome.error());
}

} // namespace

void add_transfer_command(CLI::App& app, Session& session, const LearningDomains&) {
    CLI::App& command = add_command(app, std::string(transfer_command),
                                    "Compare sources of training for a new machine", transfer_help);
    const auto input = std::make_shared<SettingsInput>();
    input->definitions = transfer_setting_definitions();
    add_settings_options(command, input);
    const auto progress = std::make_shared<ProgressForm>(ProgressForm::Display);
    add_progress_option(command, *progress);
    set_action(command, session, [&session, &command, input, progress] {
        return transfer(session, command, *input, *progress);
    });
}

} // namespace sparsight

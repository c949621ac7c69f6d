#include "base/memory.h"
#include "base/parallel.h"
#include "base/terminal_text.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/options.h"
#include "command/program.h"
#include "learn/commands.h"
#include "model/tensors/torch_runtime.h"
#include "workflow/learning/reasons/time_prediction.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace sparsight {
namespace {

constexpr CommandHelp predict_help{.description = R"(
Says what a model makes of given configurations of workloads, such as schedules of
matrices. Every model gives a score: lower is faster, and only differences within one
workload have a meaning. A gray box gives its simulated and its learned time. It knows
times relative to the baseline. The baseline's measured time on --machine counts, or
its simulated time if there is none. Nothing is measured.)",
                                   .examples = R"(
sparsight-cli predict --model gray --pair cage8 '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32')",
                                   .json = R"(
{"model", "machine", "tells_times", "matrices": [{"matrix", "anchored",
 "schedules": [{"schedule", "score", "simulated_ms", "learned_ms", "low_ms",
   "high_ms", "beats_baseline", "corrections": {PARAMETER: NUMBER, "learned": NUMBER}}]}], parts of the setting}
Keys have the domain's words for "matrix" and "schedule". tells_times: the model is a
gray box, so that learned_ms are there. anchored: the baseline's time was measured.
low_ms and high_ms: the 95 % interval of the learned time over the measured one of the
baseline. beats_baseline: the probability that it is faster than the baseline. Both
need a gray box that was adapted to measurements. corrections: what a gray box adds to the logarithm of the simulated time, by the
parameters of its simulator, and "learned" for the rest. simulated_ms is null where
the model has no simulator, or the configuration can't run; then score is null, too.)",
                                   .events = R"(
{"event": "start", "job"}
{"event": "end", what --json prints, "complete", "stopped"})"};

struct PredictCommand {
    AskedPredictions asked;
    PartsOfCommand<AskedPredictions> parts;
};

std::string milliseconds_text(const std::optional<double>& milliseconds) {
    return milliseconds ? fmt::format("{:.4g}", *milliseconds) : "-";
}

std::string prediction_text(const PredictedTimes& predicted, const DomainWords& words) {
    std::vector<Table::Column> columns{
        {words.workload.one}, {"score", Align::Right}, {"simulated ms", Align::Right}};
    const bool states_doubt = std::ranges::any_of(predicted.workloads, [](const PredictedWorkload& workload) {
        return std::ranges::any_of(workload.times,
                                   [](const PredictedTime& time) { return time.beats_baseline.has_value(); });
    });
    if (predicted.tells_times)
        columns.push_back({"learned ms", Align::Right});
    if (states_doubt)
        columns.insert(columns.end(), {{"95 %", Align::Right}, {"beats baseline", Align::Right}});
    columns.push_back({words.configuration.one});
    Table table(columns);
    for (const PredictedWorkload& workload : predicted.workloads)
        for (const PredictedTime& time : workload.times) {
            std::vector<std::string> row{workload.name, fmt::format("{:.4f}", time.score),
                                         milliseconds_text(time.simulated_ms)};
            if (predicted.tells_times)
                row.push_back(milliseconds_text(time.learned_ms));
            if (states_doubt)
                row.insert(row.end(),
                           {time.low_ms && time.high_ms
                                ? fmt::format("{:.4g} … {:.4g}", *time.low_ms, *time.high_ms)
                                : "-",
                            time.beats_baseline ? fmt::format("{:.1f} %", 100 * *time.beats_baseline) : "-"});
            row.push_back(time.configuration);
            table.add_row(std::move(row));
        }
    return table.text();
}

ExitCode predict_pairs(const AskedPredictions& asked) {
    JobObserver& observer = *asked.observer;
    if (asked.question.pairs.empty())
        return observer.refuse(
            {Fault::Input, "--pair is missing, expected a workload and a configuration", {}, 0},
            ExitCode::Usage);
    const auto found = predict_times(*asked.workspace, *asked.domains, asked.question, observer, asked.stop);
    observer.clear();
    if (!found)
        return observer.refuse(found.error());
    const DomainWords& words = found->domain->words();
    Json json = predicted_times_json(found->times, words);
    for (const SettingMember& member : found->domain->members(found->setting))
        json[member.key] = member_json(member);
    observer.answer(json, prediction_text(found->times, words));
    return ExitCode::Done;
}

ExitCode predict(Session& session, PredictCommand& command) {
    keep_freed_memory();
    const Interruption interruption;
    AskedPredictions& asked = command.asked;
    JobObserver observer(session, "predict", asked.progress);
    asked.observer = &observer;
    asked.stop = interruption.token();
    if (auto ready = prepare_torch(asked.question.query.threads); !ready)
        return observer.refuse(ready.error());
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    asked.workspace = &*workspace;
    observer.start(Json::object());
    const auto domain = domain_of_model(*workspace, *asked.domains, asked.question.query.model);
    if (!domain)
        return observer.refuse(domain.error());
    const auto own = command.parts.of(**domain);
    if (!own)
        return observer.refuse(own.error(), ExitCode::Usage);
    if (*own == nullptr && !asked.file.empty())
        return observer.refuse(
            {Fault::Input, fmt::format("{} predicts no files, expected --pair", (*domain)->name()), {}, 0},
            ExitCode::Usage);
    if (*own == nullptr)
        return predict_pairs(asked);
    if (const auto checked = (*own)->check_own(asked); !checked)
        return observer.refuse(checked.error(), ExitCode::Usage);
    return (*own)->run(session, asked);
}

} // namespace

void add_predict_command(CLI::App& app, Session& session, const LearningDomains& domains,
                         const PredictionParts& parts) {
    const auto options = std::make_shared<PredictCommand>(AskedPredictions{.domains = &domains},
                                                          PartsOfCommand<AskedPredictions>(parts));
    CLI::App& command = options->parts.add_command_with_help(app, predict_summary, predict_help);
    AskedPredictions& asked = options->asked;
    PredictionQuestion& question = asked.question;
    question.query.threads = available_threads();
    command.add_option("--model", question.query.model, "the model to ask")->type_name("MODEL")->required();
    auto* const pairs = command
                            .add_option("--pair", question.pairs,
                                        "a workload of the workspace and the text of a\nconfiguration; may "
                                        "be repeated")
                            ->type_name("NAME TEXT");
    auto* const file =
        command.add_option("file", asked.file, "workloads that are not in the workspace, of basic blocks")
            ->type_name("FILE")
            ->excludes(pairs);
    command.add_option("--csv", asked.csv, "file for the predictions of FILE")->type_name("CSV")->needs(file);
    add_setting_options(command, session.domains, question.query.setting, SettingParts::OpenToModels);
    command
        .add_option("--machine", question.query.machine,
                    "name or fingerprint of the machine (default: this\ncomputer)")
        ->type_name("NAME");
    options->parts.add_options(command);
    add_threads_option(command, question.query.threads, "threads that compute (default: all)");
    add_progress_option(command, asked.progress);
    set_action(command, session, [&session, options] { return predict(session, *options); });
}

} // namespace sparsight

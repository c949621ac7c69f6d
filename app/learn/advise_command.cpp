#include "base/memory.h"
#include "base/parallel.h"
#include "base/terminal_text.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/options.h"
#include "command/program.h"
#include "learn/commands.h"
#include "model/tensors/torch_runtime.h"
#include "workflow/learning/fine_tuning/measuring_advice.h"
#include "workflow/learning/models/model_storage.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {
namespace {

constexpr CommandHelp advise_help{.description = R"(
Says which workloads of a machine to measure first, so that a gray box learns most
from them. Each is chosen so that the least doubt is left about the order of
configurations of all workloads, given those before it and what the machine has times
of. Nothing is measured: `sparsight-cli collect --for MODEL` measures what is advised.)",
                                  .examples = R"(
sparsight-cli advise --model gray --machine 'AMD EPYC'
sparsight-cli advise --model gray --machine laptop --count 10 --json
sparsight-cli collect --for gray --most 5 --budget 10m)",
                                  .json = R"(
{"model", "machine", "setting", "known", "matrices": [{"matrix", "doubt_left"}], "notes"}
Keys have the domain's words for "matrix". setting: in which to measure. known:
workloads that the machine has times of already. doubt_left: what measuring this one and those before it leaves of the
doubt, from 1 towards 0.)",
                                  .events = R"(
{"event": "start", "job"}
{"event": "end", what --json prints, "complete", "stopped"})"};

struct AdviseOptions {
    AdviceRequest request;
    ProgressForm progress = ProgressForm::Display;
};

Json advice_json(const AdviceRequest& request, const MeasuringAdvice& advice, const DomainWords& words) {
    Json workloads = Json::array();
    for (const AdvisedWorkload& each : advice.workloads)
        workloads.push_back({{words.workload.one, each.name}, {"doubt_left", each.doubt_left}});
    return {{"model", request.model}, {"machine", advice.machine},      {"setting", advice.setting.text},
            {"known", advice.known},  {words.workload.many, workloads}, {"notes", advice.notes}};
}

std::string advice_text(const MeasuringAdvice& advice, const DomainWords& words) {
    if (advice.workloads.empty())
        return fmt::format("no {} is left to measure on {}\n", words.workload.one, advice.machine);
    Table table({{words.workload.one}, {"doubt left", Align::Right}});
    for (const AdvisedWorkload& each : advice.workloads)
        table.add_row({each.name, fmt::format("{:.0f} %", 100 * each.doubt_left)});
    return table.text();
}

ExitCode advise(Session& session, const LearningDomains& domains, const AdviseOptions& options) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "advise", options.progress);
    AdviceRequest request = options.request;
    request.seed = session.options.seed;
    if (auto ready = prepare_torch(request.threads); !ready)
        return observer.refuse(ready.error());
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    observer.start(Json::object());
    const auto domain = domain_of_model(*workspace, domains, request.model);
    if (!domain)
        return observer.refuse(domain.error());
    const auto advice = advise_measuring(*workspace, domains, request, interruption.token(),
                                         [&](const Progress& state) { observer.show(state); });
    observer.clear();
    if (!advice)
        return observer.refuse(advice.error());
    const DomainWords& words = (*domain)->words();
    observer.answer(advice_json(request, *advice, words), advice_text(*advice, words));
    return ExitCode::Done;
}

} // namespace

void add_advise_command(CLI::App& app, Session& session, const LearningDomains& domains) {
    CLI::App& command =
        add_command(app, std::string(advise_summary.name), std::string(advise_summary.summary), advise_help);
    const auto options = std::make_shared<AdviseOptions>();
    options->request.threads = available_threads();
    command.add_option("--model", options->request.model, "a gray box")->type_name("MODEL")->required();
    command.add_option("--machine", options->request.machine, "name or fingerprint of the machine")
        ->type_name("NAME")
        ->required();
    command.add_option("--count", options->request.count, "how many workloads (default 5)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    add_threads_option(command, options->request.threads, "threads of LibTorch (default: all)");
    add_progress_option(command, options->progress);
    set_action(command, session,
               [&session, &domains, options] { return advise(session, domains, *options); });
}

} // namespace sparsight

#include "base/memory.h"
#include "base/terminal_text.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "learn/commands.h"
#include "learn/experiment_answer.h"
#include "workflow/chosen_setting.h"
#include "workflow/learning/experiments/hardware_run.h"
#include "workflow/learning_settings.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <tuple>

namespace sparsight {
namespace {

constexpr CommandHelp hardware_help{.description = R"(
The experiment on transfer to a machine on which nothing or little was measured.
`sparsight-cli experiment hardware` starts it and writes its report; its help explains
what is compared.)",
                                    .examples = R"(
sparsight-cli experiment hardware
sparsight-learn hardware --settings gemm4096 --targets MI50 --json)",
                                    .json = R"(
{"run", "pairs": [{"space", "workload", "machine", "configurations", "sources",
 "best_ms", "median_over_best", "nearest", "distance", "most_alike", "tau"}], "flat": […],
 "points": [{"space", "workload", "machine", "rule", "measurements", "seed",
 "regret"}], "tunings": [{"space", "workload", "machine", "rule", "seed", "steps":
 [[measurements, best ms, ms spent]]}], "networks": [{"network", "source", "machine",
 "missing", "layers": [{"workload", "occurrences", "gflop", "is_significant"}],
 "tasks": [{"layer", "space", "best"}], "tunings": [{"seed", "tasks": [{"scratch",
 "transfer", "unmeasured", "is_chosen"}]}]}], "orders": [{"space", "workload", "machine",
 "is_without_kind", "seed", "corrected", "source"}], "notes"})",
                                    .events = R"(
{"event": "start", "job", "run", "pairs", "known": [{a point}], "measurements", "seeds",
 "notes", "resumed"}
{"event": "point", "space", "workload", "machine", "rule", "measurements", "seed",
 "regret"}
{"event": "tuning", "space", "workload", "machine", "rule", "seed", "steps"}
{"event": "tuning", "network", "machine", "seed"}
{"event": "order", "space", "workload", "machine", "is_without_kind", "seed",
 "corrected", "source"})"};

struct HardwareOptions {
    HardwareRequest request;
    ProgressForm progress = ProgressForm::Display;
};

Json outcome_json(const HardwareOutcome& outcome) {
    const auto pairs_json = [](const std::vector<HardwarePair>& pairs) {
        Json list = Json::array();
        for (const HardwarePair& pair : pairs)
            list.push_back(pair_json(pair));
        return list;
    };
    Json points = Json::array();
    for (const auto& [cell, regret] : outcome.points)
        points.push_back(point_json(outcome, cell, regret));
    Json tunings = Json::array();
    for (const auto& [cell, steps] : outcome.tunings)
        tunings.push_back(tuning_json(outcome, cell, steps));
    Json networks = Json::array();
    for (const NetworkTimes& network : outcome.networks)
        networks.push_back(network_json(network));
    Json orders = Json::array();
    for (const auto& [cell, order] : outcome.orders)
        orders.push_back(order_json(outcome, cell, order));
    return {{"run", outcome.run},
            {"pairs", pairs_json(outcome.pairs)},
            {"flat", pairs_json(outcome.flat)},
            {"points", std::move(points)},
            {"tunings", std::move(tunings)},
            {"networks", std::move(networks)},
            {"orders", std::move(orders)},
            {"notes", outcome.notes}};
}

std::string outcome_text(const HardwareOutcome& outcome) {
    std::map<std::pair<std::size_t, std::string>, std::vector<double>> regrets;
    for (const auto& [cell, regret] : outcome.points)
        regrets[{cell.shots, cell.rule}].push_back(regret);
    Table table({{"rule"}, {"measurements", Align::Right}, {"mean regret", Align::Right}});
    for (const auto& [key, values] : regrets)
        table.add_row({key.second, fmt::to_string(key.first),
                       fmt::format("{:.1f} %", 100 * std::reduce(values.begin(), values.end()) /
                                                   static_cast<double>(values.size()))});
    return table.text();
}

ExitCode run(Session& session, const LearningDomains& domains, HardwareOptions options) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "experiment", options.progress);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto chosen = choose_domain(*workspace, session.domains, options.request.domain);
    if (!chosen)
        return observer.refuse(chosen.error());
    const auto domain = domains.require((*chosen)->name());
    if (!domain)
        return observer.refuse(domain.error());
    options.request.seed = session.options.seed;
    std::ranges::sort(options.request.shots);
    const auto outcome = run_hardware(*workspace, **domain, options.request, observer, interruption.token());
    if (!outcome)
        return observer.refuse(outcome.error());
    return answer_experiment(observer, *outcome, outcome_json(*outcome), outcome_text(*outcome));
}

} // namespace

void add_hardware_command(CLI::App& app, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(app, std::string(hardware_command),
                                    "Transfer to a machine with few or no measurements", hardware_help);
    const auto options = std::make_shared<HardwareOptions>();
    HardwareRequest& request = options->request;
    add_domain_option(command, session.domains, request.domain);
    command
        .add_option("--settings", request.settings, "settings as results show them (default: all with times)")
        ->type_name("TEXTS")
        ->delimiter(',');
    command.add_option("--workload", request.workloads, "a workload to transfer for (default: all)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.add_option("--targets", request.targets, "machines to take for new (default: all)")
        ->type_name("NAMES")
        ->delimiter(',');
    command
        .add_option("--measurements", request.shots, "numbers of measurements on a target (default 10,50)")
        ->type_name("N,N")
        ->delimiter(',')
        ->check(whole_numbers(1, 100'000));
    command.add_option("--networks", request.networks, "a table of networks (default: BERT-base)")
        ->type_name("FILE");
    command.add_option("--seeds", request.seeds, "draws of what depends on chance (default 5)")
        ->type_name("N")
        ->check(whole_numbers(1, 1000));
    command
        .add_option("--tuning", request.tuning,
                    "measurements of a whole tuning (default 100; 0: compare none)")
        ->type_name("N")
        ->check(whole_numbers(0, 100'000));
    command
        .add_option("--significant", request.significant,
                    "share of a network's operations in the layers to tune (default 0.9)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0));
    command.add_flag("--orders", request.orders,
                     "the order of all configurations after the fewest measurements, too");
    add_threads_option(command, request.threads, "threads of the trees (default 1)");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, &domains, options] { return run(session, domains, *options); });
}

} // namespace sparsight

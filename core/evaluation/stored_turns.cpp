#include "evaluation/stored_turns.h"

#include "evaluation/evaluation_parameters.h"
#include "evaluation/rematch_times.h"
#include "store/choices.h"
#include "store/workspace.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

namespace sparsight {

namespace {

/// Whether the times of the run are comparable with those that the scope looks up.
bool is_of_same_times(const RunRecord& run, const Domain& domain, const EvaluationScope& scope) {
    if (run.kind != "evaluate" || run.id == scope.run)
        return false;
    const nlohmann::json parameters = parameters_of(run);
    const auto threads = number_in(parameters, "threads");
    return is_of(parameters, domain) && text_in(parameters, "machine") == scope.machine.fingerprint &&
           setting_in(parameters, domain) == scope.setting &&
           text_in(parameters, "protocol") == scope.protocol &&
           threads == (scope.threads ? std::optional<std::int64_t>(*scope.threads) : std::nullopt) &&
           text_in(parameters, "condition") == scope.condition.value_or("");
}

} // namespace

Result<void> look_up_turns(Workspace& workspace, const Domain& domain, const EvaluationScope& scope) {
    const auto codec = domain.codec(scope.setting);
    if (!codec)
        return std::unexpected(codec.error());
    auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(std::move(runs).error());
    const auto workloads = list_workloads(workspace, domain.name());
    if (!workloads)
        return std::unexpected(workloads.error());
    std::erase_if(*runs, [&](const RunRecord& run) { return !is_of_same_times(run, domain, scope); });
    std::ranges::sort(*runs, std::ranges::greater(), &begun);
    if (runs->empty())
        return {};
    for (const WorkloadRecord& workload : *workloads) {
        if (std::ranges::find(scope.workloads, workload.id) == scope.workloads.end())
            continue;
        const auto own = list_turn_times(workspace, scope.run, workload.id);
        if (!own)
            return std::unexpected(own.error());
        if (!own->empty())
            continue;
        const auto wanted = contenders(workspace, domain, scope, workload.id, workload.name);
        if (!wanted)
            return std::unexpected(wanted.error());
        for (const RunRecord& run : *runs) {
            if (!run.ended.empty() && run.ended < wanted->engine_since)
                continue;
            const auto known = RematchTimes::read(workspace, *codec, run.id, workload.id);
            if (!known)
                return std::unexpected(known.error());
            if (!known->have_likely_best(*wanted))
                continue;
            if (auto stored = record_turn_times(workspace, scope.run, workload.id, known->of(*wanted));
                !stored)
                return stored;
            break;
        }
    }
    return {};
}

} // namespace sparsight

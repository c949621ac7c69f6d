#include "evaluation/stored_turns.h"

#include "evaluation/evaluation_parameters.h"
#include "evaluation/known_times.h"
#include "evaluation/rematch_times.h"
#include "store/choices.h"
#include "store/workspace.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
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

Result<std::vector<TurnsOfWorkload>> find_turns_elsewhere(Workspace& workspace, const Domain& domain,
                                                          const EvaluationScope& scope) {
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
    std::vector<TurnsOfWorkload> found;
    if (runs->empty())
        return found;
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
            found.push_back({workload.id, known->of(*wanted)});
            break;
        }
    }
    return found;
}

Result<void> look_up_turns(Workspace& workspace, const Domain& domain, const EvaluationScope& scope) {
    const auto found = find_turns_elsewhere(workspace, domain, scope);
    if (!found)
        return std::unexpected(found.error());
    for (const auto& [workload, times] : *found)
        if (auto stored = record_turn_times(workspace, scope.run, workload, times); !stored)
            return stored;
    return {};
}

namespace {

/// The fastest in the newest of these runs that has turns on the workload and is newer than `engine_since`.
Result<std::optional<FastestInTurns>> newest_fastest(Workspace& workspace, const Domain& domain,
                                                     const ResultRecord& result, WorkloadId workload,
                                                     std::span<const RunRecord> newest_first) {
    EvaluationScope scope;
    scope.machine.fingerprint = result.machine_fingerprint;
    scope.setting = result.setting;
    scope.protocol = result.protocol;
    scope.condition = result.condition;
    const auto codec = domain.codec(result.setting);
    if (!codec)
        return std::unexpected(codec.error());
    std::optional<std::string> engine_since;
    for (const RunRecord& run : newest_first) {
        // On a recorded machine an evaluation may leave the threads open.
        const bool names_threads = number_in(parameters_of(run), "threads").has_value();
        scope.threads = names_threads ? std::optional(result.threads) : std::nullopt;
        if (!is_of_same_times(run, domain, scope))
            continue;
        const auto turns = RematchTimes::read(workspace, *codec, run.id, workload);
        if (!turns)
            return std::unexpected(turns.error());
        auto fastest = turns->fastest();
        if (!fastest)
            continue;
        if (!engine_since) {
            const auto known = KnownTimes::read(workspace, **codec, query_of(scope, result.workload));
            if (!known)
                return std::unexpected(known.error());
            engine_since = known->engine_since();
        }
        if (run.ended.empty() || run.ended >= *engine_since)
            return fastest;
    }
    return std::nullopt;
}

} // namespace

Result<std::vector<std::optional<FastestInTurns>>>
fastest_in_turns(Workspace& workspace, const Domain& domain, std::span<const ResultRecord> results) {
    auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(std::move(runs).error());
    const auto with_turns = workloads_with_turns(workspace);
    if (!with_turns)
        return std::unexpected(with_turns.error());
    const auto workloads = list_workloads(workspace, domain.name());
    if (!workloads)
        return std::unexpected(workloads.error());
    std::erase_if(*runs, [&](const RunRecord& run) { return !with_turns->contains(run.id); });
    std::ranges::sort(*runs, std::ranges::greater(), &begun);
    std::vector<std::optional<FastestInTurns>> fastest;
    for (const ResultRecord& result : results) {
        const auto workload = std::ranges::find(*workloads, result.workload, &WorkloadRecord::name);
        if (workload == workloads->end() || runs->empty()) {
            fastest.emplace_back();
            continue;
        }
        auto found = newest_fastest(workspace, domain, result, workload->id, *runs);
        if (!found)
            return std::unexpected(std::move(found).error());
        fastest.push_back(*std::move(found));
    }
    return fastest;
}

} // namespace sparsight

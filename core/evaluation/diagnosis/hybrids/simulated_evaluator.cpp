#include "evaluation/diagnosis/hybrids/simulated_evaluator.h"

#include "base/parallel.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <atomic>
#include <numbers>
#include <unordered_set>
#include <utility>

namespace sparsight {

SimulatedEvaluator::SimulatedEvaluator(const ProfiledPattern& pattern, std::int64_t dense,
                                       const MachineParameters& machine, int threads)
    : pattern_(pattern)
    , dense_(dense)
    , machine_(machine)
    , threads_(threads) {}

std::string SimulatedEvaluator::program(const SuperSchedule& schedule) const {
    const CsrPattern& pattern = pattern_.pattern();
    return ProgramIdentity(extents(schedule.op, pattern.rows, pattern.cols, dense_),
                           kernel_target_of(machine_))
        .of(schedule);
}

Result<ScheduleProfile> SimulatedEvaluator::profile(const SuperSchedule& schedule) const {
    return pattern_.profile(schedule, dense_);
}

Result<HybridTime> SimulatedEvaluator::simulate_one(const SuperSchedule& schedule) const {
    const auto profiled = profile(schedule);
    if (!profiled)
        return std::unexpected(profiled.error());
    const CsrPattern& pattern = pattern_.pattern();
    const auto refused = is_fixed_csr(schedule) // what everything is compared with is never refused
                             ? std::nullopt
                             : refusal(storage_format(schedule, pattern.rows, pattern.cols),
                                       profiled->storage, Certainty::Exact, pattern, PackingLimits());
    if (refused)
        return HybridTime{.milliseconds = {}, .reason = refused->message};
    const SimulatedTime parts = sparsight::simulate(machine_, *profiled);
    const double total = parts.total();
    return HybridTime{.milliseconds = total,
                      .spread_ms = total * std::numbers::sqrt2 *
                                   std::max(machine_[MachineParameter::Noise], equal_within / 2),
                      .parts = parts};
}

Result<HybridTime> SimulatedEvaluator::time(const SuperSchedule& schedule) {
    std::string asked = program(schedule);
    if (const auto known = known_.find(asked); known != known_.end())
        return known->second;
    auto simulated = simulate_one(schedule);
    if (simulated)
        known_.emplace(std::move(asked), *simulated);
    return simulated;
}

Result<void> SimulatedEvaluator::prepare(std::span<const SuperSchedule> schedules,
                                         const std::stop_token& stop) {
    std::vector<std::pair<std::string, const SuperSchedule*>> missing;
    std::unordered_set<std::string> programs;
    for (const SuperSchedule& schedule : schedules)
        if (std::string asked = program(schedule); !known_.contains(asked) && programs.insert(asked).second)
            missing.emplace_back(std::move(asked), &schedule);
    std::vector<Result<HybridTime>> times(missing.size());
    std::atomic<std::size_t> next = 0;
    const int threads = std::clamp(threads_, 1, std::max(1, static_cast<int>(missing.size())));
    parallel_parts(threads, threads, [&](int, std::int64_t, std::int64_t) {
        for (std::size_t at = next++; at < missing.size() && !stop.stop_requested(); at = next++)
            times[at] = simulate_one(*missing[at].second);
    });
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    for (std::size_t at = 0; at < missing.size(); ++at) {
        if (!times[at])
            return std::unexpected(std::move(times[at].error()));
        known_.emplace(std::move(missing[at].first), std::move(*times[at]));
    }
    return {};
}

} // namespace sparsight

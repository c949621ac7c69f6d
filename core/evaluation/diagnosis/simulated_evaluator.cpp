#include "evaluation/diagnosis/simulated_evaluator.h"

#include "base/parallel.h"
#include "machine/mechanistic/mechanistic_simulator.h"

#include <algorithm>
#include <atomic>

namespace sparsight {

SimulatedEvaluator::SimulatedEvaluator(const ProfiledPattern& pattern, std::int64_t dense,
                                       const MachineParameters& machine, int threads)
    : pattern_(pattern)
    , dense_(dense)
    , machine_(machine)
    , threads_(threads) {}

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
    return HybridTime{
        .milliseconds = total, .spread_ms = total * machine_[MachineParameter::Noise], .parts = parts};
}

Result<HybridTime> SimulatedEvaluator::time(const SuperSchedule& schedule) {
    if (const auto known = known_.find(schedule); known != known_.end())
        return known->second;
    auto simulated = simulate_one(schedule);
    if (simulated)
        known_.emplace(schedule, *simulated);
    return simulated;
}

Result<void> SimulatedEvaluator::prepare(std::span<const SuperSchedule> schedules,
                                         const std::stop_token& stop) {
    std::vector<const SuperSchedule*> missing;
    for (const SuperSchedule& schedule : schedules)
        if (!known_.contains(schedule))
            missing.push_back(&schedule);
    std::vector<Result<HybridTime>> times(missing.size());
    std::atomic<std::size_t> next = 0;
    const int threads = std::clamp(threads_, 1, std::max(1, static_cast<int>(missing.size())));
    parallel_parts(threads, threads, [&](int, std::int64_t, std::int64_t) {
        for (std::size_t at = next++; at < missing.size() && !stop.stop_requested(); at = next++)
            times[at] = simulate_one(*missing[at]);
    });
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    for (std::size_t at = 0; at < missing.size(); ++at) {
        if (!times[at])
            return std::unexpected(std::move(times[at].error()));
        known_.emplace(*missing[at], std::move(*times[at]));
    }
    return {};
}

} // namespace sparsight

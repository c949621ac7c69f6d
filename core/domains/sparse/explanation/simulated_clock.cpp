#include "domains/sparse/explanation/simulated_clock.h"

#include "base/parallel.h"
#include "domains/sparse/kernel/lowering/program_signature.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <atomic>
#include <numbers>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

/// A machine runs all of its threads, whatever a schedule says.
constexpr int any_threads = 1;

} // namespace

TermVector terms_of(const SimulatedTime& time) {
    TermVector terms;
    for (const TimeTerm term : all_time_terms())
        terms.push_back({std::string(name(term)), time[term]});
    return terms;
}

SimulatedTime simulated_time_of(const TermVector& terms) {
    SimulatedTime time;
    for (const TimeTerm term : all_time_terms())
        if (const auto found = std::ranges::find(terms, name(term), &TimeShare::name); found != terms.end())
            time[term] = found->milliseconds;
    return time;
}

SimulatedClock::SimulatedClock(const ProfiledPattern& pattern, std::int64_t dense,
                               const MachineParameters& machine, int threads)
    : pattern_(pattern)
    , dense_(dense)
    , machine_(machine)
    , threads_(threads) {}

std::string SimulatedClock::program(const Configuration& configuration) const {
    const SuperSchedule schedule = schedule_of(configuration, any_threads);
    const CsrPattern& pattern = pattern_.pattern();
    return ProgramIdentity(extents(schedule.op, pattern.rows, pattern.cols, dense_),
                           kernel_target_of(machine_))
        .of(schedule);
}

Result<ClockTime> SimulatedClock::simulate_one(const SuperSchedule& schedule) const {
    const auto profiled = pattern_.profile(schedule, dense_);
    if (!profiled)
        return std::unexpected(profiled.error());
    const CsrPattern& pattern = pattern_.pattern();
    const auto refused =
        is_fixed_csr(schedule) // what everything is compared with is never refused
            ? std::nullopt
            : refusal(storage_format(schedule, pattern.rows, pattern.cols), profiled->storage,
                      Certainty::Exact, csr_bytes(pattern), PackingLimits());
    if (refused)
        return ClockTime{.milliseconds = {}, .reason = refused->message};
    const SimulatedTime parts = sparsight::simulate(machine_, *profiled);
    const double total = parts.total();
    return ClockTime{.milliseconds = total,
                     .spread_ms = total * std::numbers::sqrt2 *
                                  std::max(machine_[MachineParameter::Noise], equal_within / 2),
                     .terms = terms_of(parts)};
}

Result<ClockTime> SimulatedClock::time(const Configuration& configuration) {
    std::string asked = program(configuration);
    if (const auto known = known_.find(asked); known != known_.end())
        return known->second;
    auto simulated = simulate_one(schedule_of(configuration, any_threads));
    if (simulated)
        known_.emplace(std::move(asked), *simulated);
    return simulated;
}

Result<void> SimulatedClock::prepare(std::span<const Configuration> configurations,
                                     const std::stop_token& stop) {
    std::vector<std::pair<std::string, SuperSchedule>> missing;
    std::unordered_set<std::string> programs;
    for (const Configuration& each : configurations)
        if (std::string asked = program(each); !known_.contains(asked) && programs.insert(asked).second)
            missing.emplace_back(std::move(asked), schedule_of(each, any_threads));
    std::vector<Result<ClockTime>> times(missing.size());
    std::atomic<std::size_t> next = 0;
    const int threads = std::clamp(threads_, 1, std::max(1, static_cast<int>(missing.size())));
    parallel_parts(threads, threads, [&](int, std::int64_t, std::int64_t) {
        for (std::size_t at = next++; at < missing.size() && !stop.stop_requested(); at = next++)
            times[at] = simulate_one(missing[at].second);
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

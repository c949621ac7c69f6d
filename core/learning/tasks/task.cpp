#include "learning/tasks/task.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace sparsight {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

enum class Outcome { Ran, Failed, GivenUp };

struct Runtime {
    const RecordedRuntime* stored = nullptr;
    Outcome outcome = Outcome::Ran;
    double milliseconds = never;
    double wait = 0; ///< above 0 if it was given up
};

/// Rules 1 and 2.
std::vector<Runtime> credible_runtimes(std::span<const RecordedRuntime> stored, const BelievableTimes& times,
                                       RuntimeCounts& counts) {
    std::vector<Runtime> runtimes;
    for (const RecordedRuntime& one : stored) {
        if (one.status == MeasurementStatus::Damaged)
            ++counts.damaged;
        else if (one.status == MeasurementStatus::GaveUp)
            runtimes.push_back({&one, Outcome::GivenUp, never,
                                std::max(one.median_ms.value_or(0), std::numeric_limits<double>::min())});
        else if (one.status != MeasurementStatus::Measured || !one.median_ms)
            runtimes.push_back({&one, Outcome::Failed, never});
        else if (*one.median_ms < times.shortest_ms)
            ++counts.too_short;
        else if (*one.median_ms >= times.longest_ms && !one.is_baseline)
            ++counts.too_long;
        else
            runtimes.push_back({&one, Outcome::Ran, *one.median_ms});
    }
    return runtimes;
}

/// Rule 4.
std::vector<Runtime> one_for_each_configuration(const std::vector<Runtime>& runtimes) {
    std::vector<Runtime> unique;
    std::unordered_map<Configuration, std::size_t> places;
    for (const Runtime& runtime : runtimes) {
        const auto [place, is_new] = places.try_emplace(runtime.stored->configuration, unique.size());
        if (is_new)
            unique.push_back(runtime);
        else if (Runtime& kept = unique[place->second];
                 runtime.milliseconds < kept.milliseconds ||
                 (runtime.milliseconds == kept.milliseconds && runtime.wait > kept.wait))
            kept = runtime;
    }
    return unique;
}

void count(const std::vector<Runtime>& runtimes, RuntimeCounts& counts) {
    counts.runtimes += std::ssize(runtimes);
    for (const Runtime& runtime : runtimes)
        switch (runtime.outcome) {
        case Outcome::Ran:
            break;
        case Outcome::Failed:
            ++counts.failed;
            break;
        case Outcome::GivenUp:
            ++counts.given_up;
            break;
        }
}

/// Empty unless the spread of all that ran is known.
std::vector<double> spreads_of(const std::vector<Runtime>& runtimes) {
    std::vector<double> spreads;
    for (const Runtime& runtime : runtimes) {
        if (runtime.outcome == Outcome::Ran && !runtime.stored->spread_ms)
            return {};
        spreads.push_back(runtime.outcome == Outcome::Ran ? *runtime.stored->spread_ms : 0);
    }
    return spreads;
}

} // namespace

bool can_be_learned(std::span<const double> milliseconds, LearningGoal goal) {
    return std::ranges::adjacent_find(milliseconds, std::not_equal_to{}) != milliseconds.end() ||
           (goal == LearningGoal::Times && !milliseconds.empty() && std::isfinite(milliseconds.front()));
}

void add_simulation_error(WorkloadRuntimes& runtimes, const MachineDescription& machine) {
    const double error = simulation_error(machine);
    runtimes.spreads.resize(runtimes.milliseconds.size());
    for (std::size_t at = 0; at < runtimes.milliseconds.size(); ++at)
        if (std::isfinite(runtimes.milliseconds[at]))
            runtimes.spreads[at] = std::max(runtimes.spreads[at], error * runtimes.milliseconds[at]);
}

WorkloadRuntimes apply_rules(std::span<const RecordedRuntime> stored, const BelievableTimes& times,
                             LearningGoal goal, RuntimeCounts& counts) {
    counts.measurements += std::ssize(stored);
    auto credible = credible_runtimes(stored, times, counts);
    const auto runtimes = one_for_each_configuration(credible);
    counts.repeated += std::ssize(credible) - std::ssize(runtimes);
    WorkloadRuntimes taken;
    for (const Runtime& runtime : runtimes) {
        if (runtime.stored->is_baseline)
            taken.baseline = taken.configurations.size();
        taken.configurations.push_back(runtime.stored->configuration);
        taken.digests.push_back(runtime.stored->digest);
        taken.milliseconds.push_back(runtime.milliseconds);
        taken.waits.push_back(runtime.wait);
    }
    if (std::ranges::all_of(taken.waits, [](double wait) { return wait == 0; }))
        taken.waits.clear();
    if (!can_be_learned(taken.milliseconds, goal)) {
        counts.without_order += std::ssize(runtimes);
        return {};
    }
    count(runtimes, counts);
    taken.spreads = spreads_of(runtimes);
    return taken;
}

} // namespace sparsight

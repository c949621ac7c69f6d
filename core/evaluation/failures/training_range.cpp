#include "evaluation/failures/training_range.h"

#include "base/quantity.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t fewest_workloads = 3;
constexpr double margin = 0.5; ///< in deviations, beyond the ends of a range
constexpr double alike = 0.01; ///< of a statistic that is the same for all training workloads
constexpr double smallest_deviation = 1e-9;

/// As models read it: what has no upper end as log(1 + x).
double scaled(const WorkloadStatistic& statistic) {
    if (statistic.is_fact)
        return std::asinh(statistic.value);
    return statistic.unit.empty() ? statistic.value : std::log1p(statistic.value);
}

double unscaled(const WorkloadStatistic& statistic, double value) {
    if (statistic.is_fact)
        return std::sinh(value);
    return statistic.unit.empty() ? value : std::expm1(value);
}

bool varies(const StatisticRange& range) {
    return range.deviation > smallest_deviation;
}

/// Of a point from another one, which `centre` gives for each place; both are scaled.
template <typename Centre>
double distance_of(const TrainingRange& range, const StatisticVector& of, const Centre& centre) {
    double sum = 0;
    double varying = 0;
    for (std::size_t at = 0; at < range.statistics.size(); ++at) {
        if (!varies(range.statistics[at]))
            continue;
        sum += std::pow((scaled(of[at]) - centre(at)) / range.statistics[at].deviation, 2);
        varying += 1;
    }
    return varying > 0 ? std::sqrt(sum / varying) : 0;
}

double distance_of(const TrainingRange& range, const StatisticVector& of) {
    return distance_of(range, of, [&](std::size_t at) { return range.statistics[at].mean; });
}

/// How far beyond the ends of the range, in deviations: at most 0 inside. A statistic that never varied has
/// no deviation; it is beyond as soon as it differs at all.
double beyond(const StatisticRange& range, double value) {
    const double outside = std::max(value - range.high, range.low - value);
    if (varies(range))
        return outside / range.deviation - margin;
    return outside / std::max(1.0, std::abs(range.mean)) - alike;
}

} // namespace

std::optional<TrainingRange> training_range(std::span<const StatisticVector> trained) {
    if (trained.size() < fewest_workloads)
        return std::nullopt;
    TrainingRange range;
    range.workloads = trained.size();
    const auto count = static_cast<double>(trained.size());
    for (std::size_t at = 0; at < trained.front().size(); ++at) {
        StatisticRange one{.name = trained.front()[at].name};
        one.low = one.high = scaled(trained.front()[at]);
        for (const StatisticVector& each : trained) {
            const double value = scaled(each[at]);
            one.low = std::min(one.low, value);
            one.high = std::max(one.high, value);
            one.mean += value / count;
        }
        for (const StatisticVector& each : trained)
            one.deviation += std::pow(scaled(each[at]) - one.mean, 2) / count;
        one.deviation = std::sqrt(one.deviation);
        range.statistics.push_back(std::move(one));
    }
    for (const StatisticVector& each : trained)
        range.farthest = std::max(range.farthest, distance_of(range, each));
    return range;
}

std::string to_text(const UnfamiliarStatistic& statistic) {
    const auto number = [&](double value) {
        constexpr double in_full = 1000; // from here on a fraction says nothing
        return statistic.is_integer || std::abs(value) >= in_full ? format_count(std::llround(value))
                                                                  : fmt::format("{:.3g}", value);
    };
    const std::string range = number(statistic.low) == number(statistic.high)
                                  ? "always " + number(statistic.low)
                                  : number(statistic.low) + " to " + number(statistic.high);
    // "Entries 419,328", not "Entries 419,328 entries"
    const bool is_said = statistic.unit.empty() || (statistic.title.size() == statistic.unit.size() &&
                                                    begins_with(statistic.title, statistic.unit));
    const std::string unit = is_said ? "" : " " + statistic.unit;
    return fmt::format("{} {}{}, in training {}{}", statistic.title, number(statistic.value), unit, range,
                       unit);
}

Unfamiliarity unfamiliarity(const TrainingRange& range, const StatisticVector& of) {
    Unfamiliarity result;
    result.distance = distance_of(range, of);
    std::vector<std::pair<double, UnfamiliarStatistic>> found;
    for (std::size_t at = 0; at < range.statistics.size(); ++at) {
        const StatisticRange& one = range.statistics[at];
        const WorkloadStatistic& statistic = of[at];
        if (const double far = beyond(one, scaled(statistic)); far > 0)
            found.emplace_back(far, UnfamiliarStatistic{statistic.name, statistic.title, statistic.unit,
                                                        statistic.is_integer, statistic.value,
                                                        unscaled(statistic, one.low),
                                                        unscaled(statistic, one.high)});
    }
    std::ranges::stable_sort(found, std::ranges::greater{}, &std::pair<double, UnfamiliarStatistic>::first);
    for (auto& [far, statistic] : found)
        result.beyond.push_back(std::move(statistic));
    result.is_outside = !result.beyond.empty() && result.distance > range.farthest;
    return result;
}

std::map<std::string, StatisticVector>
shared_facts(const std::map<std::string, std::map<std::string, double, std::less<>>>& by_workload) {
    std::map<std::string, std::size_t> told; ///< by name of a fact, by how many workloads
    std::map<std::string, bool> is_integer;
    std::size_t described = 0;
    for (const auto& [workload, facts] : by_workload) {
        described += facts.empty() ? 0 : 1;
        for (const auto& [name, value] : facts) {
            ++told[name];
            is_integer.try_emplace(name, true).first->second &= value == std::round(value);
        }
    }
    std::map<std::string, StatisticVector> shared;
    for (const auto& [workload, facts] : by_workload)
        for (const auto& [name, value] : facts)
            if (told[name] == described) {
                std::string title = name;
                std::ranges::replace(title, '_', ' ');
                shared[workload].push_back(
                    {name, std::move(title), {}, is_integer[name], value, /*is_fact=*/true});
            }
    return shared;
}

std::vector<CloseWorkload> closest_to(const TrainingRange& range, const StatisticVector& of,
                                      const std::map<std::string, StatisticVector>& trained,
                                      std::size_t most) {
    std::vector<CloseWorkload> closest;
    for (const auto& [name, statistics] : trained)
        closest.push_back(
            {name, distance_of(range, of, [&](std::size_t at) { return scaled(statistics[at]); })});
    std::ranges::stable_sort(closest, {}, &CloseWorkload::distance);
    closest.resize(std::min(closest.size(), most));
    return closest;
}

} // namespace sparsight

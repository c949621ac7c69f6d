#include "gui/workloads/workload_times.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_points = 200; // of a curve: more than it has pixels for

auto order_of(const MachineTimes& one) {
    return std::tie(one.best.machine, one.best.setting.text, one.best.condition, one.best.protocol,
                    one.best.threads);
}

MachineTimes machine_times(const TimeSet& set) {
    MachineTimes made;
    made.best = set.times.front().result;
    std::vector<double> times;
    for (const ConfigurationTime& time : set.times)
        if (time.rank > 0)
            times.push_back(time.result.median_ms.value_or(0));
    std::ranges::sort(times); // the ranks go by speedups
    made.times = std::ssize(times);
    made.without_time = std::ssize(set.times) - made.times;
    made.median_ms = (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
    made.slowest_ms = times.back();
    const std::size_t points = std::min(times.size(), most_points);
    for (std::size_t point = 0; point < points; ++point) {
        const std::size_t at = points == 1 ? 0 : point * (times.size() - 1) / (points - 1);
        made.curve_ms.push_back(times[at]);
        made.curve_shares.push_back(static_cast<double>(at + 1) / static_cast<double>(times.size()));
    }
    return made;
}

bool is_before(const QString& one, const QString& other) {
    bool is_number = false;
    bool is_other_number = false;
    const double number = one.toDouble(&is_number);
    const double other_number = other.toDouble(&is_other_number);
    if (is_number && is_other_number && number != other_number)
        return number < other_number;
    return is_number != is_other_number ? is_number : one < other;
}

} // namespace

const MachineTimes* WorkloadTimes::fastest() const {
    std::map<std::string_view, qint64> counts; // of each setting: different computations do not compare
    for (const MachineTimes& machine : machines)
        counts[machine.best.setting.text] += machine.times;
    const auto found = std::ranges::min_element(machines, {}, [&](const MachineTimes& machine) {
        return std::pair(-counts[machine.best.setting.text], machine.best.median_ms.value_or(0));
    });
    return found == machines.end() ? nullptr : &*found;
}

WorkloadTimes workload_times(const std::vector<TimeSet>& sets) {
    WorkloadTimes made;
    std::set<std::pair<std::string, std::string>> configurations;
    std::map<std::string, std::size_t> places; // of decisions
    std::vector<std::set<QString>> values;
    for (const TimeSet& set : sets) {
        for (const ShownDecision& decision : set.decisions)
            if (places.try_emplace(decision.key, made.decisions.size()).second) {
                made.decisions.push_back({decision.name, {}});
                values.emplace_back();
            }
        for (const ConfigurationTime& time : set.times) {
            if (!configurations.emplace(time.result.family, time.result.configuration).second)
                continue;
            for (qsizetype place = 0; place < time.values.size(); ++place)
                if (!time.values[place].isEmpty())
                    values[places[set.decisions[static_cast<std::size_t>(place)].key]].insert(
                        time.values[place]);
        }
        if (set.best() != nullptr)
            made.machines.push_back(machine_times(set));
        else
            made.without_time += std::ssize(set.times);
    }
    for (std::size_t place = 0; place < values.size(); ++place) {
        QStringList& shown = made.decisions[place].values;
        shown = QStringList(values[place].begin(), values[place].end());
        std::ranges::sort(shown, is_before);
    }
    for (const MachineTimes& machine : made.machines) {
        made.times += machine.times;
        made.without_time += machine.without_time;
    }
    made.configurations = std::ssize(configurations);
    std::ranges::sort(made.machines, [](const MachineTimes& one, const MachineTimes& other) {
        return order_of(one) < order_of(other);
    });
    return made;
}

Result<WorkloadTimes> read_workload_times(const std::string& workspace, const Domain& domain,
                                          const std::string& workload) {
    auto sets = read_time_sets(workspace, domain, workload, {});
    if (!sets)
        return std::unexpected(sets.error());
    return workload_times(sets->sets);
}

} // namespace sparsight

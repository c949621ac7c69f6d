#include "learning/tasks/relative_times.h"

#include "base/random.h"
#include "learning/training/training_sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace sparsight {
namespace {

constexpr double failure_factor = 2;

struct Range {
    double fastest = std::numeric_limits<double>::infinity();
    double slowest = 0;
};

Range range_of(const std::vector<double>& times) {
    Range range;
    for (const double time : times)
        if (std::isfinite(time)) {
            range.fastest = std::min(range.fastest, time);
            range.slowest = std::max(range.slowest, time);
        }
    return range;
}

constexpr std::size_t fewest_of_each = 8; // fewer tell little of the order

/// In a drawn order, those that fit. False, with nothing done, where none does.
bool draw_workloads(TaskSet& set, std::size_t most, std::uint64_t seed) {
    std::vector<std::size_t> measurements(set.workloads.size());
    for (const Task& task : set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            measurements[runtimes.workload] += runtimes.configurations.size();
    std::vector<std::size_t> order(set.workloads.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (std::ranges::none_of(measurements, [&](std::size_t count) { return count > 0 && count <= most; }))
        return false;
    Random(seed).shuffle(order);
    std::vector<std::optional<std::size_t>> place(set.workloads.size());
    std::vector<TaskWorkload> kept;
    std::size_t drawn = 0;
    for (const std::size_t workload : order) {
        if (measurements[workload] == 0 || drawn + measurements[workload] > most)
            continue;
        drawn += measurements[workload];
        place[workload] = kept.size();
        kept.push_back(std::move(set.workloads[workload]));
    }
    set.workloads = std::move(kept);
    for (Task& task : set.tasks) {
        std::erase_if(task.runtimes,
                      [&](const WorkloadRuntimes& runtimes) { return !place[runtimes.workload]; });
        for (WorkloadRuntimes& runtimes : task.runtimes)
            runtimes.workload = *place[runtimes.workload];
        std::ranges::sort(task.runtimes, {}, &WorkloadRuntimes::workload);
    }
    return true;
}

} // namespace

FailureTimes make_times_relative(TaskSet& set) {
    FailureTimes failures;
    for (Task& task : set.tasks) {
        std::erase_if(task.runtimes, [](const WorkloadRuntimes& runtimes) {
            return range_of(runtimes.milliseconds).slowest == 0;
        });
        for (WorkloadRuntimes& runtimes : task.runtimes) {
            const Range range = range_of(runtimes.milliseconds);
            for (auto* const of_each : {&runtimes.milliseconds, &runtimes.spreads, &runtimes.waits})
                for (double& number : *of_each)
                    number /= range.fastest;
            failures.emplace(std::pair(task.machine, set.workloads[runtimes.workload].whole_name()),
                             failure_factor * range.slowest / range.fastest);
        }
    }
    set.has_relative_times = true;
    return failures;
}

void take_failures_for_slow(TaskSet& set, const FailureTimes& times) {
    for (Task& task : set.tasks)
        for (WorkloadRuntimes& runtimes : task.runtimes) {
            const auto time = times.find({task.machine, set.workloads[runtimes.workload].whole_name()});
            for (double& milliseconds : runtimes.milliseconds)
                if (time != times.end() && !std::isfinite(milliseconds))
                    milliseconds = time->second;
            runtimes.waits.clear();
        }
}

void draw_measurements(TaskSet& set, std::size_t most, std::uint64_t seed) {
    std::size_t all = 0;
    std::size_t parts = 0; // a workload on a machine
    for (const Task& task : set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes) {
            all += runtimes.configurations.size();
            ++parts;
        }
    if (all <= most)
        return;
    if (most < fewest_of_each * parts && draw_workloads(set, most, seed))
        return;
    (void)sample_runtimes(set, {.rule = SampleRule::Random,
                                .keep = static_cast<double>(most) / static_cast<double>(all),
                                .seed = seed});
}

} // namespace sparsight

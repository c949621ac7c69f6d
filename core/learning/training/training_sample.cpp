#include "learning/training/training_sample.h"

#include "base/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array all_rules{SampleRule::All, SampleRule::Random, SampleRule::HardwareAware};

using Rows = std::vector<std::size_t>;

void keep_rows(WorkloadRuntimes& runtimes, Rows rows) {
    std::ranges::sort(rows);
    const auto select = [&](auto& values) {
        if (values.empty())
            return;
        std::remove_reference_t<decltype(values)> kept;
        for (const std::size_t row : rows)
            kept.push_back(std::move(values[row]));
        values = std::move(kept);
    };
    if (runtimes.baseline) {
        const auto found = std::ranges::find(rows, *runtimes.baseline);
        runtimes.baseline = found == rows.end()
                                ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - rows.begin()));
    }
    select(runtimes.configurations);
    select(runtimes.milliseconds);
    select(runtimes.spreads);
    select(runtimes.digests);
    select(runtimes.waits);
}

/// What may be chosen, the fastest first.
Rows fit_rows(const WorkloadRuntimes& runtimes, const SampleOptions& options, SampleReport& report) {
    Rows rows;
    for (std::size_t row = 0; row < runtimes.milliseconds.size(); ++row)
        if (std::isfinite(runtimes.milliseconds[row]))
            rows.push_back(row);
    report.failed += runtimes.milliseconds.size() - rows.size();
    std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return runtimes.milliseconds[row]; });
    const auto slow = static_cast<std::size_t>(options.slowest * static_cast<double>(rows.size()));
    report.slow += slow;
    rows.resize(rows.size() - slow);
    if (rows.size() < options.fewest) {
        report.in_small += rows.size();
        rows.clear();
    }
    return rows;
}

/// One of each of `count` equal shares.
Rows spread_over(const Rows& rows, std::size_t count, Random& random) {
    Rows chosen;
    for (std::size_t share = 0; share < count; ++share) {
        const std::size_t first = share * rows.size() / count;
        const std::size_t end = (share + 1) * rows.size() / count;
        chosen.push_back(rows[first + random.below(end - first)]);
    }
    return chosen;
}

/// Whole numbers that add up to `total`, by these weights and none above its limit.
std::vector<std::size_t> shared_out(std::size_t total, const std::vector<double>& weights,
                                    const std::vector<std::size_t>& limits) {
    std::vector<std::size_t> shares(weights.size(), 0);
    total = std::min(total, std::accumulate(limits.begin(), limits.end(), std::size_t{0}));
    for (std::size_t left = total; left > 0;) {
        double open = 0;
        for (std::size_t i = 0; i < shares.size(); ++i)
            open += shares[i] < limits[i] ? weights[i] : 0;
        const std::size_t before = left;
        const auto to_share = static_cast<double>(before);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const auto more = static_cast<std::size_t>(to_share * weights[i] / open);
            const std::size_t given = std::min({more, limits[i] - shares[i], left});
            shares[i] += given;
            left -= given;
        }
        if (left == before) // less than one for each: the first ones with room get it
            for (std::size_t i = 0; i < shares.size() && left > 0; ++i)
                if (shares[i] < limits[i]) {
                    ++shares[i];
                    --left;
                }
    }
    return shares;
}

/// The power of two of the FLOPs; one part of its own where they are not known.
int part_of(std::size_t workload, const SampleOptions& options) {
    constexpr int unknown = -1;
    if (!options.flops)
        return unknown;
    const auto flops = options.flops(workload);
    return flops && *flops >= 1 ? static_cast<int>(std::log2(*flops)) : unknown;
}

bool is_sampled(const WorkloadRuntimes& runtimes, const SampleOptions& options) {
    return options.workloads.empty() ||
           std::ranges::find(options.workloads, runtimes.workload) != options.workloads.end();
}

void sample_task(Task& task, const SampleOptions& options, Random& random, SampleReport& report) {
    std::vector<Rows> fit;
    std::size_t all = 0;
    std::map<int, std::vector<std::size_t>> parts; ///< places in task.runtimes
    for (std::size_t place = 0; place < task.runtimes.size(); ++place) {
        fit.emplace_back();
        if (!is_sampled(task.runtimes[place], options))
            continue;
        all += task.runtimes[place].milliseconds.size();
        fit.back() = fit_rows(task.runtimes[place], options, report);
        parts[part_of(task.runtimes[place].workload, options)].push_back(place);
    }
    std::vector<double> weights;
    std::vector<std::size_t> limits;
    for (const auto& [part, places] : parts) {
        std::size_t rows = 0;
        for (const std::size_t place : places)
            rows += fit[place].size();
        weights.push_back(std::sqrt(static_cast<double>(rows)));
        limits.push_back(rows);
    }
    const auto wanted = static_cast<std::size_t>(std::llround(options.keep * static_cast<double>(all)));
    const auto of_parts = shared_out(wanted, weights, limits);
    std::size_t part = 0;
    for (const auto& [of, places] : parts) {
        std::vector<double> sizes;
        std::vector<std::size_t> most;
        for (const std::size_t place : places) {
            sizes.push_back(static_cast<double>(fit[place].size()));
            most.push_back(fit[place].size());
        }
        const auto counts = shared_out(of_parts[part++], sizes, most);
        for (std::size_t i = 0; i < places.size(); ++i)
            keep_rows(task.runtimes[places[i]], spread_over(fit[places[i]], counts[i], random));
    }
}

void sample_at_random(TaskSet& set, const SampleOptions& options, Random& random, std::size_t all) {
    std::vector<bool> is_kept(all, false);
    std::fill_n(is_kept.begin(),
                static_cast<std::ptrdiff_t>(std::llround(options.keep * static_cast<double>(all))), true);
    for (std::size_t i = all; i > 1; --i) { // vector<bool> has no references to swap
        const std::size_t other = random.below(i);
        const bool kept = is_kept[i - 1];
        is_kept[i - 1] = is_kept[other];
        is_kept[other] = kept;
    }
    std::size_t at = 0;
    for (Task& task : set.tasks)
        for (WorkloadRuntimes& runtimes : task.runtimes) {
            if (!is_sampled(runtimes, options))
                continue;
            Rows rows;
            for (std::size_t row = 0; row < runtimes.milliseconds.size(); ++row)
                if (is_kept[at++])
                    rows.push_back(row);
            keep_rows(runtimes, std::move(rows));
        }
}

std::size_t measurements_in(const TaskSet& set, const SampleOptions& options) {
    std::size_t count = 0;
    for (const Task& task : set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            count += is_sampled(runtimes, options) ? runtimes.milliseconds.size() : 0;
    return count;
}

} // namespace

std::string_view name(SampleRule rule) {
    switch (rule) {
    case SampleRule::All:
        return "all";
    case SampleRule::Random:
        return "random";
    case SampleRule::HardwareAware:
        return "hardware-aware";
    }
    return "";
}

Result<SampleRule> parse_sample_rule(std::string_view text) {
    for (const SampleRule rule : all_rules)
        if (name(rule) == text)
            return rule;
    return fail(Fault::Input,
                fmt::format("there is no sample '{}', expected all, random or hardware-aware", text));
}

SampleReport sample_runtimes(TaskSet& set, const SampleOptions& options) {
    SampleReport report{.measurements = measurements_in(set, options)};
    Random random(options.seed);
    if (options.rule == SampleRule::Random)
        sample_at_random(set, options, random, report.measurements);
    else if (options.rule == SampleRule::HardwareAware)
        for (Task& task : set.tasks)
            sample_task(task, options, random, report);
    if (options.rule != SampleRule::All)
        for (Task& task : set.tasks)
            std::erase_if(task.runtimes,
                          [](const WorkloadRuntimes& runtimes) { return runtimes.configurations.empty(); });
    report.kept = measurements_in(set, options);
    return report;
}

} // namespace sparsight

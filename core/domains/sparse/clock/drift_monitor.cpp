#include "domains/sparse/clock/drift_monitor.h"

#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/storage/storage_format.h"

#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr int looks_at_first = 3;
constexpr std::size_t looks_kept = 64;
constexpr int runs_a_look = 5;
constexpr Milliseconds look_budget{20};
constexpr Milliseconds first_looks_budget{200};
constexpr double share_of_time = 0.05;
constexpr Milliseconds between_looks{500};

} // namespace

double relative_drift(std::span<const Milliseconds> times) {
    if (times.size() < 2)
        return 0;
    const std::vector<Milliseconds> all(times.begin(), times.end());
    const Milliseconds median = median_of(all);
    return median.count() > 0 ? spread_of(all) / median : 0;
}

DriftMonitor::DriftMonitor(PackedMatrix packed, CompiledKernel kernel, KernelInputs& workload, Team& team,
                           MillisecondClock clock)
    : packed_(std::move(packed))
    , kernel_(std::move(kernel))
    , workload_(&workload)
    , team_(&team)
    , clock_(std::move(clock)) {}

Result<DriftMonitor> DriftMonitor::make(KernelInputs& workload, KernelCompiler& compiler, Team& team,
                                        MillisecondClock clock) {
    const SuperSchedule schedule = fixed_csr(workload.op(), team.size());
    PackingOptions options;
    options.limits = {.max_bytes = UINT64_MAX, .max_ratio_to_fixed = 64};
    options.threads = team.size();
    const auto plan = workload.plan_packing(storage_format(schedule, workload.extents()), team.size());
    if (!plan)
        return std::unexpected(plan.error());
    auto packed = plan->pack(options);
    if (!packed)
        return std::unexpected(packed.error());
    auto kernel =
        compiler.compile(lower(schedule, workload.extents(), compiler.target(), mean_fill(*packed)));
    if (!kernel)
        return std::unexpected(kernel.error());
    DriftMonitor watch(std::move(*packed), std::move(*kernel), workload, team, std::move(clock));
    const Milliseconds start = watch.clock_();
    for (int look = 0; look == 0 || (look < looks_at_first && watch.clock_() - start < first_looks_budget);
         ++look)
        if (auto timed = watch.look_now(); !timed)
            return std::unexpected(timed.error());
    return watch;
}

Result<void> DriftMonitor::look() {
    if (clock_() < next_look_)
        return {};
    return look_now();
}

Result<void> DriftMonitor::look_now() {
    const Milliseconds start = clock_();
    const auto operands = workload_->operands(packed_);
    if (!operands)
        return std::unexpected(operands.error());
    KernelRunner runner(kernel_, *operands, fixed_csr(workload_->op(), team_->size()).chunk, *team_);
    runner.run(); // brings the operands into the caches
    const Milliseconds first = clock_();
    Milliseconds before = first;
    std::vector<Milliseconds> runs;
    do {
        runner.run();
        const Milliseconds after = clock_();
        runs.push_back(after - before);
        before = after;
    } while (std::ssize(runs) < runs_a_look && before - first < look_budget);
    keep(median_of(std::move(runs)));
    next_look_ = before + std::max(between_looks, (before - start) / share_of_time);
    return {};
}

double DriftMonitor::slowdown() const {
    const Milliseconds usual = median_of(looks_);
    return usual.count() > 0 ? last_ / usual : 1;
}

void DriftMonitor::keep(Milliseconds time) {
    last_ = time;
    if (looked_++ % looks_a_kept_one_ != 0)
        return;
    if (looks_.size() == looks_kept) { // from now on half as many of the new and of the old ones
        std::size_t kept = 0;
        for (std::size_t look = 0; look < looks_.size(); look += 2)
            looks_[kept++] = looks_[look];
        looks_.resize(kept);
        looks_a_kept_one_ *= 2;
    }
    looks_.push_back(time);
}

} // namespace sparsight

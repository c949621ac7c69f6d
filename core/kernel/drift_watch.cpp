#include "kernel/drift_watch.h"

#include "kernel/kernel_runner.h"
#include "kernel/lowering.h"
#include "kernel/packing.h"

namespace sparsight {

namespace {

constexpr int looks_at_first = 3;
constexpr std::size_t looks_kept = 16;
constexpr int runs_a_look = 3;
constexpr Milliseconds look_budget{20};
constexpr Milliseconds first_looks_budget{200};
constexpr double share_of_time = 0.05;

} // namespace

double relative_drift(std::span<const Milliseconds> times) {
    if (times.size() < 2)
        return 0;
    const std::vector<Milliseconds> all(times.begin(), times.end());
    const Milliseconds median = median_of(all);
    return median.count() > 0 ? 2 * (spread_of(all) / median) : 0;
}

DriftWatch::DriftWatch(PackedMatrix packed, CompiledKernel kernel, Workload& workload, Team& team,
                       Clock clock)
    : packed_(std::move(packed))
    , kernel_(std::move(kernel))
    , workload_(&workload)
    , team_(&team)
    , clock_(std::move(clock)) {}

Result<DriftWatch> DriftWatch::make(Workload& workload, KernelCompiler& compiler, Team& team, Clock clock) {
    const SuperSchedule schedule = fixed_csr(workload.op(), team.size());
    const CsrPattern& pattern = workload.pattern();
    PackingOptions options;
    options.limits = {.max_bytes = UINT64_MAX, .max_ratio_to_csr = 64};
    options.threads = team.size();
    auto packed = pack(pattern, storage_format(schedule, pattern.rows, pattern.cols), options);
    if (!packed)
        return std::unexpected(packed.error());
    auto kernel = compiler.compile(lower(schedule, workload.extents(), compiler.target()));
    if (!kernel)
        return std::unexpected(kernel.error());
    DriftWatch watch(std::move(*packed), std::move(*kernel), workload, team, std::move(clock));
    const Milliseconds start = watch.clock_();
    for (int look = 0; look < looks_at_first && watch.clock_() - start < first_looks_budget; ++look)
        if (auto timed = watch.time_fixed_csr(); !timed)
            return std::unexpected(timed.error());
    return watch;
}

Result<void> DriftWatch::look() {
    if (clock_() < next_look_)
        return {};
    return time_fixed_csr();
}

Result<void> DriftWatch::time_fixed_csr() {
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
    if (looks_.size() == looks_kept)
        looks_.erase(looks_.begin());
    looks_.push_back(median_of(std::move(runs)));
    next_look_ = before + (before - start) / share_of_time;
    return {};
}

} // namespace sparsight

#include "evaluation/diagnosis/counted_runs.h"

#include "kernel/kernel_runner.h"
#include "kernel/lowering.h"
#include "kernel/packing.h"

namespace sparsight {

Result<HardwareCounts> count_runs(const HardwareCounters& counters, const SuperSchedule& schedule,
                                  Workload& workload, KernelCompiler& compiler, Team& team, int repeats) {
    const StorageFormat format = storage_format(schedule, workload.pattern().rows, workload.pattern().cols);
    PackingOptions options{{}, team.size(), schedule.op == Operator::SDDMM, {}};
    if (is_fixed_csr(schedule)) // what everything is compared with is never refused
        options.limits = {.max_bytes = UINT64_MAX, .max_ratio_to_csr = 64};
    const auto plan = PackingPlan::make(workload.pattern(), format, options.threads, options.stop);
    if (!plan)
        return std::unexpected(plan.error());
    const auto packed = plan->pack(options);
    if (!packed)
        return std::unexpected(packed.error());
    const auto kernel = compiler.compile(lower(schedule, workload.extents(), compiler.target()));
    if (!kernel)
        return std::unexpected(kernel.error());
    const auto operands = workload.operands(*packed);
    if (!operands)
        return std::unexpected(operands.error());
    KernelRunner runner(*kernel, *operands, schedule.chunk, team);
    runner.run();
    HardwareCounts counts = counters.count([&] {
        for (int repeat = 0; repeat < repeats; ++repeat)
            runner.run();
    });
    for (auto& count : counts.by_event)
        if (count)
            *count /= repeats;
    return counts;
}

} // namespace sparsight

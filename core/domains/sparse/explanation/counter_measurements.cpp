#include "domains/sparse/explanation/counter_measurements.h"

#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/lowering/lowering.h"
#include "domains/sparse/kernel/storage/packing.h"

#include <utility>

namespace sparsight {

namespace {

constexpr int counted_repeats = 3;

} // namespace

Result<HardwareCounts> count_runs(const HardwareCounters& counters, const SuperSchedule& schedule,
                                  KernelInputs& workload, KernelCompiler& compiler, Team& team, int repeats,
                                  const std::stop_token& stop) {
    const StorageFormat format = storage_format(schedule, workload.pattern().rows, workload.pattern().cols);
    PackingOptions options{{}, team.size(), schedule.op == Operator::SDDMM, stop};
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
    if (!stop.stop_requested())
        runner.run();
    HardwareCounts counts = counters.count([&] {
        for (int repeat = 0; repeat < repeats && !stop.stop_requested(); ++repeat)
            runner.run();
    });
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    for (auto& count : counts.by_event)
        if (count)
            *count /= repeats;
    return counts;
}

Result<void> count_both_sides(const Result<HardwareCounters>& counters, Explanation& explanation,
                              KernelInputs& workload, KernelCompiler& compiler, Team& team,
                              const std::stop_token& stop) {
    if (!counters) {
        explanation.no_counters = counters.error().message;
        return {};
    }
    explanation.no_counters.clear();
    const Blame& blame = explanation.blame;
    for (const auto& [time, side] :
         {std::pair{&blame.from, &explanation.from}, std::pair{&blame.to, &explanation.to}}) {
        if (time->is_at_least) {
            explanation.no_counters = "not counted: a run of it was stopped before its end";
            continue;
        }
        const auto counted =
            count_runs(*counters, side->schedule, workload, compiler, team, counted_repeats, stop);
        if (counted)
            side->counted = *counted;
        else if (counted.error().fault == Fault::Cancelled)
            return std::unexpected(counted.error());
        else
            explanation.no_counters = counted.error().message;
    }
    return {};
}

} // namespace sparsight

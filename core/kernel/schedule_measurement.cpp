#include "kernel/schedule_measurement.h"

#include "kernel/kernel_runner.h"
#include "kernel/lowering.h"

#include <algorithm>

namespace sparsight {

namespace {

Measurement refused(Measurement so_far, MeasurementStatus status, const Error& error) {
    so_far.status = status;
    so_far.reason = error.text();
    return so_far;
}

/// Packs, and on a refusal tells the size that was refused in `bytes`.
Result<PackedMatrix> pack_or_tell_size(const CsrPattern& pattern, const StorageFormat& format,
                                       const PackingOptions& options, std::uint64_t& bytes) {
    const StorageSize least = least_storage(format, pattern.nnz());
    bytes = least.bytes;
    if (auto refusal = sparsight::refusal(format, least, Certainty::AtLeast, pattern, options.limits))
        return std::unexpected(*std::move(refusal));
    const auto plan = PackingPlan::make(pattern, format, options.threads, options.stop);
    if (!plan)
        return std::unexpected(plan.error());
    bytes = plan->size().bytes;
    return plan->pack(options);
}

} // namespace

void ScheduleMeasurer::know(Milliseconds time) {
    if (!best_ || time < *best_)
        best_ = time;
}

Result<Measurement> ScheduleMeasurer::measure(const SuperSchedule& schedule) {
    Measurement result;
    const StorageFormat format = storage_format(schedule, workload_.pattern().rows, workload_.pattern().cols);
    PackingOptions packing{options_.limits, team_.size(), schedule.op == Operator::SDDMM, options_.stop};
    if (is_fixed_csr(schedule)) // what everything is compared with is never refused
        packing.limits = {.max_bytes = UINT64_MAX, .max_ratio_to_csr = 64};
    const Milliseconds start = options_.clock();
    const auto packed = pack_or_tell_size(workload_.pattern(), format, packing, result.bytes);
    result.pack = options_.clock() - start;
    if (packed)
        return measure_packed(schedule, *packed, std::move(result));
    switch (packed.error().fault) {
    case Fault::Limit:
        return refused(result, MeasurementStatus::TooLarge, packed.error());
    case Fault::Cancelled:
    case Fault::Environment:
        return std::unexpected(packed.error());
    default:
        return refused(result, MeasurementStatus::Failed, packed.error());
    }
}

Result<Measurement> ScheduleMeasurer::measure_packed(const SuperSchedule& schedule,
                                                     const PackedMatrix& packed, Measurement result) {
    const LoopNest nest = lower(schedule, workload_.extents(), compiler_.vector_unit());
    const auto kernel = compiler_.compile(nest);
    if (!kernel)
        return refused(result, MeasurementStatus::Failed, kernel.error());
    result.compile = kernel->compile_time();

    const auto operands = workload_.operands(packed);
    if (!operands)
        return std::unexpected(operands.error());
    if (options_.stop.stop_requested())
        return fail(Fault::Cancelled, "stopped before the first run");
    KernelRunner runner(*kernel, *operands, schedule.chunk, team_);
    const Milliseconds start = options_.clock();
    runner.run();
    const Milliseconds first_run = options_.clock() - start;
    if (const auto right = workload_.verify(packed); !right)
        return refused(result, MeasurementStatus::Mismatch, right.error());

    const TimingRules rules =
        timing_rules(options_.protocol, schedule.op, is_fixed_csr(schedule), best_, options_.longest_run);
    const auto timing = time_runs(rules, first_run, [&] { runner.run(); }, options_.clock, options_.stop);
    if (!timing)
        return fail(Fault::Cancelled, "stopped before the first timed run");
    result.status = timing->gave_up ? MeasurementStatus::GaveUp : MeasurementStatus::Measured;
    result.median = timing->median;
    result.spread = timing->spread;
    result.repeats = timing->repeats;
    if (timing->gave_up)
        result.reason = "its first run took " + format_duration(timing->median) + ", more than " +
                        format_duration(*rules.give_up_above);
    else
        know(timing->median);
    result.bytes = packed.bytes();
    return result;
}

} // namespace sparsight

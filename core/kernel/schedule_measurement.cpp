#include "kernel/schedule_measurement.h"

#include "kernel/kernel_runner.h"
#include "kernel/lowering.h"

namespace sparsight {

namespace {

bool is_fixed_csr(const SuperSchedule& schedule) {
    return canonical(schedule) == canonical(fixed_csr(schedule.op, schedule.threads));
}

/// Of what packing refused: a lower bound where that was enough to refuse it, otherwise the exact size.
std::uint64_t predicted_bytes(const CsrPattern& pattern, const StorageFormat& format,
                              const PackingOptions& packing) {
    const StorageSize least = least_storage(format, pattern.nnz());
    if (refusal(format, least, Certainty::AtLeast, pattern, packing.limits))
        return least.bytes;
    const auto exact = predict_storage(pattern, format, packing.threads);
    return exact ? exact->bytes : least.bytes;
}

Measurement refused(Measurement so_far, MeasurementStatus status, const Error& error) {
    so_far.status = status;
    so_far.reason = error.text();
    return so_far;
}

} // namespace

void ScheduleMeasurer::know(Milliseconds time) {
    if (!best_ || time < *best_)
        best_ = time;
}

std::optional<Measurement> ScheduleMeasurer::measure(const SuperSchedule& schedule) {
    Measurement result;
    const StorageFormat format = storage_format(schedule, workload_.pattern().rows, workload_.pattern().cols);
    PackingOptions packing{options_.limits, team_.size(), schedule.op == Operator::SDDMM, options_.stop};

    const Milliseconds pack_start = options_.clock();
    const auto packed = pack(workload_.pattern(), format, packing);
    result.pack = options_.clock() - pack_start;
    if (!packed) {
        if (packed.error().fault == Fault::Cancelled)
            return std::nullopt;
        const bool too_large = packed.error().fault == Fault::Limit;
        if (too_large)
            result.bytes = predicted_bytes(workload_.pattern(), format, packing);
        return refused(result, too_large ? MeasurementStatus::TooLarge : MeasurementStatus::Failed,
                       packed.error());
    }
    result.bytes = packed->bytes();

    const LoopNest nest = lower(schedule, workload_.extents(), compiler_.vector_unit());
    const auto kernel = compiler_.compile(nest);
    if (!kernel)
        return refused(result, MeasurementStatus::Failed, kernel.error());
    result.compile = kernel->compile_time();

    const auto operands = workload_.operands(*packed);
    if (!operands)
        return refused(result, MeasurementStatus::Failed, operands.error());
    if (options_.stop.stop_requested())
        return std::nullopt;
    KernelRunner runner(*kernel, *operands, schedule.chunk, team_);
    const Milliseconds start = options_.clock();
    runner.run();
    const Milliseconds first_run = options_.clock() - start;
    if (const auto right = workload_.verify(*packed); !right)
        return refused(result, MeasurementStatus::Mismatch, right.error());

    const TimingRules rules = timing_rules(options_.protocol, schedule.op, is_fixed_csr(schedule), best_);
    const auto timing = time_runs(rules, first_run, [&] { runner.run(); }, options_.clock, options_.stop);
    if (!timing)
        return std::nullopt;
    result.status = timing->gave_up ? MeasurementStatus::GaveUp : MeasurementStatus::Measured;
    result.median = timing->median;
    result.spread = timing->spread;
    result.repeats = timing->repeats;
    if (timing->gave_up)
        result.reason = "its first run took " + format_duration(timing->median) + ", more than " +
                        format_duration(*rules.give_up_above);
    else
        know(timing->median);
    return result;
}

} // namespace sparsight

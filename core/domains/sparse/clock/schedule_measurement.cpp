#include "domains/sparse/clock/schedule_measurement.h"

#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

// How much slower than the best: given up after its first run, likely to win, known well enough after three.
constexpr double give_up_factor = 10;
/// A first run is cold, and the best's runs were warm: below this, ten times the best says nothing.
constexpr Milliseconds least_give_up{5};
constexpr double contender_factor = 1.1;
constexpr double hopeless_factor = 1.5;
/// The share of the time that threads wait for a processor above which runs are made again, and how often.
constexpr double disturbed_above = 0.05;
constexpr int most_repetitions = 2;

TimingRules adaptive_rules(bool is_baseline, std::optional<Milliseconds> best, Milliseconds longest_run) {
    TimingRules rules;
    rules.least_repeats = is_baseline ? 11 : 5;
    rules.most_repeats = 200;
    rules.least_time = Milliseconds(is_baseline ? 20 : 4);
    rules.budget = Milliseconds(is_baseline ? 400 : 80);
    rules.precision = 0.01;
    rules.shortest_alone = Milliseconds(0.05);
    if (is_baseline)
        return rules;
    rules.give_up_above = longest_run;
    rules.chances = 2;
    if (best) {
        rules.give_up_above =
            std::min(std::max(*best * give_up_factor, least_give_up), std::max(longest_run, *best * 2));
        rules.contender_below = *best * contender_factor;
        rules.hopeless_above = *best * hopeless_factor;
    }
    return rules;
}

/// WACO's execution manager: fixed CSR 10 + 50 runs, a schedule 5 + 30; SpMM gives up above 100 ms.
TimingRules waco_rules(Operator op, bool is_baseline) {
    TimingRules rules;
    rules.warm_ups = is_baseline ? 10 : 5;
    rules.least_repeats = is_baseline ? 50 : 30;
    rules.most_repeats = rules.least_repeats;
    if (op == Operator::SpMM && !is_baseline)
        rules.give_up_above = Milliseconds(100);
    return rules;
}

} // namespace

TimingRules timing_rules(Protocol protocol, Operator op, bool is_baseline, std::optional<Milliseconds> best,
                         Milliseconds longest_run) {
    return protocol == Protocol::FixedRuns ? waco_rules(op, is_baseline)
                                           : adaptive_rules(is_baseline, best, longest_run);
}

namespace {

Measurement refused(Measurement so_far, MeasurementStatus status, const Error& error) {
    so_far.status = status;
    so_far.reason = error.text();
    return so_far;
}

Measurement given_up(Measurement so_far, Milliseconds after, Milliseconds limit, bool finished) {
    so_far.status = MeasurementStatus::GaveUp;
    so_far.median = after;
    so_far.repeats = 1;
    so_far.reason = (finished ? "its fastest first run took " : "its first runs were abandoned after ") +
                    format_duration(after) + ", over the limit of " + format_duration(limit);
    return so_far;
}

struct FirstRun {
    Milliseconds time{};
    bool is_whole = true; ///< false: abandoned
};

FirstRun run_once(KernelRunner& runner, const TimingRules& rules, const MillisecondClock& clock) {
    const Milliseconds start = clock();
    bool is_whole = true;
    if (rules.give_up_above)
        is_whole = runner.run_within(*rules.give_up_above);
    else
        runner.run();
    return {clock() - start, is_whole};
}

/// Another program on the processor may slow any schedule down once, so a schedule gets another chance
/// before it is abandoned.
FirstRun run_first(KernelRunner& runner, const TimingRules& rules, const MillisecondClock& clock,
                   const std::stop_token& stop) {
    FirstRun best = run_once(runner, rules, clock);
    for (int chance = 0; chance < rules.chances && !stop.stop_requested() &&
                         (!best.is_whole || is_given_up(rules, best.time));
         ++chance) {
        const FirstRun again = run_once(runner, rules, clock);
        if (again.is_whole && (!best.is_whole || again.time < best.time))
            best = again;
    }
    return best;
}

/// Packs, and on a refusal tells the size that was refused in `bytes`.
Result<PackedMatrix> pack_or_tell_size(const KernelInputs& inputs, const StorageFormat& format,
                                       const PackingOptions& options, std::uint64_t& bytes) {
    const StorageSize least = storage_lower_bound(format, inputs.nnz());
    bytes = least.bytes;
    if (auto refusal =
            sparsight::refusal(format, least, Certainty::AtLeast, inputs.fixed_bytes(), options.limits))
        return std::unexpected(*std::move(refusal));
    const auto plan = inputs.plan_packing(format, options.threads, options.stop);
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
    result.engine = code_version(compiler_.target());
    const StorageFormat format = storage_format(schedule, workload_.extents());
    PackingOptions packing{options_.limits, team_.size(), schedule.op == Operator::SDDMM, options_.stop};
    if (is_fixed_csr(schedule)) // what everything is compared with is never refused
        packing.limits = {.max_bytes = UINT64_MAX, .max_ratio_to_fixed = 64};
    const Milliseconds start = options_.clock();
    options_.stolen->look(start);
    const auto packed = pack_or_tell_size(workload_, format, packing, result.bytes);
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

namespace {

/// The share of the time of threads that was lost to others. A thread that waits for a processor of this
/// computer does not run on one meanwhile that could be stolen: both never are at the same moment, so both
/// count. But of what is stolen, only the part counts that falls into the time in which they did not wait.
/// Where one of both is unknown, this is the other alone.
std::optional<double> share_lost(std::optional<double> waited, std::optional<double> stolen) {
    if (!waited || !stolen)
        return waited ? waited : stolen;
    return *waited + (1 - *waited) * *stolen;
}

} // namespace

Result<Measurement> ScheduleMeasurer::measure_packed(const SuperSchedule& schedule,
                                                     const PackedMatrix& packed, Measurement result) {
    const LoopNest nest = lower(schedule, workload_.extents(), compiler_.target(), mean_fill(packed));
    const auto kernel = compiler_.compile(nest);
    if (!kernel)
        return refused(result, MeasurementStatus::Failed, kernel.error());
    result.compile = kernel->compile_time();
    const Milliseconds begin = options_.clock();
    options_.stolen->look(begin);

    if (auto looked = look_for_drift(); !looked)
        return std::unexpected(looked.error());
    const auto operands = workload_.operands(packed);
    if (!operands)
        return std::unexpected(operands.error());
    if (options_.stop.stop_requested())
        return fail(Fault::Cancelled, "stopped before the first run");
    KernelRunner runner(*kernel, *operands, schedule.chunk, team_);
    TimingRules rules =
        timing_rules(options_.protocol, schedule.op, is_fixed_csr(schedule), best_, options_.longest_run);
    if (rules.give_up_above) // on a computer that is slower at the moment, so is the best
        rules.give_up_above = std::max(
            *rules.give_up_above * (drift_ ? std::max(1.0, drift_->slowdown()) : 1.0), options_.patience);
    const FirstRun first = run_first(runner, rules, options_.clock, options_.stop);
    result.bytes = packed.bytes();
    if (!first.is_whole || is_given_up(rules, first.time))
        return given_up(std::move(result), first.time, *rules.give_up_above, first.is_whole);
    if (const auto right = workload_.verify(packed); !right)
        return refused(result, MeasurementStatus::Mismatch, right.error());

    const auto timing = time_undisturbed(rules, *kernel, schedule.chunk, packed, result.disturbance);
    if (!timing)
        return std::unexpected(timing.error());
    if (!*timing)
        return fail(Fault::Cancelled, "stopped before the first timed run");
    result.disturbance = share_lost(result.disturbance, options_.stolen->share(begin, options_.clock()));
    if (const auto right = workload_.verify(packed); !right)
        return refused(result, MeasurementStatus::Mismatch, right.error());
    result.status = MeasurementStatus::Measured;
    result.median = (*timing)->median;
    result.scatter = (*timing)->scatter;
    result.error = (*timing)->error;
    result.repeats = (*timing)->repeats;
    if (drift_) {
        result.drift = result.median * drift_->relative();
        result.reference = is_fixed_csr(schedule) ? result.median : drift_->reference();
    }
    result.spread = spread_from(*result.error, result.drift.value_or(Milliseconds(0)));
    know(result.median);
    return result;
}

namespace {

/// The share of the time of so many threads that they waited. Unknown where the system does not count it.
std::optional<double> share_waited(std::optional<Seconds> before, std::optional<Seconds> after,
                                   Seconds elapsed, int threads) {
    if (!before || !after || elapsed.count() <= 0)
        return std::nullopt;
    return std::clamp((*after - *before) / elapsed / threads, 0.0, 1.0);
}

} // namespace

/// C is poisoned before, so that what the timed runs leave in it is their own. Runs that were disturbed are
/// made again, at most twice; those that were disturbed least count. Stolen time does not ask for it: it is
/// not known of the single attempts, and lasts longer than they do.
Result<std::optional<Timing>>
ScheduleMeasurer::time_undisturbed(const TimingRules& rules, const CompiledKernel& kernel, std::int64_t chunk,
                                   const PackedMatrix& packed, std::optional<double>& disturbance) {
    std::optional<Timing> best;
    Result<void> done;
    std::optional<KernelRunner> runner;
    const auto bind = [&] {
        if (const auto operands = workload_.operands(packed))
            runner.emplace(kernel, *operands, chunk, team_);
        else
            done = std::unexpected(operands.error());
    };
    const auto look = [&] { // C belongs to fixed CSR meanwhile
        done = drift_->look_now();
        if (done)
            bind();
    };
    for (int attempt = 0; attempt <= most_repetitions; ++attempt) {
        bind();
        if (!done)
            return std::unexpected(done.error());
        const Milliseconds start = options_.clock();
        const std::optional<Seconds> waited_before = options_.waited();
        auto timing = time_runs(
            rules, [&] { runner->run(); }, options_.clock, options_.stop,
            drift_ ? std::function<void()>(look) : std::function<void()>());
        if (!done)
            return std::unexpected(done.error());
        if (!timing) { // stopped
            if (best)
                runner->run(); // there is no result to check since C was poisoned again
            break;
        }
        const auto share =
            share_waited(waited_before, options_.waited(), options_.clock() - start, team_.size());
        if (!best || (share && *share < *disturbance)) {
            best = timing;
            disturbance = share;
        }
        if (options_.protocol != Protocol::Adaptive || !share || *share <= disturbed_above ||
            options_.stop.stop_requested())
            break;
    }
    return best;
}

Result<void> ScheduleMeasurer::look_for_drift() {
    if (options_.protocol != Protocol::Adaptive)
        return {};
    if (drift_)
        return drift_->look();
    auto watch = DriftMonitor::make(workload_, compiler_, team_, options_.clock);
    if (!watch)
        return std::unexpected(watch.error());
    drift_.emplace(std::move(*watch));
    return {};
}

} // namespace sparsight

#include "domains/sparse/explanation/measured_clock.h"

#include "collection/measuring_domain.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/diagnosis/paired_measurement.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace sparsight {

namespace {

/// Before both ends are known no schedule is far behind. The clock is never less patient than a
/// collection: an abandoned measurement is stored, and counts as abandoned wherever stored times are used.
constexpr Milliseconds first_patience{2'000};

/// By how much the same schedule was seen to take longer or shorter at another hour, as a share of its time.
constexpr double between_moments = 0.1;

/// As in a collection: a kernel that ends the process is tried again, since the process may have been killed
/// by hand.
constexpr int most_attempts = 3;

MeasurementOptions options_with(const std::stop_token& stop, MillisecondClock clock) {
    MeasurementOptions options;
    options.stop = stop;
    options.clock = std::move(clock);
    options.patience = first_patience;
    return options;
}

/// Two standard errors of a single measurement's median. Times that are stored without one have the scatter
/// of their runs instead: 2 · 1.2533 σ / √n, but no less than the drift in it.
double single_spread_ms(const Measurement& measurement) {
    if (measurement.error)
        return measurement.spread.count();
    const double of_few = 2.5066 / std::sqrt(static_cast<double>(std::max(1, measurement.repeats)));
    return measurement.spread.count() * std::max(1.0, of_few);
}

ClockTime time_of(const Measurement& measurement) {
    if (!has_time(measurement.status))
        return {.milliseconds = {}, .reason = measurement.reason};
    return {.milliseconds = measurement.median.count(),
            .spread_ms = single_spread_ms(measurement),
            .is_at_least = measurement.status == MeasurementStatus::GaveUp};
}

/// Of two turns the spread is their difference, and at least that of either turn.
ClockTime time_of(const std::vector<Milliseconds>& turns, const ClockTime& single) {
    std::vector<double> values;
    std::ranges::transform(turns, std::back_inserter(values), [](Milliseconds each) { return each.count(); });
    const double apart = std::ranges::max(values) - std::ranges::min(values);
    const double spread = turns.size() > 2 ? median_error(values) : std::max(apart, single.spread_ms);
    return {.milliseconds = median_of(turns).count(),
            .spread_ms = spread,
            .turns = static_cast<int>(turns.size())};
}

Measurement died_before() {
    Measurement measurement;
    measurement.status = MeasurementStatus::Failed;
    measurement.reason = "the program ended three times while it was measured";
    measurement.engine = code_version(KernelTarget::of_this_computer());
    return measurement;
}

} // namespace

Result<KnownTimes> known_times(Workspace& workspace, const Domain& sparse, const ResultFilter& filter) {
    const Setting setting = setting_of(*filter.op, *filter.dense);
    const auto codec = sparse.codec(setting);
    if (!codec)
        return std::unexpected(codec.error());
    return KnownTimes::read(workspace, **codec,
                            {.domain = setting.domain,
                             .workload = filter.matrix,
                             .machine = filter.machine,
                             .setting = setting.text,
                             .protocol = filter.protocol,
                             .threads = filter.threads});
}

MeasuredClock::MeasuredClock(KernelInputs& workload, KernelCompiler& compiler, Team& team,
                             std::optional<MeasurementStore> store, const std::stop_token& stop,
                             MillisecondClock clock)
    : team_(team)
    , op_(workload.op())
    , dense_(dense_index(op_) ? workload.extents()[*dense_index(op_)] : 1)
    , store_(std::move(store))
    , measurer_(workload, compiler, team, options_with(stop, std::move(clock)))
    , programs_(workload.extents(), compiler.target()) {
    if (store_)
        for (const ResultRecord& row : store_->known.rows()) {
            if (row.status == MeasurementStatus::Damaged)
                continue; // measured again when it is asked for
            if (const auto schedule = parse_schedule(op_, row.configuration)) {
                const ResultRecord*& known = stored_[programs_.of(*schedule)];
                if (known == nullptr || is_better_known(row, *known))
                    known = &row;
            }
        }
}

std::string MeasuredClock::program(const Configuration& configuration) const {
    return programs_.of(schedule_of(configuration, team_.size()));
}

Result<ClockTime> MeasuredClock::time(const Configuration& configuration) {
    const SuperSchedule schedule = schedule_of(configuration, team_.size());
    std::string asked_program = programs_.of(schedule);
    if (const auto known = known_.find(asked_program); known != known_.end())
        return known->second.time;
    auto found = look_up_or_measure(schedule, asked_program);
    if (!found)
        return std::unexpected(std::move(found.error()));
    return known_.emplace(std::move(asked_program), std::move(*found)).first->second.time;
}

Result<MeasuredClock::KnownProgram> MeasuredClock::look_up_or_measure(const SuperSchedule& schedule,
                                                                      const std::string& asked) {
    if (const auto found = stored_.find(asked); found != stored_.end()) {
        const ResultRecord* const row = found->second;
        auto time = time_of_row(*row);
        if (!time)
            return std::unexpected(std::move(time.error()));
        ++reused_;
        if (row->status == MeasurementStatus::Measured)
            measurer_.know(Milliseconds(*row->median_ms));
        return KnownProgram{.schedule = schedule,
                            .time = std::move(*time),
                            .turns = {},
                            .measured = row->measured,
                            .was_stored = true};
    }
    const std::string date = measuring_date();
    const auto measurement = measure_and_store(schedule, date);
    if (measurement) {
        ++measured_;
        KnownProgram known{
            .schedule = schedule, .time = time_of(*measurement), .turns = {}, .measured = date};
        if (measurement->status == MeasurementStatus::Measured)
            known.turns.push_back(measurement->median);
        return known;
    }
    if (measurement.error().fault == Fault::Environment && measurement.error().file.empty())
        return KnownProgram{.schedule = schedule,
                            .time = {.milliseconds = {}, .reason = measurement.error().message},
                            .turns = {},
                            .measured = date};
    return std::unexpected(measurement.error());
}

/// A stored row does not hold the number of runs of its median.
Result<ClockTime> MeasuredClock::time_of_row(const ResultRecord& row) {
    if (!row.median_ms)
        return ClockTime{.milliseconds = {}, .reason = row.reason};
    const auto schedule = parse_schedule(op_, row.configuration);
    if (!schedule)
        return std::unexpected(schedule.error());
    const auto stored = find_measurement(*store_->workspace, store_->setting, *schedule);
    if (!stored)
        return std::unexpected(stored.error());
    ClockTime time = *stored ? time_of(**stored)
                             : ClockTime{.milliseconds = row.median_ms,
                                         .spread_ms = row.spread_ms.value_or(0),
                                         .is_at_least = row.status == MeasurementStatus::GaveUp};
    time.spread_ms = std::hypot(time.spread_ms, between_moments * *row.median_ms);
    time.turns = 0;
    return time;
}

Result<std::optional<Milliseconds>> MeasuredClock::measure_again(const Configuration& configuration) {
    if (auto first = time(configuration); !first)
        return std::unexpected(std::move(first.error()));
    KnownProgram& known = known_.at(program(configuration));
    if (!known.time.milliseconds || known.time.is_at_least)
        return std::nullopt;
    auto measurement = measurer_.measure(known.schedule);
    if (!measurement && measurement.error().fault == Fault::Environment && measurement.error().file.empty())
        return std::nullopt; // memory that was short for a moment is no reason to give up the first time
    if (!measurement)
        return std::unexpected(std::move(measurement.error()));
    if (measurement->status != MeasurementStatus::Measured)
        return std::nullopt;
    ++repeated_;
    known.turns.push_back(measurement->median);
    if (known.turns.size() > 1)
        known.time = time_of(known.turns, known.time);
    if (auto stored = store_turns(known, *measurement); !stored)
        return std::unexpected(std::move(stored.error()));
    return measurement->median;
}

Result<void> MeasuredClock::store_turns(const KnownProgram& known, Measurement last) {
    if (!store_ || known.was_stored || known.turns.size() < 3)
        return {};
    last.median = Milliseconds(*known.time.milliseconds);
    last.scatter = spread_of(known.turns);
    last.error = median_error_of(known.turns);
    last.drift.reset(); // the turns lie apart, and their scatter has it
    last.spread = spread_from(*last.error, Milliseconds(0));
    last.repeats = static_cast<int>(known.turns.size());
    return record_measurement(*store_->workspace, store_->setting, known.schedule, last, std::nullopt,
                              known.measured);
}

Result<Measurement> MeasuredClock::measure_and_store(const SuperSchedule& schedule, const std::string& date) {
    if (!store_)
        return measurer_.measure(schedule);
    Workspace& workspace = *store_->workspace;
    const auto attempts =
        begin_attempt(workspace, {store_->matrix, setting_of(op_, dense_).text, to_text(schedule)});
    if (!attempts)
        return std::unexpected(attempts.error());
    auto measurement =
        *attempts > most_attempts ? Result<Measurement>(died_before()) : measurer_.measure(schedule);
    if (measurement)
        if (auto stored =
                record_measurement(workspace, store_->setting, schedule, *measurement, std::nullopt, date);
            !stored)
            return std::unexpected(std::move(stored.error()));
    // Stopped, or short of memory: the program lives, and that was no attempt that took it down.
    if (auto ended = end_attempts(workspace); !ended)
        return std::unexpected(std::move(ended.error()));
    return measurement;
}

void MeasuredClock::set_limit(double milliseconds) {
    measurer_.set_patience(Milliseconds(milliseconds));
}

namespace {

constexpr double least_factor = 1.25;
constexpr double errors_apart = 2;

} // namespace

std::optional<MachineTimeDrift> machine_time_drift(const ResultRecord* stored, const ClockTime& now) {
    if (stored == nullptr || stored->status != MeasurementStatus::Measured || !stored->median_ms)
        return std::nullopt;
    if (!now.milliseconds || now.is_at_least || now.turns == 0)
        return std::nullopt;
    const MachineTimeDrift moved{*stored->median_ms, *now.milliseconds};
    const double longer = std::max(moved.stored_ms, moved.measured_ms);
    const double shorter = std::min(moved.stored_ms, moved.measured_ms);
    const double errors = std::hypot(stored->spread_ms.value_or(0), now.spread_ms);
    const bool is_apart = longer > least_factor * shorter && longer - shorter > errors_apart * errors;
    return is_apart ? std::optional(moved) : std::nullopt;
}

std::string to_text(const MachineTimeDrift& moved, std::string_view what) {
    return fmt::format("the computer was {} than when {} was measured before: {:.3g} against {:.3g} ms",
                       moved.is_slower() ? "slower" : "faster", what, moved.measured_ms, moved.stored_ms);
}

namespace {

constexpr int counted_repeats = 3;

} // namespace

Result<HardwareCounts> count_runs(const HardwareCounters& counters, const SuperSchedule& schedule,
                                  KernelInputs& workload, KernelCompiler& compiler, Team& team, int repeats,
                                  const std::stop_token& stop) {
    const StorageFormat format = storage_format(schedule, workload.pattern().rows, workload.pattern().cols);
    PackingOptions options{{}, team.size(), schedule.op == Operator::SDDMM, stop};
    if (is_fixed_csr(schedule)) // what everything is compared with is never refused
        options.limits = {.max_bytes = UINT64_MAX, .max_ratio_to_fixed = 64};
    const auto plan = PackingPlan::make(workload.pattern(), format, options.threads, options.stop);
    if (!plan)
        return std::unexpected(plan.error());
    const auto packed = plan->pack(options);
    if (!packed)
        return std::unexpected(packed.error());
    const auto kernel =
        compiler.compile(lower(schedule, workload.extents(), compiler.target(), mean_fill(*packed)));
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

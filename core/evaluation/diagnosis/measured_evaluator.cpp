#include "evaluation/diagnosis/measured_evaluator.h"

#include "collection/measurement_in_flight.h"
#include "schedule/text.h"

#include <utility>

namespace sparsight {

namespace {

/// Before both ends are known nothing is far behind. Only ever more patient than a collection: what is given
/// up is stored, and counts as given up wherever stored times are used.
constexpr Milliseconds first_patience{2'000};

/// As a collection: a kernel that takes the process down is tried again, for it may have been killed by hand.
constexpr int most_attempts = 3;

MeasurementOptions options_with(const std::stop_token& stop, Clock clock) {
    MeasurementOptions options;
    options.stop = stop;
    options.clock = std::move(clock);
    options.patience = first_patience;
    return options;
}

HybridTime time_of(const Measurement& measurement) {
    if (!has_time(measurement.status))
        return {.milliseconds = {}, .reason = measurement.reason};
    return {.milliseconds = measurement.median.count(),
            .spread_ms = measurement.spread.count(),
            .is_at_least = measurement.status == MeasurementStatus::GaveUp};
}

HybridTime time_of(const ResultRow& row) {
    if (!row.median_ms)
        return {.milliseconds = {}, .reason = row.reason};
    return {.milliseconds = row.median_ms,
            .spread_ms = row.spread_ms.value_or(0),
            .is_at_least = row.status == MeasurementStatus::GaveUp};
}

Measurement died_before() {
    Measurement measurement;
    measurement.status = MeasurementStatus::Failed;
    measurement.reason = "the program ended three times while it was measured";
    return measurement;
}

} // namespace

MeasuredEvaluator::MeasuredEvaluator(Workload& workload, KernelCompiler& compiler, Team& team,
                                     std::optional<MeasurementStore> store, const std::stop_token& stop,
                                     Clock clock)
    : team_(team)
    , op_(workload.op())
    , dense_(dense_index(op_) ? workload.extents()[*dense_index(op_)] : 1)
    , store_(std::move(store))
    , measurer_(workload, compiler, team, options_with(stop, std::move(clock)))
    , programs_(workload.extents(), compiler.target()) {
    if (store_)
        for (const ResultRow& row : store_->known.rows())
            if (const auto schedule = parse_schedule(row.op, row.schedule)) {
                const ResultRow*& known = stored_[program(*schedule)];
                if (known == nullptr || is_better_known(row, *known))
                    known = &row;
            }
}

std::string MeasuredEvaluator::program(const SuperSchedule& schedule) const {
    return programs_.of(schedule);
}

Result<HybridTime> MeasuredEvaluator::time(const SuperSchedule& asked) {
    SuperSchedule schedule = asked;
    schedule.threads = team_.size();
    std::string asked_program = program(schedule);
    if (const auto known = known_.find(asked_program); known != known_.end())
        return known->second;
    auto time = look_up_or_measure(schedule, asked_program);
    if (time)
        known_.emplace(std::move(asked_program), *time);
    return time;
}

Result<HybridTime> MeasuredEvaluator::look_up_or_measure(const SuperSchedule& schedule,
                                                         const std::string& asked) {
    if (const auto found = stored_.find(asked); found != stored_.end()) {
        const ResultRow* const row = found->second;
        ++reused_;
        if (row->status == MeasurementStatus::Measured)
            measurer_.know(Milliseconds(*row->median_ms));
        return time_of(*row);
    }
    const auto measurement = measure_and_store(schedule);
    if (measurement) {
        ++measured_;
        return time_of(*measurement);
    }
    if (measurement.error().fault == Fault::Environment && measurement.error().file.empty())
        return HybridTime{.milliseconds = {}, .reason = measurement.error().message};
    return std::unexpected(measurement.error());
}

Result<Measurement> MeasuredEvaluator::measure_and_store(const SuperSchedule& schedule) {
    if (!store_)
        return measurer_.measure(schedule);
    Workspace& workspace = *store_->workspace;
    const auto attempts = begin_attempt(workspace, {store_->matrix, op_, dense_, to_text(schedule)});
    if (!attempts)
        return std::unexpected(attempts.error());
    auto measurement =
        *attempts > most_attempts ? Result<Measurement>(died_before()) : measurer_.measure(schedule);
    if (!measurement)
        return measurement;
    if (auto stored = record_measurement(workspace, store_->setting, schedule, *measurement); !stored)
        return std::unexpected(std::move(stored.error()));
    if (auto ended = end_attempts(workspace); !ended)
        return std::unexpected(std::move(ended.error()));
    return measurement;
}

Result<void> MeasuredEvaluator::prepare(std::span<const SuperSchedule>, const std::stop_token&) {
    return {};
}

void MeasuredEvaluator::set_limit(double milliseconds) {
    measurer_.set_patience(Milliseconds(milliseconds));
}

} // namespace sparsight

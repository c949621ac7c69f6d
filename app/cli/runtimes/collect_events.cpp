#include "cli/runtimes/collect_events.h"

#include "domains/sparse/schedule/text.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

Json step_json(const CollectionStep& step) {
    const Measurement& measurement = step.measurement;
    const bool timed = has_time(measurement.status);
    return {{"matrix", step.matrix},
            {"schedule", to_text(step.schedule)},
            {"status", name(measurement.status)},
            {"median_ms", timed ? Json(measurement.median.count()) : Json()},
            {"spread_ms",
             measurement.status == MeasurementStatus::Measured ? Json(measurement.spread.count()) : Json()},
            {"bytes", measurement.bytes},
            {"reason", measurement.reason.empty() ? Json() : Json(measurement.reason)},
            {"done", step.done},
            {"total", step.total},
            {"seconds", step.elapsed.count()},
            {"seconds_left", step.left ? Json(step.left->count()) : Json()}};
}

} // namespace

Json summary_json(const CollectionSummary& summary) {
    Json failures = Json::array();
    for (const CollectionFailure& failure : summary.failures)
        failures.push_back({{"matrix", failure.matrix},
                            {"schedule", failure.schedule.empty() ? Json() : Json(failure.schedule)},
                            {"error", failure.error.text()}});
    return {{"measured", summary.measured},
            {"failed", summary.failed},
            {"skipped", summary.skipped},
            {"seconds", summary.elapsed.count()},
            {"schedules_per_second", summary.schedules_per_second()},
            {"complete", summary.complete},
            {"failures", failures}};
}

void tell_start(JobEvents& events, const CollectionRequest& request, const MachineRecord& machine) {
    events.start({{"operator", name(request.op)},
                  {"dense", request.op == Operator::SpMV ? 1 : request.dense},
                  {"machine", machine.name},
                  {"threads", request.threads},
                  {"protocol", name(request.protocol)}});
}

void tell_end(JobEvents& events, const CollectionSummary& summary, bool interrupted) {
    events.end(summary_json(summary), summary.complete, interrupted && !summary.complete);
}

CollectionObserver event_observer(const JobEvents& events) {
    return {.on_matrix =
                [&events](std::string_view matrix, std::size_t number, std::size_t count) {
                    events.tell("matrix", {{"matrix", matrix}, {"number", number}, {"count", count}});
                },
            .on_step = [&events](const CollectionStep& step) { events.tell("step", step_json(step)); }};
}

CollectionObserver display_observer(ProgressDisplay& display) {
    return {.on_matrix = {}, .on_step = [&display](const CollectionStep& step) {
                const std::string what = fmt::format("{} of {}, {}", step.done, step.total, step.matrix);
                display.show({.what = what, .done = step.done, .total = step.total, .left = step.left});
            }};
}

} // namespace sparsight

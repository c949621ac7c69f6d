#include "workflow/machines/collection_job.h"

#include "domains/sparse/schedule/text.h"
#include "machine/probe/background_load.h"
#include "workflow/machines/this_machine.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

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

std::string step_text(const CollectionStep& step) {
    return fmt::format("{} of {}, {}", step.done, step.total, step.matrix);
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

CollectionObserver collection_observer(Observer& observer) {
    return {
        .on_matrix =
            [&observer](std::string_view matrix, std::size_t number, std::size_t count) {
                observer.event("matrix", {{"matrix", matrix}, {"number", number}, {"count", count}});
            },
        .on_step =
            [&observer](const CollectionStep& step) {
                observer.event("step", step_json(step));
                observer.show(
                    {.stage = step_text(step), .done = step.done, .total = step.total, .left = step.left});
            }};
}

CollectionObserver collection_progress(Observer& observer) {
    return {.on_matrix = {}, .on_step = [&observer](const CollectionStep& step) {
                observer.progress({.stage = step.matrix,
                                   .done = step.done,
                                   .total = step.total,
                                   .details = step_text(step),
                                   .left = step.left});
            }};
}

Result<std::optional<CollectionSummary>>
collect_on_this_computer(Workspace& workspace, const MachineRecord& machine, const CollectionRequest& request,
                         Observer& observer, const std::stop_token& stop) {
    const auto turn = measuring_turn(observer, stop);
    if (!turn)
        return std::nullopt;
    const BackgroundLoad others;
    observer.start({{"operator", name(request.op)},
                    {"dense", request.op == Operator::SpMV ? 1 : request.dense},
                    {"machine", machine.name},
                    {"threads", request.threads},
                    {"protocol", name(request.protocol)}});
    auto summary = collect(workspace, machine.id, request, collection_observer(observer), stop);
    if (!summary)
        return std::unexpected(std::move(summary).error());
    if (const double taken = others.share().value_or(0); summary->measured > 0 && taken > disturbing_share)
        observer.remark(
            fmt::format("the computer was busy: other programs took {:.0f} % of its processors, and "
                        "times may be longer than they are; --again measures anew",
                        taken * 100));
    return std::optional(*std::move(summary));
}

} // namespace sparsight

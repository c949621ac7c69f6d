#include "workflow/machines/collection_job.h"

#include "base/quantity.h"
#include "base/text.h"
#include "machine/probe/system_files.h"
#include "workflow/machines/measuring_turn.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

Json step_json(const CollectionStep& step, const DomainWords& words) {
    const Measurement& measurement = step.measurement;
    const bool timed = has_time(measurement.status);
    return {{words.workload.one, step.workload},
            {words.configuration.one, step.configuration},
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
    return fmt::format("{} of {}, {}", step.done, step.total, step.workload);
}

} // namespace

Json summary_json(const CollectionSummary& summary, const DomainWords& words) {
    Json failures = Json::array();
    for (const CollectionFailure& failure : summary.failures)
        failures.push_back(
            {{words.workload.one, failure.workload},
             {words.configuration.one, failure.configuration.empty() ? Json() : Json(failure.configuration)},
             {"error", failure.error.text()}});
    return {{"measured", summary.measured},
            {"given_up", summary.given_up},
            {"failed", summary.failed},
            {"too_large", summary.too_large},
            {"kept", summary.kept},
            {"skipped", summary.skipped},
            {"seconds", summary.elapsed.count()},
            {words.configuration.many + "_per_second", summary.configurations_per_second()},
            {"complete", summary.complete},
            {"failures", failures}};
}

std::string summary_text(const CollectionSummary& summary, const DomainWords& words) {
    std::string text = fmt::format("{} measured", format_count(summary.measured - summary.given_up));
    for (const auto& [count, what] :
         {std::pair(summary.given_up, "abandoned as too slow"), std::pair(summary.too_large, "too large"),
          std::pair(summary.failed - summary.too_large, "failed"),
          std::pair(summary.skipped, "there before")})
        if (count > 0)
            text += fmt::format(", {} {}", format_count(count), what);
    text += fmt::format(", in {} ({:.1f} {} a second)\n", format_duration(summary.elapsed),
                        summary.configurations_per_second(), words.configuration.many);
    if (summary.kept > 0)
        text += fmt::format("{} {}: the new run was abandoned or failed\n",
                            counted(summary.kept, words.configuration.one, words.configuration.many),
                            summary.kept == 1 ? "keeps its earlier time" : "keep their earlier times");
    return text;
}

CollectionObserver collection_observer(Observer& observer, const DomainWords& words) {
    return {
        .on_workload =
            [&observer, &words](std::string_view workload, std::size_t number, std::size_t count) {
                observer.event(words.workload.one,
                               {{words.workload.one, workload}, {"number", number}, {"count", count}});
            },
        .on_step =
            [&observer, &words](const CollectionStep& step) {
                observer.event("step", step_json(step, words));
                observer.show(
                    {.stage = step_text(step), .done = step.done, .total = step.total, .left = step.left});
            }};
}

CollectionObserver collection_progress(Observer& observer) {
    return {.on_workload = {}, .on_step = [&observer](const CollectionStep& step) {
                observer.progress({.stage = step.workload,
                                   .done = step.done,
                                   .total = step.total,
                                   .details = step_text(step),
                                   .left = step.left});
            }};
}

Json setting_json(const Domain& domain, const Setting& setting) {
    Json json = Json::object();
    for (const SettingMember& member : domain.members(setting)) {
        if (const auto* const number = std::get_if<std::int64_t>(&member.value))
            json[member.key] = *number;
        else if (const auto* const text = std::get_if<std::string>(&member.value))
            json[member.key] = *text;
        else
            json[member.key] = nullptr;
    }
    return json;
}

Result<CollectionSummary> collect_on_this_computer(Workspace& workspace, const MeasuringDomain& domain,
                                                   const MachineRecord& machine,
                                                   const CollectionRequest& asked, Observer& observer,
                                                   const std::stop_token& stop) {
    CollectionRequest request = asked;
    const auto turn = measuring_turn(observer, stop, request.budget);
    const bool is_out_of_time = !turn && turn.error().fault == Fault::Limit;
    if (!turn && !is_out_of_time)
        return std::unexpected(turn.error());
    if (is_out_of_time)
        observer.warn(turn.error().message);
    const BackgroundLoad others;
    Json facts = setting_json(domain.domain(), request.setting);
    facts.update(
        {{"machine", machine.name}, {"threads", request.threads}, {"protocol", name(request.protocol)}});
    observer.start(facts);
    if (is_out_of_time) // what another one measures at this time shall not be disturbed
        return CollectionSummary();
    request.budget = turn->budget;
    auto summary = collect(workspace, domain, machine.id, request,
                           collection_observer(observer, domain.domain().words()), stop);
    if (!summary)
        return std::unexpected(std::move(summary).error());
    if (summary->outdated > 0)
        observer.remark(fmt::format("{} measured by another version of what measures: {} measured again, as "
                                    "times of two versions can't be compared",
                                    counted(summary->outdated, "time was", "times were"),
                                    summary->outdated == 1 ? "it is" : "they are"));
    if (const double taken = others.share().value_or(0); summary->measured > 0 && taken > disturbing_share)
        observer.remark(fmt::format("the computer was busy: other programs took {:.0f} % of its processors. "
                                    "Times may be too long; --again measures again",
                                    taken * 100));
    return summary;
}

} // namespace sparsight

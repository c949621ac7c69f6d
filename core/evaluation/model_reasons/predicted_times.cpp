#include "evaluation/model_reasons/predicted_times.h"

#include "base/optional_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

/// Of what can't run, which JSON has no number for.
constexpr double never_fast = std::numeric_limits<double>::infinity();

std::optional<double> number_or_none(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? std::nullopt : std::optional(found->get<double>());
}

Json time_json(const PredictedTime& time, const DomainWords& words) {
    Json corrections;
    for (const auto& [key, value] : time.corrections)
        corrections[key] = value;
    return {{words.configuration.one, time.configuration},
            {"score", std::isfinite(time.score) ? Json(time.score) : Json()},
            {"simulated_ms", json_or_null(time.simulated_ms)},
            {"learned_ms", json_or_null(time.learned_ms)},
            {"low_ms", json_or_null(time.low_ms)},
            {"high_ms", json_or_null(time.high_ms)},
            {"beats_baseline", json_or_null(time.beats_baseline)},
            {"corrections", std::move(corrections)}};
}

/// Nothing takes no time, or less.
Result<void> check_time(const PredictedTime& time) {
    for (const auto& [key, milliseconds] :
         {std::pair("simulated_ms", time.simulated_ms), std::pair("learned_ms", time.learned_ms)})
        if (milliseconds && !(*milliseconds > 0 && std::isfinite(*milliseconds)))
            return fail(Fault::Internal,
                        fmt::format("predicted times can't be read: {} of {} is {}: expected "
                                    "milliseconds above 0",
                                    key, time.configuration, *milliseconds));
    return {};
}

PredictedTime time_of(const Json& json, const DomainWords& words) {
    PredictedTime time{.configuration = json.at(words.configuration.one).get<std::string>(),
                       .score = number_or_none(json, "score").value_or(never_fast),
                       .simulated_ms = number_or_none(json, "simulated_ms"),
                       .learned_ms = number_or_none(json, "learned_ms"),
                       .low_ms = number_or_none(json, "low_ms"),
                       .high_ms = number_or_none(json, "high_ms"),
                       .beats_baseline = number_or_none(json, "beats_baseline")};
    if (const Json& corrections = json.at("corrections"); !corrections.is_null())
        time.corrections = corrections.get<std::map<std::string, double>>();
    return time;
}

} // namespace

const PredictedTime* PredictedTimes::find(std::string_view workload, std::string_view configuration) const {
    const auto of = std::ranges::find(workloads, workload, &PredictedWorkload::name);
    if (of == workloads.end())
        return nullptr;
    const auto time = std::ranges::find(of->times, configuration, &PredictedTime::configuration);
    return time == of->times.end() ? nullptr : &*time;
}

Json predicted_times_json(const PredictedTimes& predicted, const DomainWords& words) {
    Json workloads = Json::array();
    for (const PredictedWorkload& each : predicted.workloads) {
        Json times = Json::array();
        for (const PredictedTime& time : each.times)
            times.push_back(time_json(time, words));
        workloads.push_back({{words.workload.one, each.name},
                             {"anchored", each.is_anchored},
                             {words.configuration.many, std::move(times)}});
    }
    return {{"model", predicted.model},
            {"machine", predicted.machine},
            {"tells_times", predicted.tells_times},
            {words.workload.many, std::move(workloads)}};
}

Result<PredictedTimes> parse_predicted_times(const Json& json, const DomainWords& words) {
    try {
        PredictedTimes predicted{.model = json.at("model").get<std::string>(),
                                 .machine = json.at("machine").get<std::string>(),
                                 .tells_times = json.at("tells_times").get<bool>(),
                                 .workloads = {}};
        for (const Json& each : json.at(words.workload.many)) {
            PredictedWorkload workload{
                each.at(words.workload.one).get<std::string>(), each.at("anchored").get<bool>(), {}};
            for (const Json& time : each.at(words.configuration.many)) {
                workload.times.push_back(time_of(time, words));
                if (auto checked = check_time(workload.times.back()); !checked)
                    return std::unexpected(std::move(checked).error());
            }
            predicted.workloads.push_back(std::move(workload));
        }
        return predicted;
    } catch (const nlohmann::json::exception& problem) {
        return fail(Fault::Internal, fmt::format("predicted times can't be read: {}", problem.what()));
    }
}

} // namespace sparsight

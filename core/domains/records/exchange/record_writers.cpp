#include "domains/records/exchange/record_writers.h"

#include "base/text.h"
#include "domains/records/formats/json_values.h"
#include "domains/records/formats/record_table.h"
#include "domains/records/record_space.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

/// Why there is no time. Not empty, and not "ok", which would mean that there is one.
std::string reason_of(const StoredTime& time) {
    std::string reason = time.reason;
    std::ranges::replace_if(reason, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    reason = std::string(trimmed(reason));
    const bool says_ok =
        reason.size() == 2 && std::tolower(reason[0]) == 'o' && std::tolower(reason[1]) == 'k';
    return reason.empty() || says_ok ? std::string(name(time.status)) : reason;
}

bool has_spread(const StoredTime& time) {
    return time.spread_ms && *time.spread_ms > 0;
}

/// The enumerator of T4 that comes nearest to a reason.
std::string_view invalidity_of(std::string_view reason) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> words{
        {{"timeout", "timeout"},
         {"timed out", "timeout"},
         {"compil", "compile"},
         {"wrong", "correctness"},
         {"correctness", "correctness"},
         {"invalidconfig", "constraints"},
         {"constraint", "constraints"}}};
    std::string lower(reason);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto& [word, invalidity] : words)
        if (lower.contains(word))
            return invalidity;
    return "runtime";
}

/// The JSON value that decision_text() makes this text of.
Json json_of_value(const std::string& text) {
    Json value = Json::parse(text, nullptr, false);
    return !value.is_discarded() && decision_text(value) == text ? value : Json(text);
}

} // namespace

std::string_view run_of(std::string_view condition) {
    constexpr std::string_view run = "run=";
    return condition.starts_with(run) ? condition.substr(run.size()) : condition;
}

Result<RecordTableText> RecordTableText::of(const std::set<std::string>& decisions, bool has_runs) {
    const auto known = std::ranges::find_if(decisions, is_known_column);
    if (known != decisions.end())
        return fail(
            Fault::Input,
            fmt::format("the decision {} cannot be a column of a table: write a .json file instead", *known));
    RecordTableText table;
    table.decisions_.assign(decisions.begin(), decisions.end());
    table.has_runs_ = has_runs;
    return table;
}

std::string RecordTableText::first_line() const {
    std::string line = "workload,machine,space,";
    if (has_runs_)
        line += "run,";
    for (const std::string& decision : decisions_)
        line += csv_field(decision) + ",";
    return line + "time_ms,std_ms,n_rep,status\n";
}

std::string RecordTableText::line(const StoredTime& time) const {
    std::string line = fmt::format("{},{},{},", csv_field(time.workload), csv_field(time.machine),
                                   csv_field(time.setting.text));
    if (has_runs_)
        line += csv_field(run_of(time.condition)) + ",";
    const DecisionValues values = parse_decisions(time.configuration).value_or(DecisionValues());
    // Both are in the order of their names.
    auto value = values.begin();
    for (const std::string& decision : decisions_) {
        if (value != values.end() && value->first == decision)
            line += csv_field((value++)->second);
        line += ',';
    }
    if (time.status != MeasurementStatus::Measured || !time.median_ms)
        return line + ",,," + csv_field(reason_of(time)) + "\n";
    line += fmt::format("{},", *time.median_ms);
    line += has_spread(time) ? fmt::format("{},{},", *time.spread_ms, time.repeats) : ",,";
    return line + "ok\n";
}

std::string t4_result(const StoredTime& time) {
    Json configuration = Json::object();
    for (const auto& [name, value] : parse_decisions(time.configuration).value_or(DecisionValues()))
        configuration[name] = json_of_value(value);
    Json metadata{{"workload", time.workload}, {"machine", time.machine}, {"space", time.setting.text}};
    if (!time.condition.empty())
        metadata["run"] = run_of(time.condition);
    Json result{{"timestamp", time.measured},
                {"configuration", std::move(configuration)},
                {"times", {{"runtimes", Json::array()}}}};
    Json measurements = Json::array();
    const bool has_time = time.status == MeasurementStatus::Measured && time.median_ms;
    if (has_time) {
        measurements.push_back({{"name", "time"}, {"value", *time.median_ms}, {"unit", "ms"}});
        if (has_spread(time)) {
            measurements.push_back({{"name", "time_std"}, {"value", *time.spread_ms}, {"unit", "ms"}});
            measurements.push_back({{"name", "repeats"}, {"value", time.repeats}, {"unit", ""}});
        }
    }
    const std::string reason = has_time ? std::string() : reason_of(time);
    const std::string_view invalidity = has_time ? "correct" : invalidity_of(reason);
    result["invalidity"] = invalidity;
    result["correctness"] = invalidity == "correctness" ? 0 : 1;
    result["measurements"] = std::move(measurements);
    result["objectives"] = {"time"};
    if (!has_time)
        result["error"] = reason;
    result["metadata"] = std::move(metadata);
    // The name of a machine that a user gave may be no UTF-8.
    return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace sparsight

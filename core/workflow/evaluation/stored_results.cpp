#include "workflow/evaluation/stored_results.h"

#include "base/names.h"
#include "base/optional_json.h"
#include "base/text.h"
#include "evaluation/time_differences.h"
#include "store/machines.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "study/nicknames.h"
#include "workflow/chosen_setting.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

namespace sparsight {

namespace {

/// Settings in the order of the values of their parts, so that 64 comes before 256.
using MemberValues = std::vector<decltype(SettingMember::value)>;

MemberValues values_of(const Domain& domain, const Setting& setting) {
    MemberValues values;
    for (SettingMember& member : domain.members(setting))
        values.push_back(std::move(member.value));
    return values;
}

/// What results have in common that compare with each other.
auto comparison_key(const ResultRecord& result) {
    return std::tie(result.workload, result.machine, result.machine_fingerprint, result.setting,
                    result.protocol, result.condition, result.threads, result.engine);
}

/// Neighbours that compare with each other, each part the fastest first.
std::vector<std::vector<ResultRecord>> parts_of(std::vector<ResultRecord> results) {
    std::vector<std::vector<ResultRecord>> parts;
    for (ResultRecord& result : results) {
        if (parts.empty() || comparison_key(parts.back().front()) != comparison_key(result))
            parts.emplace_back();
        parts.back().push_back(std::move(result));
    }
    for (std::vector<ResultRecord>& part : parts)
        sort_fastest_first(part);
    return parts;
}

bool is_admitted(const Domain& domain, const ResultRecord& result, const ResultsFilter& filter) {
    const std::vector<SettingMember> members = domain.members(result.setting);
    return std::ranges::all_of(filter.members, [&](const auto& wanted) {
        const auto found = std::ranges::find(members, wanted.first, &SettingMember::key);
        return found != members.end() && member_text(*found) == wanted.second;
    });
}

std::string exact(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "";
}

Result<void> check_workload(Workspace& workspace, const Domain& domain, const std::string& name) {
    const auto found = find_workload(workspace, domain.name(), name);
    if (!found)
        return std::unexpected(found.error());
    if (*found)
        return {};
    const auto all = list_workloads(workspace, domain.name());
    if (!all)
        return std::unexpected(all.error());
    constexpr std::size_t few = 8;
    std::vector<std::string> names;
    for (std::size_t place = 0; place < std::min(few, all->size()); ++place)
        names.push_back((*all)[place].name);
    return fail(
        Fault::Input,
        fmt::format("the workspace has no {} '{}'; it has {}{}", domain.words().workload.one, name,
                    names.empty() ? std::string("none") : list_names(names),
                    all->size() > few ? fmt::format(" and {} more", all->size() - few) : std::string()));
}

} // namespace

void sort_results(const Domain& domain, std::vector<ResultRecord>& results) {
    std::map<Setting, MemberValues> values;
    for (const ResultRecord& result : results)
        if (!values.contains(result.setting))
            values.emplace(result.setting, values_of(domain, result.setting));
    std::ranges::stable_sort(results, [&](const ResultRecord& a, const ResultRecord& b) {
        if (const auto order = std::tie(a.workload, a.machine, a.machine_fingerprint) <=>
                               std::tie(b.workload, b.machine, b.machine_fingerprint);
            order != 0)
            return order < 0;
        if (a.setting != b.setting)
            return values.at(a.setting) < values.at(b.setting);
        return std::tie(a.protocol, a.condition, a.threads, a.engine) <
               std::tie(b.protocol, b.condition, b.threads, b.engine);
    });
    std::vector<ResultRecord> sorted;
    sorted.reserve(results.size());
    for (std::vector<ResultRecord>& part : parts_of(std::move(results)))
        std::ranges::move(part, std::back_inserter(sorted));
    results = std::move(sorted);
}

std::string_view shown_status(const ResultRecord& result) {
    if (result.status != MeasurementStatus::Measured)
        return name(result.status);
    return is_simulated_time(result.reason)           ? "simulated"
           : is_recording(result.machine_fingerprint) ? "recorded"
                                                      : name(result.status);
}

bool is_speedup_in_noise(const ResultRecord& result) {
    if (!result.speedup || !result.median_ms || result.is_baseline)
        return false;
    const auto& range = result.baseline_range;
    const CollectedTime time{.milliseconds = *result.median_ms,
                             .spread_ms = result.spread_ms.value_or(0),
                             .baseline_ms = *result.speedup * *result.median_ms,
                             .baseline_spread_ms = result.baseline_spread_ms.value_or(0),
                             .shortest_baseline_ms = range ? std::optional(range->shortest_ms) : std::nullopt,
                             .longest_baseline_ms = range ? std::optional(range->longest_ms) : std::nullopt};
    return time.verdict() == Verdict::WithinNoise;
}

std::string speedup_key(const DomainWords& words) {
    if (!words.baseline)
        return {};
    std::string key = "speedup_over_" + words.baseline->one;
    for (char& letter : key)
        letter = letter == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return key;
}

std::string damaged_sentence(const std::vector<ResultRecord>& results) {
    const auto damaged = std::ranges::count(results, MeasurementStatus::Damaged, &ResultRecord::status);
    if (damaged == 0)
        return {};
    return damaged == 1
               ? "1 measurement in the workspace file is damaged and has no time"
               : fmt::format("{} measurements in the workspace file are damaged and have no time", damaged);
}

std::string mixed_engines_sentence(const std::vector<ResultRecord>& results) {
    using Engines = std::map<std::string, std::int64_t>;
    std::map<std::string, Engines> machines;
    for (const ResultRecord& result : results)
        if (result.status == MeasurementStatus::Measured && shown_status(result) != "simulated")
            ++machines[result.machine_fingerprint][result.engine];
    Engines mixed;
    for (const auto& [machine, engines] : machines)
        if (engines.size() > 1)
            for (const auto& [engine, times] : engines)
                mixed[engine] += times;
    if (mixed.empty())
        return {};
    std::vector<std::string> parts;
    for (const auto& [engine, times] : mixed)
        parts.push_back(fmt::format("{} by {}", counted(times, "time is", "times are"),
                                    engine.empty() ? "an unknown version" : "\"" + engine + "\""));
    return fmt::format(
        "the versions of what measured differ, and their times are not compared: {}; `collect` "
        "measures older ones again",
        fmt::join(parts, ", "));
}

bool have_conditions(const std::vector<ResultRecord>& results) {
    return std::ranges::any_of(results, [](const ResultRecord& result) { return !result.condition.empty(); });
}

std::vector<std::vector<ResultRecord>> comparable_results(std::vector<ResultRecord> results) {
    std::ranges::stable_sort(results, [](const ResultRecord& one, const ResultRecord& other) {
        return comparison_key(one) < comparison_key(other);
    });
    std::vector<std::vector<ResultRecord>> parts = parts_of(std::move(results));
    std::ranges::stable_sort(parts, std::ranges::greater(), &std::vector<ResultRecord>::size);
    return parts;
}

std::vector<ResultRecord> best_results(const std::vector<ResultRecord>& sorted) {
    std::vector<ResultRecord> best;
    for (const ResultRecord& result : sorted)
        if (result.status == MeasurementStatus::Measured &&
            (best.empty() || comparison_key(best.back()) != comparison_key(result)))
            best.push_back(result);
    return best;
}

std::vector<std::string> nicknames_of(const Domain& domain, const std::vector<ResultRecord>& results) {
    std::map<Setting, std::vector<std::size_t>> places;
    for (std::size_t each = 0; each < results.size(); ++each)
        places[results[each].setting].push_back(each);
    std::vector<std::string> names(results.size());
    for (const auto& [setting, in_setting] : places) {
        std::vector<std::string> texts;
        for (const std::size_t each : in_setting)
            texts.push_back(results[each].configuration);
        std::vector<std::string> named = nicknames(domain, setting, texts);
        for (std::size_t at = 0; at < in_setting.size(); ++at)
            names[in_setting[at]] = std::move(named[at]);
    }
    const auto is_empty = [](const std::string& name) { return name.empty(); };
    return std::ranges::all_of(names, is_empty) ? std::vector<std::string>() : names;
}

Json results_json(const Domain& domain, const std::vector<ResultRecord>& results) {
    const DomainWords& words = domain.words();
    const bool has_condition = have_conditions(results);
    const std::vector<std::string> names = nicknames_of(domain, results);
    Json json = Json::array();
    for (const ResultRecord& result : results) {
        Json row{{words.workload.one, result.workload}, {"machine", result.machine}};
        for (const SettingMember& member : domain.members(result.setting))
            row[member.key] = member_json(member);
        if (has_condition)
            row["condition"] = result.condition;
        row[words.configuration.one] = result.configuration;
        if (!names.empty())
            row["nickname"] = names[json.size()];
        row["status"] = shown_status(result);
        row["median_ms"] = json_or_null(result.median_ms);
        row["spread_ms"] = json_or_null(result.spread_ms);
        if (words.baseline)
            row[speedup_key(words)] = json_or_null(result.speedup);
        row["bytes"] = result.bytes == 0 ? Json() : Json(result.bytes);
        row["engine"] = result.engine.empty() ? Json() : Json(result.engine);
        row["reference_ms"] = json_or_null(result.reference_ms);
        row["scatter_ms"] = json_or_null(result.scatter_ms);
        row["error_ms"] = json_or_null(result.error_ms);
        row["drift_ms"] = json_or_null(result.drift_ms);
        row["disturbance"] = json_or_null(result.disturbance);
        json.push_back(std::move(row));
    }
    return json;
}

std::string results_csv(const Domain& domain, const std::vector<ResultRecord>& results) {
    const DomainWords& words = domain.words();
    const bool has_condition = have_conditions(results);
    std::vector<std::string> titles{words.workload.one, "machine"};
    // Every setting has the same parts.
    if (!results.empty())
        for (const SettingMember& member : domain.members(results.front().setting))
            titles.push_back(member.key);
    else
        for (const SettingOption& option : domain.setting_options())
            titles.push_back(option.name);
    titles.emplace_back("protocol");
    if (has_condition)
        titles.emplace_back("condition");
    titles.insert(titles.end(), {words.configuration.one, "status", "median_ms", "spread_ms"});
    if (words.baseline)
        titles.push_back(speedup_key(words));
    titles.insert(titles.end(), {"bytes", "reason", "measured", "engine", "reference_ms", "scatter_ms",
                                 "error_ms", "drift_ms", "disturbance"});
    const std::vector<std::string> names = nicknames_of(domain, results);
    if (!names.empty())
        titles.emplace_back("nickname");
    std::string csv = fmt::format("{}\n", fmt::join(titles, ","));
    for (std::size_t each = 0; each < results.size(); ++each) {
        const ResultRecord& result = results[each];
        std::vector<std::string> fields{csv_field(result.workload), csv_field(result.machine)};
        for (const SettingMember& member : domain.members(result.setting))
            fields.push_back(csv_field(member_text(member)));
        fields.push_back(csv_field(result.protocol));
        if (has_condition)
            fields.push_back(csv_field(result.condition));
        fields.insert(fields.end(), {csv_field(result.configuration), std::string(shown_status(result)),
                                     exact(result.median_ms), exact(result.spread_ms)});
        if (words.baseline)
            fields.push_back(exact(result.speedup));
        fields.insert(fields.end(),
                      {result.bytes == 0 ? "" : fmt::to_string(result.bytes), csv_field(result.reason),
                       result.measured, csv_field(result.engine), exact(result.reference_ms),
                       exact(result.scatter_ms), exact(result.error_ms), exact(result.drift_ms),
                       exact(result.disturbance)});
        if (!names.empty())
            fields.push_back(csv_field(names[each]));
        csv += fmt::format("{}\n", fmt::join(fields, ","));
    }
    return csv;
}

Result<void> check_protocol(Workspace& workspace, const std::string& protocol) {
    if (parse_protocol(protocol))
        return {};
    auto known = measured_protocols(workspace);
    if (!known)
        return std::unexpected(known.error());
    if (std::ranges::find(*known, protocol) != known->end())
        return {};
    for (const Protocol own : {Protocol::Adaptive, Protocol::FixedRuns})
        if (std::ranges::find(*known, name(own)) == known->end())
            known->emplace_back(name(own));
    return fail(Fault::Input, fmt::format("nothing is measured by a protocol '{}'; there are {}", protocol,
                                          fmt::join(*known, ", ")));
}

Result<std::vector<ResultRecord>> find_results(Workspace& workspace, const Domain& domain,
                                               const ResultsFilter& filter) {
    if (!filter.workload.empty())
        if (const auto known = check_workload(workspace, domain, filter.workload); !known)
            return std::unexpected(known.error());
    std::string machine;
    if (!filter.machine.empty()) {
        const auto found = require_machine(workspace, filter.machine);
        if (!found)
            return std::unexpected(found.error());
        machine = found->fingerprint;
    }
    if (!filter.protocol.empty())
        if (const auto known = check_protocol(workspace, filter.protocol); !known)
            return std::unexpected(known.error());
    auto results = list_results(workspace, ResultQuery{.domain = std::string(domain.name()),
                                                       .workload = filter.workload,
                                                       .machine = machine,
                                                       .protocol = filter.protocol});
    if (!results)
        return results;
    // What a newer program has written, in a setting that this one does not know.
    std::erase_if(*results,
                  [&](const ResultRecord& result) { return !domain.parse_setting(result.setting.text); });
    if (!filter.members.empty())
        std::erase_if(*results,
                      [&](const ResultRecord& result) { return !is_admitted(domain, result, filter); });
    sort_results(domain, *results);
    return results;
}

} // namespace sparsight

#include "workflow/evaluation/changed_times.h"

#include "base/optional_json.h"
#include "base/text.h"
#include "evaluation/time_differences.h"
#include "workflow/chosen_setting.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <tuple>

namespace sparsight {

namespace {

auto key_of(const ResultRecord& result) { // two machines may have one name
    return std::tie(result.workload, result.machine, result.machine_fingerprint, result.setting,
                    result.protocol, result.condition, result.family, result.configuration);
}

} // namespace

Result<std::string> start_of(const std::string& date) {
    if (date.empty())
        return date;
    static const std::regex form(
        R"((\d{4})-(\d\d)-(\d\d)(T([01]\d|2[0-3])(:[0-5]\d(:[0-5]\d(\.\d{1,3})?)?)?Z?)?)");
    std::smatch parts;
    if (!std::regex_match(date, parts, form) ||
        !std::chrono::year_month_day(std::chrono::year(std::stoi(parts[1])),
                                     std::chrono::month(static_cast<unsigned>(std::stoi(parts[2]))),
                                     std::chrono::day(static_cast<unsigned>(std::stoi(parts[3]))))
             .ok())
        return fail(
            Fault::Input,
            fmt::format("'{}' is no date: expected one such as 2026-11-24 or 2026-11-24T13:00", date));
    // A stored date goes on where this one ends. With its Z it would be above all that go on.
    return date.ends_with('Z') ? date.substr(0, date.size() - 1) : date;
}

TimeChanges changed_times(const std::vector<ResultRecord>& earlier, const std::vector<ResultRecord>& later,
                          const std::string& since) {
    using Key = decltype(key_of(later.front()));
    std::map<Key, const ResultRecord*> before;
    for (const ResultRecord& each : earlier) {
        if (!each.median_ms || (!since.empty() && each.measured >= since))
            continue;
        const auto [place, is_new] = before.try_emplace(key_of(each), &each);
        if (!is_new && place->second->measured < each.measured)
            place->second = &each;
    }
    TimeChanges changes;
    double logarithms = 0;
    for (const ResultRecord& each : later) {
        const auto known = before.find(key_of(each));
        if (each.status != MeasurementStatus::Measured || !each.median_ms || known == before.end() ||
            each.measured < since)
            continue;
        ChangedTime change{*known->second, each};
        change.is_beyond_noise = change.earlier.spread_ms && each.spread_ms &&
                                 differ_beyond_noise(*each.median_ms - *change.earlier.median_ms,
                                                     *each.spread_ms + *change.earlier.spread_ms);
        changes.beyond_noise += change.is_beyond_noise ? 1 : 0;
        logarithms += std::log(change.ratio());
        changes.times.push_back(std::move(change));
    }
    if (!changes.times.empty())
        changes.overall = std::exp(logarithms / static_cast<double>(changes.times.size()));
    std::ranges::stable_sort(changes.times, std::greater(), [](const ChangedTime& change) {
        return std::pair(change.is_beyond_noise, std::abs(std::log(change.ratio())));
    });
    return changes;
}

Result<TimeChanges> find_changed_times(Workspace& workspace, const Domain& domain,
                                       const ResultsFilter& filter, const std::string& since) {
    const auto start = start_of(since);
    if (!start)
        return std::unexpected(start.error());
    const auto later = find_results(workspace, domain, filter);
    if (!later)
        return std::unexpected(later.error());
    const auto earlier = list_earlier_results(workspace, ResultQuery{.domain = std::string(domain.name()),
                                                                     .workload = filter.workload,
                                                                     .machine = filter.machine,
                                                                     .protocol = filter.protocol});
    if (!earlier)
        return std::unexpected(earlier.error());
    return changed_times(*earlier, *later, *start);
}

std::string changes_sentence(const Domain& domain, const TimeChanges& changes) {
    const Noun& noun = domain.words().configuration;
    if (changes.times.empty())
        return fmt::format("No {} was measured again.", noun.one);
    const std::string counts = fmt::format("{} of {} changed beyond noise.", changes.beyond_noise,
                                           counted(changes.times.size(), noun.one, noun.many));
    const double percent = 100 * std::abs(changes.overall - 1);
    constexpr double shown_from = 0.05; // with one decimal
    if (percent < shown_from)
        return counts + " Overall they take as long as before.";
    return fmt::format("{} Overall they take {:.1f} % {} than before.", counts, percent,
                       changes.overall > 1 ? "longer" : "less time");
}

Json changes_json(const Domain& domain, const TimeChanges& changes) {
    const DomainWords& words = domain.words();
    std::vector<ResultRecord> later;
    for (const ChangedTime& change : changes.times)
        later.push_back(change.later);
    const std::vector<std::string> names = nicknames_of(domain, later);
    Json rows = Json::array();
    for (const ChangedTime& change : changes.times) {
        Json row{{words.workload.one, change.later.workload},
                 {"machine", change.later.machine},
                 {"machine_fingerprint", change.later.machine_fingerprint}};
        for (const SettingMember& member : domain.members(change.later.setting))
            row[member.key] = member_json(member);
        row[words.configuration.one] = change.later.configuration;
        if (!names.empty())
            row["nickname"] = names[rows.size()];
        row.update({{"earlier", change.earlier.measured},
                    {"earlier_ms", json_or_null(change.earlier.median_ms)},
                    {"earlier_spread_ms", json_or_null(change.earlier.spread_ms)},
                    {"later", change.later.measured},
                    {"later_ms", json_or_null(change.later.median_ms)},
                    {"later_spread_ms", json_or_null(change.later.spread_ms)},
                    {"ratio", change.ratio()},
                    {"beyond_noise", change.is_beyond_noise}});
        rows.push_back(std::move(row));
    }
    return {{"compared", changes.times.size()},
            {"beyond_noise", changes.beyond_noise},
            {"overall_ratio", changes.overall},
            {"changes", std::move(rows)}};
}

} // namespace sparsight

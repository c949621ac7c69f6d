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

Significance significance_of(const ChangedTime& change) {
    const std::optional<double>& spread = change.earlier.spread_ms;
    const double longer = *change.later.median_ms - *change.earlier.median_ms;
    if (change.is_at_least()) // a bound below tells nothing
        return spread && longer > *spread ? Significance::BeyondNoise : Significance::NoiseUnknown;
    if (!spread || !change.later.spread_ms)
        return Significance::NoiseUnknown;
    return differ_beyond_noise(longer, *spread, *change.later.spread_ms) ? Significance::BeyondNoise
                                                                         : Significance::WithinNoise;
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
        if (each.status == MeasurementStatus::Damaged || known == before.end() || each.measured < since)
            continue;
        if (!has_time(each.status) || !each.median_ms) {
            ++changes.failed;
            continue;
        }
        ChangedTime change{*known->second, each};
        change.significance = significance_of(change);
        changes.beyond_noise += change.is_beyond_noise() ? 1 : 0;
        changes.noise_unknown += change.significance == Significance::NoiseUnknown ? 1 : 0;
        changes.given_up += change.is_at_least() ? 1 : 0;
        logarithms += change.is_at_least() ? 0 : std::log(change.ratio());
        changes.times.push_back(std::move(change));
    }
    if (const std::size_t measured = changes.times.size() - changes.given_up; measured > 0)
        changes.overall = std::exp(logarithms / static_cast<double>(measured));
    std::ranges::stable_sort(changes.times, std::greater(), [](const ChangedTime& change) {
        return std::pair(change.is_beyond_noise(), std::abs(std::log(change.ratio())));
    });
    return changes;
}

std::vector<std::string> dates_measured_again(const std::vector<ResultRecord>& earlier,
                                              const std::vector<ResultRecord>& later) {
    std::map<decltype(key_of(later.front())), const ResultRecord*> first;
    for (const ResultRecord& each : earlier) {
        if (!each.median_ms)
            continue;
        const auto [place, is_new] = first.try_emplace(key_of(each), &each);
        if (!is_new && each.measured < place->second->measured)
            place->second = &each;
    }
    std::vector<std::string> dates;
    for (const auto* const results : {&earlier, &later})
        for (const ResultRecord& each : *results) {
            const auto known = first.find(key_of(each));
            if (each.status != MeasurementStatus::Damaged && known != first.end() &&
                known->second->measured < each.measured)
                dates.push_back(each.measured);
        }
    std::ranges::sort(dates);
    return dates;
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
    if (changes.times.empty() && changes.failed == 0)
        return fmt::format("No {} was measured again.", noun.one);
    std::string counts;
    if (!changes.times.empty())
        counts = fmt::format("{} of {} changed beyond noise.", changes.beyond_noise,
                             counted(changes.times.size(), noun.one, noun.many));
    if (changes.noise_unknown > 0)
        counts += fmt::format(" The noise of {} is unknown.", changes.noise_unknown);
    if (changes.failed > 0)
        counts +=
            fmt::format("{}{} {} no time any more.", counts.empty() ? "" : " ",
                        counted(changes.failed, noun.one, noun.many), changes.failed == 1 ? "has" : "have");
    if (!changes.overall)
        return counts;
    const std::string_view who = changes.given_up + changes.failed > 0 ? "those measured to the end" : "they";
    const double percent = 100 * std::abs(*changes.overall - 1);
    constexpr double shown_from = 0.05; // with one decimal
    if (percent < shown_from)
        return fmt::format("{} Overall {} take as long as before.", counts, who);
    return fmt::format("{} Overall {} take {:.1f} % {} than before.", counts, who, percent,
                       *changes.overall > 1 ? "longer" : "less time");
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
                    {"status", shown_status(change.later)},
                    {"beyond_noise", change.is_beyond_noise()},
                    {"significance", name(change.significance)}});
        rows.push_back(std::move(row));
    }
    return {{"compared", changes.times.size()},
            {"beyond_noise", changes.beyond_noise},
            {"noise_unknown", changes.noise_unknown},
            {"given_up", changes.given_up},
            {"failed", changes.failed},
            {"overall_ratio", json_or_null(changes.overall)},
            {"changes", std::move(rows)}};
}

} // namespace sparsight

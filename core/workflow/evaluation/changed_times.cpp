#include "workflow/evaluation/changed_times.h"

#include "base/optional_json.h"
#include "base/text.h"
#include "evaluation/time_differences.h"
#include "store/workload_families.h"
#include "workflow/chosen_setting.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <tuple>
#include <utility>

namespace sparsight {

namespace {

auto key_of(const ResultRecord& result) { // two machines may have one name
    return std::tie(result.workload, result.machine, result.machine_fingerprint, result.setting,
                    result.protocol, result.condition, result.family, result.configuration);
}

Significance significance_of(const ChangedTime& change) {
    const std::optional<double>& spread = change.earlier.spread_ms;
    const double longer = *change.later.median_ms - *change.earlier.median_ms;
    const auto beyond = [](double difference, const std::optional<double>& spread_of_time) {
        return spread_of_time && difference > *spread_of_time ? Significance::BeyondNoise
                                                              : Significance::NoiseUnknown;
    };
    if (change.is_at_least()) // a bound below the time tells nothing
        return beyond(longer, spread);
    if (change.is_at_most())
        return beyond(-longer, change.later.spread_ms);
    if (!spread || !change.later.spread_ms)
        return Significance::NoiseUnknown;
    return differ_beyond_noise(longer, *spread, *change.later.spread_ms) ? Significance::BeyondNoise
                                                                         : Significance::WithinNoise;
}

bool are_comparable(const ResultRecord& one, const ResultRecord& other) {
    const auto conditions = [](const ResultRecord& result) {
        return std::tie(result.machine_fingerprint, result.setting, result.protocol, result.condition,
                        result.engine);
    };
    return conditions(one) == conditions(other);
}

void sum_up(TimeChanges& changes, const std::map<std::string, std::string>& families) {
    std::map<std::string, std::vector<double>> ratios; // by workload
    const ResultRecord* first = nullptr;
    for (const ChangedTime& change : changes.times) {
        if (change.is_of_two_engines())
            continue;
        if (first == nullptr)
            first = &change.later;
        if (!are_comparable(change.later, *first))
            return;
        if (!change.is_at_least() && !change.is_at_most())
            ratios[change.later.workload].push_back(change.ratio());
    }
    std::map<std::string, std::size_t> numbers; // of families
    std::vector<SampledValue> values;
    for (const auto& [workload, each] : ratios) {
        const auto family = families.find(workload);
        const std::string& name = family == families.end() ? workload : family->second;
        values.push_back({.value = geometric_mean(each),
                          .error = 0,
                          .family = numbers.try_emplace(name, numbers.size()).first->second});
    }
    if (numbers.size() < fewest_families)
        return;
    changes.overall = estimate_by_family(values, geometric_mean, Scale::Ratio);
    changes.workloads = values.size();
}

/// The one to hold against the later result. A bound tells less than a time, however new it is, and a time of
/// another engine tells nothing of the computer.
const ResultRecord& most_telling(const std::vector<const ResultRecord*>& earlier, const ResultRecord& later) {
    return **std::ranges::max_element(earlier, {}, [&later](const ResultRecord* each) {
        return std::tuple(each->engine == later.engine, each->status != MeasurementStatus::GaveUp,
                          std::string_view(each->measured));
    });
}

using Key = decltype(key_of(std::declval<const ResultRecord&>()));

/// The last attempts that were abandoned; they come in the order of dates.
std::map<Key, const ResultRecord*> last_bounds(const std::vector<ResultRecord>& attempts) {
    std::map<Key, const ResultRecord*> last;
    for (const ResultRecord& attempt : attempts)
        if (attempt.median_ms)
            last.insert_or_assign(key_of(attempt), &attempt);
    return last;
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

TimeChanges changed_times(const RepeatedResults& results, const std::string& since) {
    std::map<Key, std::vector<const ResultRecord*>> before;
    for (const ResultRecord& each : results.earlier)
        if (each.median_ms && (since.empty() || each.measured < since))
            before[key_of(each)].push_back(&each);
    const auto bounds = last_bounds(results.attempts);
    TimeChanges changes;
    const auto add = [&changes](const ResultRecord& earlier, const ResultRecord& later) {
        ChangedTime change{earlier, later};
        if (change.is_at_least() && change.is_at_most())
            return; // two bounds compare nothing
        if (change.is_of_two_engines()) {
            ++changes.of_two_engines;
            changes.times.push_back(std::move(change));
            return;
        }
        change.significance = significance_of(change);
        changes.beyond_noise += change.is_beyond_noise() ? 1 : 0;
        changes.noise_unknown += change.significance == Significance::NoiseUnknown ? 1 : 0;
        changes.given_up += change.is_at_least() ? 1 : 0;
        changes.given_up_before += change.is_at_most() ? 1 : 0;
        changes.times.push_back(std::move(change));
    };
    for (const ResultRecord& each : results.later) {
        if (each.status == MeasurementStatus::Damaged)
            continue;
        const auto known = before.find(key_of(each));
        const bool is_since = each.measured >= since;
        if (known != before.end() && is_since) {
            if (has_time(each.status) && each.median_ms)
                add(most_telling(known->second, each), each);
            else
                ++changes.failed;
        } else if (const auto bound = bounds.find(key_of(each));
                   bound != bounds.end() && each.status == MeasurementStatus::Measured && each.median_ms &&
                   (since.empty() || !is_since) && bound->second->measured >= since) {
            add(each, *bound->second);
        }
    }
    sum_up(changes, results.families);
    std::ranges::stable_sort(changes.times, std::greater(), [](const ChangedTime& change) {
        return std::tuple(!change.is_of_two_engines(), change.is_beyond_noise(),
                          std::abs(std::log(change.ratio())));
    });
    return changes;
}

std::vector<std::string> dates_measured_again(const RepeatedResults& results) {
    std::map<Key, const ResultRecord*> first;
    for (const ResultRecord& each : results.earlier) {
        if (!each.median_ms)
            continue;
        const auto [place, is_new] = first.try_emplace(key_of(each), &each);
        if (!is_new && each.measured < place->second->measured)
            place->second = &each;
    }
    std::vector<std::string> dates;
    for (const auto* const measured : {&results.earlier, &results.later})
        for (const ResultRecord& each : *measured) {
            const auto known = first.find(key_of(each));
            if (each.status != MeasurementStatus::Damaged && known != first.end() &&
                known->second->measured < each.measured)
                dates.push_back(each.measured);
        }
    const auto bounds = last_bounds(results.attempts);
    for (const ResultRecord& each : results.later)
        if (const auto bound = bounds.find(key_of(each));
            bound != bounds.end() && each.status == MeasurementStatus::Measured && each.median_ms)
            dates.push_back(bound->second->measured);
    std::ranges::sort(dates);
    return dates;
}

Result<RepeatedResults> find_repeated_results(Workspace& workspace, const Domain& domain,
                                              const ResultsFilter& filter) {
    const ResultQuery query{
        .domain = std::string(domain.name()), .workload = filter.workload, .protocol = filter.protocol};
    auto later = find_results(workspace, domain, filter);
    if (!later)
        return std::unexpected(std::move(later).error());
    auto earlier = list_earlier_results(workspace, query);
    if (!earlier)
        return std::unexpected(std::move(earlier).error());
    auto attempts = list_failed_repeats(workspace, query);
    if (!attempts)
        return std::unexpected(std::move(attempts).error());
    const auto forms = WorkloadFamilies::read(workspace, domain);
    if (!forms)
        return std::unexpected(forms.error());
    std::map<std::string, std::string> families;
    for (const ResultRecord& each : *later)
        if (const auto [place, is_new] = families.try_emplace(each.workload); is_new)
            place->second = *forms->with_relatives({each.workload}).begin();
    return RepeatedResults{*std::move(earlier), *std::move(later), *std::move(attempts), std::move(families)};
}

Result<TimeChanges> find_changed_times(Workspace& workspace, const Domain& domain,
                                       const ResultsFilter& filter, const std::string& since) {
    const auto start = start_of(since);
    if (!start)
        return std::unexpected(start.error());
    const auto repeated = find_repeated_results(workspace, domain, filter);
    if (!repeated)
        return std::unexpected(repeated.error());
    return changed_times(*repeated, *start);
}

namespace {

/// Behind the count of those of one engine, where there are some.
std::string two_engines_sentence(const Noun& noun, const TimeChanges& changes) {
    const std::size_t count = changes.of_two_engines;
    if (count == 0)
        return {};
    const bool is_known = std::ranges::none_of(changes.times, [](const ChangedTime& change) {
        return change.is_of_two_engines() && (change.earlier.engine.empty() || change.later.engine.empty());
    });
    const std::string who =
        changes.compared() > 0 ? fmt::format(" {} more", count) : counted(count, noun.one, noun.many);
    return fmt::format("{} {} measured by {} version before, so {} times are not compared.", who,
                       count == 1 ? "was" : "were", is_known ? "another" : "another or an unknown",
                       count == 1 ? "its" : "their");
}

/// Whose mean the overall change is.
std::string_view averaged(const TimeChanges& changes) {
    const bool have_all_times = changes.given_up + changes.given_up_before + changes.failed == 0;
    if (changes.of_two_engines > 0)
        return have_all_times ? "Those measured by one version"
                              : "Those measured by one version, to the end both times,";
    return have_all_times ? "They" : "Those measured to the end both times";
}

} // namespace

std::string changes_sentence(const Domain& domain, const TimeChanges& changes) {
    const Noun& noun = domain.words().configuration;
    if (changes.times.empty() && changes.failed == 0)
        return fmt::format("No {} was measured again.", noun.one);
    std::string counts;
    if (changes.compared() > 0)
        counts = fmt::format("{} of {} changed beyond noise.", changes.beyond_noise,
                             counted(changes.compared(), noun.one, noun.many));
    counts += two_engines_sentence(noun, changes);
    if (changes.noise_unknown > 0)
        counts += fmt::format(" The noise of {} is unknown.", changes.noise_unknown);
    if (changes.failed > 0)
        counts +=
            fmt::format("{}{} {} no time any more.", counts.empty() ? "" : " ",
                        counted(changes.failed, noun.one, noun.many), changes.failed == 1 ? "has" : "have");
    const auto add_of = [&](std::size_t count, std::string_view one, std::string_view many) {
        if (count > 0)
            counts += fmt::format(" {} {}.", count, count == 1 ? one : many);
    };
    add_of(changes.given_up_before, "was abandoned before and has a time now",
           "were abandoned before and have a time now");
    add_of(changes.given_up, "had a time before and was abandoned now",
           "had a time before and were abandoned now");
    if (!changes.overall)
        return counts;
    const auto percent = [](double of) { return 100 * (of - 1); };
    const double ratio = changes.overall->value;
    const Interval interval = changes.overall->interval.value_or(Interval{ratio, ratio});
    const bool may_be_none = interval.contains(1);
    const std::string how = may_be_none
                                ? fmt::format("changed by {:+.1f} %", percent(ratio))
                                : fmt::format("take {:.1f} % {} than before", std::abs(percent(ratio)),
                                              ratio > 1 ? "longer" : "less time");
    return fmt::format(
        "{} {} {} on average over {} (95 % interval {:+.1f} % to {:+.1f} %){}.", counts, averaged(changes),
        how, counted(changes.workloads, domain.words().workload.one, domain.words().workload.many),
        percent(interval.low), percent(interval.high), may_be_none ? ", which may be chance" : "");
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
        const auto engine = [](const ResultRecord& result) {
            return result.engine.empty() ? Json() : Json(result.engine);
        };
        row.update(
            {{"earlier", change.earlier.measured},
             {"earlier_ms", json_or_null(change.earlier.median_ms)},
             {"earlier_spread_ms", json_or_null(change.earlier.spread_ms)},
             {"earlier_status", shown_status(change.earlier)},
             {"earlier_engine", engine(change.earlier)},
             {"later", change.later.measured},
             {"later_ms", json_or_null(change.later.median_ms)},
             {"later_spread_ms", json_or_null(change.later.spread_ms)},
             {"later_engine", engine(change.later)},
             {"ratio", change.ratio()},
             {"status", shown_status(change.later)},
             {"beyond_noise", change.is_beyond_noise()},
             {"significance", change.is_of_two_engines() ? "other_engine" : name(change.significance)}});
        rows.push_back(std::move(row));
    }
    const std::optional<Estimate>& overall = changes.overall;
    Json interval;
    if (overall && overall->interval)
        interval = Json::array({overall->interval->low, overall->interval->high});
    return {{"compared", changes.compared()},
            {"other_engine", changes.of_two_engines},
            {"beyond_noise", changes.beyond_noise},
            {"noise_unknown", changes.noise_unknown},
            {"given_up", changes.given_up},
            {"given_up_before", changes.given_up_before},
            {"failed", changes.failed},
            {"overall_ratio", overall ? Json(overall->value) : Json()},
            {"overall_interval", std::move(interval)},
            {"changes", std::move(rows)}};
}

} // namespace sparsight

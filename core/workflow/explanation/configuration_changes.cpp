#include "workflow/explanation/configuration_changes.h"

#include "base/names.h"
#include "base/optional_json.h"
#include "base/terminal_text.h"
#include "evaluation/time_differences.h"
#include "store/measurements.h"
#include "store/workloads.h"
#include "workflow/chosen_setting.h"
#include "workflow/evaluation/stored_results.h"
#include "workflow/machines/named_machines.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

namespace sparsight {

namespace {

/// Numbers first, ascending; the order of the space is kept among the others.
bool comes_before(const std::string& one, const std::string& other) {
    const auto number_of = [](const std::string& text) -> std::optional<double> {
        double number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
    };
    const auto number = number_of(one);
    const auto other_number = number_of(other);
    return number && (!other_number || *number < *other_number);
}

/// For each decision that something changes; `configurations` begin with the studied one.
std::vector<DecisionAlternatives>
alternatives_of_decisions(const std::vector<ChangedConfiguration>& configurations) {
    std::vector<DecisionAlternatives> decisions;
    std::vector<std::string> keys;
    for (std::size_t place = 1; place < configurations.size(); ++place) {
        const ChangedConfiguration& changed = configurations[place];
        const auto known = std::ranges::find(keys, changed.key);
        const auto at = static_cast<std::size_t>(known - keys.begin());
        if (known == keys.end()) {
            keys.push_back(changed.key);
            decisions.push_back({changed.decision, {{changed.before, 0}}});
        }
        decisions[at].values.push_back({changed.after, place});
    }
    for (DecisionAlternatives& decision : decisions)
        std::ranges::stable_sort(decision.values, comes_before, &DecisionAlternatives::Value::value);
    return decisions;
}

/// By time, then those that were abandoned, those without a time last. The first one stays where it is, and
/// places in `decisions` follow.
void sort_by_time(ConfigurationChanges& changes) {
    auto& all = changes.configurations;
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order.begin() + 1, order.end(), {}, [&](std::size_t place) {
        const ChangedConfiguration& each = all[place];
        return std::pair(each.has_time() ? 0 : each.median_ms ? 1 : 2, each.median_ms.value_or(0));
    });
    std::vector<ChangedConfiguration> sorted;
    std::vector<std::size_t> new_place(all.size());
    for (const std::size_t place : order) {
        new_place[place] = sorted.size();
        sorted.push_back(std::move(all[place]));
    }
    all = std::move(sorted);
    for (DecisionAlternatives& decision : changes.decisions)
        for (DecisionAlternatives::Value& value : decision.values)
            value.configuration = new_place[value.configuration];
}

/// Both have a time.
void compare(ChangedConfiguration& changed, const ChangedConfiguration& studied) {
    changed.ratio = *changed.median_ms / *studied.median_ms;
    changed.is_in_noise = !differ_beyond_noise(*changed.median_ms - *studied.median_ms,
                                               changed.spread_ms.value_or(0), studied.spread_ms.value_or(0));
}

} // namespace

const ChangedConfiguration* ConfigurationChanges::gain() const {
    if (configurations.size() < 2)
        return nullptr;
    const ChangedConfiguration& fastest = configurations[1];
    return fastest.ratio && *fastest.ratio < 1 ? &fastest : nullptr;
}

Result<ChangeStudy> ChangeStudy::make(const Domain& domain, Setting setting, std::vector<ResultRecord> times,
                                      const WorkloadRecord& workload, std::vector<std::string> recorded) {
    auto codec = domain.codec(setting);
    if (!codec)
        return std::unexpected(std::move(codec).error());
    auto space = domain.space({setting, numeric_facts(workload), std::move(recorded)});
    if (!space)
        return std::unexpected(std::move(space).error());
    ChangeStudy study;
    study.domain_ = &domain;
    study.setting_ = std::move(setting);
    study.codec_ = *std::move(codec);
    study.space_ = *std::move(space);
    study.times_ = std::move(times);
    for (std::size_t place = 0; place < study.times_.size(); ++place)
        if (const auto parsed = study.codec_->parse(study.times_[place].configuration))
            study.places_.try_emplace(parsed->configuration, place);
    return study;
}

ChangedConfiguration ChangeStudy::described(const Configuration& configuration) const {
    ChangedConfiguration described;
    if (const auto known = places_.find(configuration); known != places_.end()) {
        const ResultRecord& result = times_[known->second];
        described.text = result.configuration;
        described.family = result.family;
        described.status = result.status;
        described.shown_status = shown_status(result);
        described.median_ms = result.median_ms;
        described.spread_ms = result.spread_ms;
        return described;
    }
    described.text = codec_->text(configuration, times_.empty() ? 1 : times_.front().threads);
    if (const auto written = domain_->written(setting_, described.text))
        described.family = written->family;
    return described;
}

Result<ConfigurationChanges> ChangeStudy::changes_of(std::string_view text) const {
    const auto parsed = codec_->parse(text);
    if (!parsed)
        return std::unexpected(parsed.error());
    const Configuration& studied = parsed->configuration;
    if (auto valid = space_->check(studied); !valid)
        return std::unexpected(std::move(valid).error());
    ConfigurationChanges changes;
    changes.configurations.push_back(described(studied));
    const ChangedConfiguration here = changes.configurations.front();
    for (const Configuration& neighbour : space_->neighbours(studied)) {
        const std::vector<DecisionChange> made = space_->changes(studied, neighbour);
        if (made.size() != 1)
            continue; // decisions that depend on each other changed with it
        ChangedConfiguration changed = described(neighbour);
        changed.key = made.front().decision.key;
        changed.decision = made.front().decision.name;
        changed.before = made.front().before;
        changed.after = made.front().after;
        if (here.has_time() && changed.has_time() && *here.median_ms > 0)
            compare(changed, here);
        changes.configurations.push_back(std::move(changed));
    }
    if (here.has_time())
        changes.configurations.front().ratio = 1;
    changes.decisions = alternatives_of_decisions(changes.configurations);
    sort_by_time(changes);
    return changes;
}

Result<ChangeStudy> read_change_study(Workspace& workspace, const Domain& domain, Setting setting,
                                      std::vector<ResultRecord> times, const WorkloadRecord& workload) {
    std::vector<std::string> recorded;
    if (domain.chooses_among_recorded()) {
        auto texts = recorded_canonical_texts(workspace, setting, workload.id);
        if (!texts)
            return std::unexpected(std::move(texts).error());
        recorded = *std::move(texts);
    }
    return ChangeStudy::make(domain, std::move(setting), std::move(times), workload, std::move(recorded));
}

namespace {

/// Keeps those in this setting. Where there are none the error says what there are times of.
Result<void> keep_setting(const Domain& domain, const ChangesRequest& request, const Setting& chosen,
                          std::vector<ResultRecord>& results) {
    std::set<std::string> known;
    for (const ResultRecord& result : results)
        known.insert(domain.describe(result.setting));
    std::erase_if(results, [&](const ResultRecord& result) { return result.setting != chosen; });
    if (!results.empty() || known.empty())
        return {};
    return fail(Fault::Input, fmt::format("{} has no times of {}; it has times of {}", request.workload,
                                          domain.describe(chosen), fmt::join(known, "; ")));
}

/// Where nobody named a machine: this computer's, or else the only one's. Names are not unique.
Result<void> keep_machine(Workspace& workspace, std::vector<ResultRecord>& results) {
    std::map<std::string, std::string> names; // by fingerprint
    for (const ResultRecord& result : results)
        names.emplace(result.machine_fingerprint, result.machine);
    if (names.size() < 2)
        return {};
    const auto facts = describe_this_machine();
    const auto here = find_machine(workspace, facts ? facts->fingerprint() : std::string());
    if (!here)
        return std::unexpected(here.error());
    if (*here && names.contains((*here)->fingerprint)) {
        std::erase_if(results, [&](const ResultRecord& result) {
            return result.machine_fingerprint != (*here)->fingerprint;
        });
        return {};
    }
    std::vector<std::string> told; // by what --machine finds them
    for (const auto& [fingerprint, name] : names) {
        const auto of_name = std::ranges::count(names, name, [](const auto& each) { return each.second; });
        told.push_back(of_name > 1 ? fingerprint : name);
    }
    std::ranges::sort(told);
    return fail(Fault::Input,
                fmt::format("times are known of {} machines: expected one of them (--machine): {}",
                            names.size(), list_names(told)));
}

} // namespace

Result<ChangesAnswer> answer_changes(Workspace& workspace, const Domain& domain,
                                     const ChangesRequest& request) {
    auto results =
        find_results(workspace, domain, {.workload = request.workload, .machine = request.machine});
    if (!results)
        return std::unexpected(std::move(results).error());
    if (!request.setting.text.empty() || !request.setting.options.empty()) {
        const auto chosen = choose_setting_of(workspace, domain, request.setting);
        if (!chosen)
            return std::unexpected(chosen.error());
        if (auto kept = keep_setting(domain, request, *chosen, *results); !kept)
            return std::unexpected(std::move(kept).error());
    }
    if (request.machine.empty())
        if (auto kept = keep_machine(workspace, *results); !kept)
            return std::unexpected(std::move(kept).error());
    if (!request.condition.empty())
        std::erase_if(*results,
                      [&](const ResultRecord& result) { return result.condition != request.condition; });
    auto sets = comparable_results(*std::move(results));
    const auto workload = find_workload(workspace, domain.name(), request.workload);
    if (!workload)
        return std::unexpected(workload.error());
    if (sets.empty() || !*workload)
        return fail(Fault::Input,
                    fmt::format("the workspace has no times of the {} '{}'{}: import or measure some",
                                domain.words().workload.one, request.workload,
                                request.condition.empty() ? "" : fmt::format(" with {}", request.condition)));
    std::optional<Error> refused; // by the largest set
    for (auto& set : sets) {
        const ResultRecord fastest = set.front();
        const std::string damaged = damaged_sentence(set);
        const auto study = read_change_study(workspace, domain, fastest.setting, std::move(set), **workload);
        if (!study)
            return std::unexpected(study.error());
        auto changes =
            study->changes_of(request.configuration.empty() ? fastest.configuration : request.configuration);
        if (changes)
            return ChangesAnswer{fastest, *std::move(changes),
                                 damaged.empty() ? std::vector<std::string>() : std::vector{damaged}};
        if (!refused)
            refused = std::move(changes).error();
    }
    return std::unexpected(*std::move(refused));
}

namespace {

/// What the best change gains.
std::string gain_sentence(const Domain& domain, const ChangesAnswer& answer) {
    const auto& [studied, changes, notes] = answer;
    if (!changes.configurations.front().has_time())
        return fmt::format(
            "This {} has no recorded time on {}, so its changes have nothing to be compared with.",
            domain.words().configuration.one, studied.machine);
    if (const ChangedConfiguration* const gain = changes.gain())
        return fmt::format("Changing {} from {} to {} makes {} {}{:.3g} times as fast on {}.", gain->decision,
                           gain->before, gain->after, studied.workload, gain->is_in_noise ? "~" : "",
                           1 / *gain->ratio, studied.machine);
    return fmt::format("No change of one decision makes {} faster on {} (changes with a recorded time: {}).",
                       studied.workload, studied.machine,
                       std::ranges::count_if(changes.configurations, &ChangedConfiguration::has_time) - 1);
}

Json configuration_json(const ChangedConfiguration& changed, const std::string& noun) {
    return {{noun, changed.text},
            {"status", changed.status ? Json(changed.shown_status) : Json()},
            {"median_ms", json_or_null(changed.median_ms)},
            {"spread_ms", json_or_null(changed.spread_ms)}};
}

} // namespace

Json changes_json(const Domain& domain, const ChangesAnswer& answer) {
    const DomainWords& words = domain.words();
    const auto& [studied, changes, notes] = answer;
    Json json{{words.workload.one, studied.workload}, {"machine", studied.machine}};
    for (const SettingMember& member : domain.members(studied.setting))
        json[member.key] = member_json(member);
    json["protocol"] = studied.protocol;
    json["condition"] = studied.condition;
    json.update(configuration_json(changes.configurations.front(), words.configuration.one));
    json["sentence"] = gain_sentence(domain, answer);
    json["notes"] = notes;
    json["changes"] = Json::array();
    for (const ChangedConfiguration& changed : changes.configurations) {
        if (changed.is_studied())
            continue;
        Json entry{{"decision", changed.key}, {"before", changed.before}, {"after", changed.after}};
        entry.update(configuration_json(changed, words.configuration.one));
        entry["ratio"] = json_or_null(changed.ratio);
        entry["in_noise"] = changed.is_in_noise;
        json["changes"].push_back(std::move(entry));
    }
    return json;
}

std::string changes_text(const Domain& domain, const ChangesAnswer& answer) {
    Table table({{"decision"},
                 {"change"},
                 {"ms", Align::Right},
                 {"of the studied", Align::Right},
                 {"status"},
                 {domain.words().configuration.one}});
    for (const ChangedConfiguration& changed : answer.changes.configurations) {
        const bool is_bound = changed.status == MeasurementStatus::GaveUp;
        table.add_row(
            {changed.is_studied() ? "none" : changed.decision,
             changed.is_studied() ? "" : fmt::format("{} → {}", changed.before, changed.after),
             changed.median_ms ? fmt::format("{}{:.4g}", is_bound ? "> " : "", *changed.median_ms) : "",
             changed.ratio ? fmt::format("{}{:.3g}×", changed.is_in_noise ? "~" : "", *changed.ratio) : "",
             changed.status ? changed.shown_status : "no recorded time", changed.text});
    }
    return gain_sentence(domain, answer) + "\n\n" + table.text();
}

} // namespace sparsight

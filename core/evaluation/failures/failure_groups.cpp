#include "evaluation/failures/failure_groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sparsight {

namespace {

constexpr double dominant = 0.6;
constexpr std::size_t fewest_of_a_reason = 3;

std::uint32_t kind_of(const std::optional<TimeCause>& term) {
    return term ? term->kind : 0;
}

using Places = std::vector<std::size_t>;

bool holds(const FailureCase& failure) {
    return failure.diagnosis && failure.diagnosis->names_a_cause();
}

template <typename Key, typename Value>
std::map<Key, Places> grouped(std::span<const FailureCase> cases, const Places& places,
                              const Value& value_of) {
    std::map<Key, Places> groups;
    for (const std::size_t place : places)
        groups[value_of(cases[place])].push_back(place);
    return groups;
}

/// The largest groups stay, the cases of the others go to the largest of all; in the order of their keys.
template <typename Key>
std::vector<Places> large_ones(std::map<Key, Places> groups, std::size_t smallest) {
    const auto largest =
        std::ranges::max_element(groups, {}, [](const auto& group) { return group.second.size(); });
    for (auto& [key, places] : groups)
        if (places.size() < smallest && key != largest->first)
            largest->second.insert(largest->second.end(), places.begin(), places.end());
    std::vector<Places> kept;
    for (auto& [key, places] : groups)
        if (key == largest->first || places.size() >= smallest) {
            std::ranges::sort(places);
            kept.push_back(std::move(places));
        }
    return kept;
}

/// The value that most cases have, of equally frequent ones the least.
template <typename Value, typename Read>
Value most_frequent(std::span<const FailureCase> cases, const Places& places, const Read& read) {
    std::map<Value, std::size_t> counts;
    for (const std::size_t place : places)
        ++counts[read(cases[place])];
    return std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; })->first;
}

std::vector<FamilyCount> families_of(std::span<const FailureCase> cases, const Places& places) {
    std::vector<FamilyCount> families;
    for (const auto& [family, members] :
         grouped<WorkloadFamily>(cases, places, [](const FailureCase& failure) { return failure.family; }))
        families.push_back({family, members.size()});
    std::ranges::stable_sort(families, std::ranges::greater{}, &FamilyCount::cases);
    return families;
}

class Storytelling {
public:
    Storytelling(std::span<const FailureCase> cases, const GroupingOptions& options)
        : cases_(cases)
        , options_(options) {}

    std::vector<FailureGroup> tell() {
        Places diagnosed;
        Places disagreed;
        Places others;
        for (std::size_t place = 0; place < cases_.size(); ++place)
            (holds(cases_[place])      ? diagnosed
             : cases_[place].diagnosis ? disagreed
                                       : others)
                .push_back(place);
        tell_by_decision(diagnosed);
        tell_by_family(FailureGroupGround::SimulationDisagrees, disagreed);
        tell_by_family(FailureGroupGround::NoDiagnosis, others);
        sort();
        tell_the_rest();
        return std::move(groups_);
    }

private:
    void tell_by_decision(const Places& places) {
        const auto decision = [](const FailureCase& each) { return each.diagnosis->top().decision; };
        const auto reason = [](const FailureCase& each) { return kind_of(each.diagnosis->term); };
        for (const auto& [key, members] : grouped<Decision>(cases_, places, decision)) {
            const std::size_t smallest = std::max(fewest_of_a_reason, (members.size() + 3) / 4);
            for (const Places& alike : large_ones(grouped<std::uint32_t>(cases_, members, reason), smallest))
                tell_by_size(alike);
        }
    }

    /// A large group may be one of several families.
    void tell_by_size(const Places& places) {
        if (places.size() < options_.split_by_family_from) {
            add(FailureGroupGround::Decision, places);
            return;
        }
        const auto family = [](const FailureCase& each) { return each.family; };
        for (const Places& alike :
             large_ones(grouped<WorkloadFamily>(cases_, places, family), (places.size() + 2) / 3))
            add(FailureGroupGround::Decision, alike);
    }

    void tell_by_family(FailureGroupGround ground, const Places& places) {
        using Key = std::pair<FailureKind, WorkloadFamily>;
        const auto key = [](const FailureCase& each) { return Key(each.main().kind, each.family); };
        for (const auto& [alike, members] : grouped<Key>(cases_, places, key))
            add(ground, members);
    }

    void add(FailureGroupGround ground, Places places) {
        FailureGroup group{.ground = ground, .families = families_of(cases_, places), .cases = {}};
        group.kind = most_frequent<FailureKind>(cases_, places,
                                                [](const FailureCase& each) { return each.main().kind; });
        group.times =
            most_frequent<TimeSource>(cases_, places, [](const FailureCase& each) { return each.times; });
        group.against = most_frequent<FailureAgainst>(
            cases_, places, [](const FailureCase& each) { return each.main().held_against; });
        group.undiagnosed = most_frequent<std::string>(
            cases_, places, [](const FailureCase& each) { return each.undiagnosed; });
        if (ground == FailureGroupGround::Decision)
            add_diagnosis(group, places);
        if (ground == FailureGroupGround::SimulationDisagrees)
            add_disagreement(group, places);
        double logarithms = 0;
        std::set<std::string_view> workloads;
        for (const std::size_t place : places) {
            const FailureSign& sign = cases_[place].main();
            group.lost_ms += cases_[place].lost_ms();
            group.behind_ms += sign.lost_ms();
            if (sign.held_against == group.against) {
                logarithms += std::log1p(sign.lost_share());
                ++group.held_against;
            }
            workloads.insert(cases_[place].workload);
            group.disagreeing += cases_[place].diagnosis && !holds(cases_[place]) ? 1 : 0;
        }
        group.lost_share = std::expm1(logarithms / static_cast<double>(group.held_against));
        group.workloads = workloads.size();
        std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) {
            return cases_[a].main().lost_ms() > cases_[b].main().lost_ms();
        });
        group.nickname = cases_[places.front()].main().chosen.nickname;
        group.cases = std::move(places);
        groups_.push_back(std::move(group));
    }

    void add_diagnosis(FailureGroup& group, const Places& places) const {
        const auto top = [](const FailureCase& each) -> const BlamedDecision& {
            return each.diagnosis->top();
        };
        group.decision = top(cases_[places.front()]).decision;
        group.after = most_frequent<std::string>(cases_, places,
                                                 [&](const FailureCase& each) { return top(each).after; });
        const std::string& before = top(cases_[places.front()]).before;
        if (std::ranges::all_of(places,
                                [&](std::size_t place) { return top(cases_[place]).before == before; }))
            group.before = before;
        group.is_one_value = std::ranges::all_of(
            places, [&](std::size_t place) { return top(cases_[place]).after == group.after; });
        group.is_mostly =
            2 * std::ranges::count_if(
                    places, [&](std::size_t place) { return top(cases_[place]).after == group.after; }) >
            std::ssize(places);
        group.term = most_frequent<std::optional<TimeCause>>(
            cases_, places, [](const FailureCase& each) { return each.diagnosis->term; });
        group.basis = most_frequent<DiagnosisBasis>(
            cases_, places, [](const FailureCase& each) { return each.diagnosis->basis; });
        add_shares(group, places);
    }

    void add_shares(FailureGroup& group, const Places& places) const {
        constexpr double least_share = 0.05; ///< of what the decision costs
        std::map<std::string, double> costs;
        for (const std::size_t place : places)
            for (const BlamedDecision& each : cases_[place].diagnosis->decisions) {
                group.explained_ms += each.milliseconds;
                if (each.decision == *group.decision)
                    group.decision_ms += each.milliseconds;
                else if (each.is_significant)
                    costs[each.decision.name] += each.milliseconds;
            }
        std::vector<std::pair<double, std::string>> others;
        for (const auto& [name, milliseconds] : costs)
            if (std::abs(milliseconds) >= least_share * group.decision_ms)
                others.emplace_back(-std::abs(milliseconds), name);
        std::ranges::sort(others);
        for (auto& [milliseconds, name] : others)
            group.others.push_back(std::move(name));
    }

    /// Geometric mean, as for the loss.
    void add_disagreement(FailureGroup& group, const Places& places) const {
        double logarithms = 0;
        for (const std::size_t place : places)
            logarithms += std::log(cases_[place].diagnosis->simulated_factor);
        group.simulated_share = std::expm1(logarithms / static_cast<double>(places.size()));
    }

    void sort() {
        std::ranges::stable_sort(groups_, [](const FailureGroup& a, const FailureGroup& b) {
            return std::pair(a.lost_ms, a.behind_ms) > std::pair(b.lost_ms, b.behind_ms);
        });
    }

    void tell_the_rest() {
        const std::size_t most = std::max<std::size_t>(options_.most_groups, 1);
        if (groups_.size() <= most)
            return;
        Places rest;
        for (std::size_t at = most - 1; at < groups_.size(); ++at)
            rest.insert(rest.end(), groups_[at].cases.begin(), groups_[at].cases.end());
        groups_.resize(most - 1);
        std::ranges::sort(rest);
        add(FailureGroupGround::Rest, std::move(rest));
    }

    std::span<const FailureCase> cases_;
    const GroupingOptions& options_;
    std::vector<FailureGroup> groups_;
};

} // namespace

std::optional<WorkloadFamily> FailureGroup::dominant_family() const {
    if (families.empty() || !families.front().family.is_known() ||
        static_cast<double>(families.front().cases) < dominant * static_cast<double>(cases.size()))
        return std::nullopt;
    return families.front().family;
}

std::vector<FailureGroup> group_failures(std::span<const FailureCase> cases, const GroupingOptions& options) {
    return Storytelling(cases, options).tell();
}

} // namespace sparsight

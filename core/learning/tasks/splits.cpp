#include "learning/tasks/splits.h"

#include "base/names.h"
#include "base/random.h"
#include "base/text.h"
#include "store/workloads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/ranges.h>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

namespace sparsight {

namespace {

/// Joins what belongs together (Tarjan: Efficiency of a good but not linear set union algorithm, JACM 1975).
class Families {
public:
    explicit Families(std::size_t count)
        : parents_(count) {
        std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    }

    std::size_t first_member(std::size_t member) {
        while (parents_[member] != member)
            member = parents_[member] = parents_[parents_[member]];
        return member;
    }
    void join(std::size_t one, std::size_t other) {
        const auto [first, second] = std::minmax({first_member(one), first_member(other)});
        parents_[second] = first;
    }

private:
    std::vector<std::size_t> parents_;
};

} // namespace

std::vector<std::size_t> workload_families(std::span<const TaskWorkload> workloads) {
    Families families(workloads.size());
    std::map<std::string, std::size_t, std::less<>> by_name;
    std::map<std::vector<double>, std::size_t> by_key;
    for (std::size_t place = 0; place < workloads.size(); ++place) {
        if (const std::string& family = workloads[place].family; !family.empty())
            families.join(by_name.try_emplace(family, place).first->second, place);
        if (const std::vector<double>& key = workloads[place].family_key; !key.empty())
            families.join(by_key.try_emplace(key, place).first->second, place);
    }
    std::vector<std::size_t> found(workloads.size());
    for (std::size_t place = 0; place < found.size(); ++place)
        found[place] = families.first_member(place);
    return found;
}

namespace {

constexpr std::array all_sides{SplitSide::Train, SplitSide::Validation, SplitSide::Test};

using Family = std::vector<std::size_t>;

struct FilledSide {
    double share = 0;  ///< of 1
    double target = 0; ///< workloads
    std::vector<Family> families;

    [[nodiscard]] double lacking() const {
        double lacking = target;
        for (const Family& family : families)
            lacking -= static_cast<double>(family.size());
        return lacking;
    }
};
using Sides = std::array<FilledSide, all_sides.size()>;

Result<Sides> empty_sides(const SplitShares& shares, std::size_t workloads, const Noun& noun) {
    const std::array weights{shares.train, shares.validation, shares.test};
    double sum = 0;
    for (const double weight : weights) {
        if (!std::isfinite(weight) || weight < 0)
            return fail(Fault::Input,
                        fmt::format("a share of the {} is {}, expected 0 or more", noun.many, weight));
        sum += weight;
    }
    if (sum == 0)
        return fail(Fault::Input, fmt::format("all shares of the {} are 0, expected one above 0", noun.many));
    Sides sides;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        sides[i].share = weights[i] / sum;
        sides[i].target = sides[i].share * static_cast<double>(workloads);
    }
    return sides;
}

/// The largest first, those of a size in an order of the seed: small ones then even out what large ones miss.
std::vector<Family> ordered_families(std::span<const TaskWorkload> workloads, std::uint64_t seed) {
    const auto family_of = workload_families(workloads);
    std::map<std::size_t, Family> members;
    for (std::size_t place = 0; place < workloads.size(); ++place)
        members[family_of[place]].push_back(place);
    std::vector<Family> families;
    for (auto& [first, family] : members)
        families.push_back(std::move(family));
    Random(seed).shuffle(families);
    std::ranges::stable_sort(families, std::greater{}, &Family::size);
    return families;
}

/// A side that a few large families have left without any takes the smallest of the side with most.
void fill_empty_sides(Sides& sides) {
    for (FilledSide& side : sides) {
        if (side.share == 0 || !side.families.empty())
            continue;
        auto& giver = *std::ranges::max_element(
            sides, {}, [](const FilledSide& other) { return other.families.size(); });
        side.families.push_back(std::move(giver.families.back()));
        giver.families.pop_back();
    }
}

std::vector<std::size_t> members(const FilledSide& side) {
    std::vector<std::size_t> all;
    for (const Family& family : side.families)
        all.insert(all.end(), family.begin(), family.end());
    std::ranges::sort(all);
    return all;
}

const std::vector<std::size_t>& of_side(const WorkloadSplit& split, SplitSide side) {
    switch (side) {
    case SplitSide::Validation:
        return split.validation;
    case SplitSide::Test:
        return split.test;
    case SplitSide::Train:
        break;
    }
    return split.train;
}

} // namespace

std::string_view name(SplitSide side) {
    constexpr std::array<std::string_view, all_sides.size()> names{"training", "validation", "test"};
    return names[static_cast<std::size_t>(side)];
}

Result<WorkloadSplit> split_workloads(std::span<const TaskWorkload> workloads, const SplitShares& shares,
                                      std::uint64_t seed, const Noun& noun) {
    auto sides = empty_sides(shares, workloads.size(), noun);
    if (!sides)
        return std::unexpected(std::move(sides).error());
    auto families = ordered_families(workloads, seed);
    const auto wanted = std::ranges::count_if(*sides, [](const FilledSide& side) { return side.share > 0; });
    if (std::ssize(families) < wanted)
        return fail(Fault::Input, fmt::format("{} can't be split into {} parts: the forms of one {} stay "
                                              "together, and there are {} such families",
                                              counted(workloads.size(), noun.one, noun.many), wanted,
                                              noun.one, families.size()));
    for (Family& family : families)
        std::ranges::max_element(*sides, {}, &FilledSide::lacking)->families.push_back(std::move(family));
    fill_empty_sides(*sides);
    return WorkloadSplit{members((*sides)[0]), members((*sides)[1]), members((*sides)[2])};
}

std::vector<Leak> leaks(const WorkloadSplit& split, std::span<const TaskWorkload> workloads) {
    const auto family_of = workload_families(workloads);
    struct Place {
        std::size_t workload;
        SplitSide side;
    };
    std::map<std::size_t, std::vector<Place>> families;
    for (const SplitSide side : all_sides)
        for (const std::size_t workload : of_side(split, side))
            families[family_of[workload]].push_back({workload, side});
    std::vector<Leak> found;
    for (const auto& [first, places] : families)
        for (std::size_t one = 0; one < places.size(); ++one)
            for (std::size_t other = one + 1; other < places.size(); ++other)
                if (places[one].side != places[other].side)
                    found.push_back(
                        {places[one].workload, places[one].side, places[other].workload, places[other].side});
    return found;
}

std::vector<std::size_t> training_subset(const WorkloadSplit& split, std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> order = split.train;
    Random(seed).shuffle(order);
    order.resize(std::min(count, order.size()));
    return order;
}

namespace {

/// The side of a stored split, as places in the task set.
std::vector<std::size_t> places_of(const std::vector<WorkloadId>& members,
                                   const std::unordered_map<WorkloadId, std::size_t>& places) {
    std::vector<std::size_t> side;
    for (const WorkloadId member : members)
        if (const auto found = places.find(member); found != places.end())
            side.push_back(found->second);
    return side;
}

/// Of one domain, in which names are unique.
Result<std::unordered_map<std::string, WorkloadId>> ids_by_name(Workspace& workspace,
                                                                const std::string& domain) {
    const auto workloads = list_workloads(workspace, domain);
    if (!workloads)
        return std::unexpected(workloads.error());
    std::unordered_map<std::string, WorkloadId> ids;
    for (const WorkloadRecord& workload : *workloads)
        ids.emplace(workload.name, workload.id);
    return ids;
}

} // namespace

Result<WorkloadSplit> load_split(Workspace& workspace, std::string_view name, const TaskSet& set) {
    const auto stored = find_split(workspace, name);
    if (!stored)
        return std::unexpected(stored.error());
    if (!*stored) {
        const auto names = split_names(workspace);
        if (!names)
            return std::unexpected(names.error());
        return fail(Fault::Input, fmt::format("the workspace has no split '{}'{}{}", name,
                                              names->empty() ? "" : "; it has ", list_known(*names, name)));
    }
    const auto ids = ids_by_name(workspace, set.setting.domain);
    if (!ids)
        return std::unexpected(ids.error());
    std::unordered_map<WorkloadId, std::size_t> places;
    for (std::size_t place = 0; place < set.workloads.size(); ++place)
        if (const auto found = ids->find(set.workloads[place].name); found != ids->end())
            places.emplace(found->second, place);
    WorkloadSplit split{places_of((**stored)[SplitPart::Train], places),
                        places_of((**stored)[SplitPart::Validation], places),
                        places_of((**stored)[SplitPart::Test], places)};
    if (split.train.empty())
        return fail(Fault::Input, fmt::format("none of the training {} of the split '{}' can be learned from",
                                              set.words.workload.many, name));
    return split;
}

Result<void> store_split(Workspace& workspace, std::string_view name, const WorkloadSplit& split,
                         const TaskSet& set) {
    const auto ids = ids_by_name(workspace, set.setting.domain);
    if (!ids)
        return std::unexpected(ids.error());
    Split stored{std::string(name), {}};
    const auto keep = [&](SplitPart part, const std::vector<std::size_t>& side) {
        for (const std::size_t place : side)
            if (const auto id = ids->find(set.workloads[place].name); id != ids->end()) {
                stored[part].push_back(id->second);
                stored[SplitPart::Total].push_back(id->second);
            }
    };
    keep(SplitPart::Train, split.train);
    keep(SplitPart::Validation, split.validation);
    keep(SplitPart::Test, split.test);
    return save_split(workspace, stored);
}

} // namespace sparsight

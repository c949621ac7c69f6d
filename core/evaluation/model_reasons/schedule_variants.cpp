#include "evaluation/model_reasons/schedule_variants.h"

#include "schedule/validity.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace sparsight {

namespace {

constexpr LoopIndex of_no_loop{Index::I, Part::Outer};

/// A level that is not there is stored in no way.
bool decides_alike(const Decision& decision, const SuperSchedule& one, const SuperSchedule& other) {
    if (decision.kind == DecisionKind::LevelFormat &&
        one.has(decision.subject) != other.has(decision.subject))
        return false;
    return value_of(decision, one) == value_of(decision, other);
}

/// A split that was not there stands directly inside its outer loop, uncompressed, wherever another schedule
/// has it: on a curve of one decision all others stay what they are.
SuperSchedule split_alone(SuperSchedule schedule, Index index, std::int64_t split) {
    schedule.splits[static_cast<std::size_t>(index)] = split;
    return canonical(schedule);
}

} // namespace

std::vector<Decision> decisions_of(const SuperSchedule& schedule) {
    std::vector<Decision> decisions;
    for (const Index index : indices(schedule.op))
        decisions.push_back({DecisionKind::Split, {index, Part::Outer}});
    decisions.push_back({DecisionKind::LevelOrder, of_no_loop});
    if (dense_index(schedule.op))
        decisions.push_back({DecisionKind::DenseLoops, of_no_loop});
    for (const LoopIndex loop : loop_names(schedule.op))
        if (is_sparse_index(schedule.op, loop.index) && schedule.has(loop))
            decisions.push_back({DecisionKind::LevelFormat, loop});
    if (parallel_loops(schedule.op).size() > 1)
        decisions.push_back({DecisionKind::ParallelLoop, of_no_loop});
    decisions.push_back({DecisionKind::Chunk, of_no_loop});
    return decisions;
}

std::optional<double> number_of(const Decision& decision, const SuperSchedule& schedule) {
    if (decision.kind == DecisionKind::Split)
        return static_cast<double>(schedule.split(decision.subject.index));
    if (decision.kind == DecisionKind::Chunk)
        return schedule.chunk;
    return std::nullopt;
}

SchedulePredicates::SchedulePredicates(const SuperSchedule& schedule, ReasonSubject subject)
    : subject_(subject) {
    for (const Decision& decision : decisions_of(schedule)) {
        add(decision, PredicateRelation::Is, schedule);
        const auto number = number_of(decision, schedule);
        if (number && *number > 1) { // all are at least 1; at most 1 is 1
            add(decision, PredicateRelation::AtLeast, schedule);
            add(decision, PredicateRelation::AtMost, schedule);
        }
    }
}

void SchedulePredicates::add(const Decision& decision, PredicateRelation relation,
                             const SuperSchedule& schedule) {
    decisions_.push_back(decision);
    predicates_.push_back({.subject = subject_,
                           .key = key(decision),
                           .title = name(decision, schedule.op),
                           .relation = relation,
                           .value = value_of(decision, schedule),
                           .number = number_of(decision, schedule)});
}

bool SchedulePredicates::holds(std::size_t place, const SuperSchedule& schedule) const {
    const Decision& decision = decisions_[place];
    const ReasonPredicate& predicate = predicates_[place];
    if (const auto number = number_of(decision, schedule)) {
        switch (predicate.relation) {
        case PredicateRelation::Is:
            return *number == *predicate.number;
        case PredicateRelation::AtMost:
            return *number <= *predicate.number;
        case PredicateRelation::AtLeast:
            return *number >= *predicate.number;
        case PredicateRelation::Above:
            return *number > *predicate.number;
        }
    }
    if (decision.kind == DecisionKind::LevelFormat && !schedule.has(decision.subject))
        return false;
    return value_of(decision, schedule) == predicate.value;
}

ScheduleVariants::ScheduleVariants(const SuperSchedule& schedule, std::span<const SuperSchedule> others,
                                   ReasonSubject subject)
    : schedule_(canonical(schedule))
    , predicates_(schedule_, subject) {
    for (const SuperSchedule& other : others)
        if (auto space = HybridSpace::make(schedule_, other); space && !space->decisions().empty())
            hybrids_.push_back(*std::move(space));
}

SuperSchedule ScheduleVariants::draw(std::span<const std::size_t> kept, Random& random) const {
    if (hybrids_.empty())
        return schedule_;
    const auto fits = [&](const SuperSchedule& schedule) {
        return std::ranges::all_of(kept,
                                   [&](std::size_t place) { return predicates_.holds(place, schedule); });
    };
    const HybridSpace& space = random.pick(std::span(hybrids_));
    auto taken = static_cast<DecisionSet>(random.below(space.size()));
    SuperSchedule drawn = space.at(taken).schedule;
    if (fits(drawn))
        return drawn;
    // Give back what the predicates are about, then one by one what stands in their way besides.
    for (const std::size_t place : kept) {
        const auto found = std::ranges::find(space.decisions(), predicates_.decision(place));
        if (found != space.decisions().end() && !predicates_.holds(place, drawn))
            taken &= ~(DecisionSet{1} << (found - space.decisions().begin()));
    }
    for (std::size_t bit = 0; !fits(drawn = space.at(taken).schedule); ++bit)
        taken &= ~(DecisionSet{1} << bit);
    return drawn;
}

std::vector<SuperSchedule> ScheduleVariants::one_changed(const Decision& decision) const {
    std::vector<SuperSchedule> found{schedule_};
    for (const HybridSpace& space : hybrids_) {
        const auto bit = std::ranges::find(space.decisions(), decision);
        if (bit == space.decisions().end())
            continue;
        SuperSchedule changed = space.at(DecisionSet{1} << (bit - space.decisions().begin())).schedule;
        if (decision.kind == DecisionKind::Split)
            changed = split_alone(schedule_, decision.subject.index, changed.split(decision.subject.index));
        const auto same_value = [&](const SuperSchedule& known) {
            return decides_alike(decision, known, changed);
        };
        if (std::ranges::none_of(found, same_value))
            found.push_back(changed);
    }
    std::ranges::stable_sort(
        found, {}, [&](const SuperSchedule& schedule) { return number_of(decision, schedule).value_or(0); });
    return found;
}

} // namespace sparsight

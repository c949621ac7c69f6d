// A schedule with some of its decisions taken from others.
#pragma once

#include "base/random.h"
#include "evaluation/diagnosis/hybrid.h"
#include "evaluation/model_reasons/anchor.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// All that a schedule decides and could decide otherwise. Formats only of levels that it has.
[[nodiscard]] std::vector<Decision> decisions_of(const SuperSchedule& schedule);

/// What holds of a schedule in words that other schedules can be held against: a decision is what it is, and
/// a number also at least, or at most, what it is.
class SchedulePredicates {
public:
    SchedulePredicates(const SuperSchedule& schedule, ReasonSubject subject);

    [[nodiscard]] std::size_t size() const { return predicates_.size(); }
    [[nodiscard]] const ReasonPredicate& predicate(std::size_t place) const { return predicates_[place]; }
    [[nodiscard]] const Decision& decision(std::size_t place) const { return decisions_[place]; }
    [[nodiscard]] bool holds(std::size_t place, const SuperSchedule& schedule) const;

private:
    void add(const Decision& decision, PredicateRelation relation, const SuperSchedule& schedule);

    ReasonSubject subject_;
    std::vector<Decision> decisions_;
    std::vector<ReasonPredicate> predicates_;
};

/// Where a decision is a number: a split, a chunk.
[[nodiscard]] std::optional<double> number_of(const Decision& decision, const SuperSchedule& schedule);

class ScheduleVariants {
public:
    /// Others that are no valid schedules of the operator are left out.
    ScheduleVariants(const SuperSchedule& schedule, std::span<const SuperSchedule> others,
                     ReasonSubject subject);

    [[nodiscard]] const SchedulePredicates& predicates() const { return predicates_; }

    /// Each decision in which the schedule and one of the others, drawn at random, differ, is taken from that
    /// one every other time, as far as the predicates of `kept` still hold.
    [[nodiscard]] SuperSchedule draw(std::span<const std::size_t> kept, Random& random) const;

    /// Those that differ from the schedule in this decision alone, each value once, the present one among
    /// them: numbers ascending, other values as they come.
    [[nodiscard]] std::vector<SuperSchedule> one_changed(const Decision& decision) const;

private:
    SuperSchedule schedule_;
    SchedulePredicates predicates_;
    std::vector<HybridSpace> hybrids_; ///< from the schedule to each other one that differs
};

} // namespace sparsight

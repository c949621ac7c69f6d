// A schedule with some of its decisions taken from others.
#pragma once

#include "base/random.h"
#include "evaluation/diagnosis/hybrids/hybrid.h"
#include "evaluation/model_reasons/anchor_search.h"
#include "evaluation/model_reasons/model_reasons.h"
#include "evaluation/model_reasons/reason_cases.h"

#include <cstddef>
#include <map>
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

// What an anchor of a comparison of two schedules may be made of: what the schedules decide, what the pattern
// is like, and what the machine has.

struct ComparisonRequest {
    SuperSchedule schedule; ///< valid, like the other one, and of one operator
    SuperSchedule against;
    std::vector<SuperSchedule> others; ///< that decisions are taken from
    /// The explained one first; the others are what it could be, and where its statistics are cut into high
    /// and low: at the quartiles.
    std::vector<PatternStatistics> patterns;
    PatternDraws pattern_draws{};
    /// Likewise; the explained one alone where the model reads none.
    std::vector<MachineDescription> machines;
    MarginFunction margins;
};

class ComparisonSpace final : public AnchorSpace {
public:
    /// Errors: those of the margins. Where the model rates both schedules alike there is no choice to explain
    /// (Fault::Input).
    [[nodiscard]] static Result<std::unique_ptr<ComparisonSpace>> make(ComparisonRequest request);

    [[nodiscard]] std::size_t predicates() const override { return predicates_.size(); }
    [[nodiscard]] const ReasonPredicate& predicate(std::size_t place) const {
        return predicates_[place].told;
    }
    [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept, std::size_t count,
                                                       Random& random) override;

    /// Of the explained case.
    [[nodiscard]] double margin() const { return margin_; }

private:
    struct Predicate {
        ReasonPredicate told;
        std::size_t place = 0; ///< of a schedule's predicate, a statistic, or a parameter
    };
    /// What is kept, by its subject.
    struct Kept {
        std::vector<std::size_t> schedule; ///< places in SchedulePredicates
        std::vector<std::size_t> against;
        std::vector<std::size_t> pattern; ///< places in predicates_
        std::vector<std::size_t> machine;
    };
    using Matching = std::map<std::vector<std::size_t>, std::vector<std::size_t>>;

    explicit ComparisonSpace(ComparisonRequest request);
    void add_schedule_predicates();
    void add_pattern_predicates();
    void add_machine_predicates();
    void add_bound(ReasonPredicate told, std::size_t place, std::span<const double> numbers);

    [[nodiscard]] Kept by_subject(std::span<const std::size_t> kept) const;
    [[nodiscard]] double number(const Predicate& predicate, const PatternStatistics& statistics) const;
    [[nodiscard]] bool holds(const Predicate& predicate, const ReasonCase& drawn,
                             const MachineParameters& machine) const;
    [[nodiscard]] ReasonCase draw_case(const Kept& kept, Random& random, std::size_t& machine);
    void draw_pattern(const std::vector<std::size_t>& kept, ReasonCase& drawn, Random& random);

    ComparisonRequest request_;
    ScheduleVariants schedules_;
    ScheduleVariants againsts_;
    std::vector<MachineParameters> parameters_; ///< of the machines
    std::vector<Predicate> predicates_;
    Matching matching_patterns_;
    Matching matching_machines_;
    double margin_ = 0;
};

/// The search, told in words.
[[nodiscard]] Result<AnchorReason> anchor_reason(ComparisonSpace& space, const ComparisonRequest& request,
                                                 const AnchorOptions& options);

} // namespace sparsight

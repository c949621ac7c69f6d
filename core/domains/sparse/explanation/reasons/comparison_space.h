// The space in which an anchor of a comparison of two schedules is searched: what the schedules decide, what
// the pattern is like, and the parameters of the machine.
#pragma once

#include "base/random.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "domains/sparse/explanation/reasons/reason_cases.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "evaluation/model_reasons/decision_anchors.h"

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// All decisions of a schedule that could be different. Formats only for levels that it has.
[[nodiscard]] std::vector<ScheduleDecision> decisions_of(const SuperSchedule& schedule);

/// Predicates that hold for a schedule and that other schedules can be tested against: a decision has a
/// value, and a numeric value is also at least, or at most, a bound.
class SchedulePredicates {
public:
    SchedulePredicates(const SuperSchedule& schedule, ReasonSubject subject);

    [[nodiscard]] std::size_t size() const { return predicates_.size(); }
    [[nodiscard]] const ReasonPredicate& predicate(std::size_t place) const { return predicates_[place]; }
    [[nodiscard]] const ScheduleDecision& decision(std::size_t place) const { return decisions_[place]; }
    [[nodiscard]] bool holds(std::size_t place, const SuperSchedule& schedule) const;

private:
    void add(const ScheduleDecision& decision, PredicateRelation relation, const SuperSchedule& schedule);

    ReasonSubject subject_;
    std::vector<ScheduleDecision> decisions_;
    std::vector<ReasonPredicate> predicates_;
};

/// The value of a numeric decision: a split, a chunk.
[[nodiscard]] std::optional<double> number_of(const ScheduleDecision& decision,
                                              const SuperSchedule& schedule);

class ScheduleVariants {
public:
    /// Leaves out `others` that are not valid schedules of the operator.
    ScheduleVariants(const SuperSchedule& schedule, std::span<const SuperSchedule> others,
                     ReasonSubject subject);

    [[nodiscard]] const SchedulePredicates& predicates() const { return predicates_; }

    /// Draws one of the others at random, and takes each of its differing decisions with probability ½, as
    /// far as the predicates of `kept` still hold.
    [[nodiscard]] SuperSchedule draw(std::span<const std::size_t> kept, Random& random) const;

    /// The schedules that differ in this decision alone, each value once, the present one included: numbers
    /// ascending, other values in any order.
    [[nodiscard]] std::vector<SuperSchedule> one_changed(const ScheduleDecision& decision) const;

private:
    SuperSchedule schedule_;
    SchedulePredicates predicates_;
    std::vector<std::shared_ptr<const ScheduleHybrids>>
        hybrids_; ///< from the schedule to each other one that differs
};

struct ComparisonRequest {
    SuperSchedule schedule; ///< valid, like the other one, and of one operator
    SuperSchedule against;
    std::vector<SuperSchedule> others; ///< the schedules that decisions are taken from
    /// The explained pattern first; the others are possible replacements, and their quartiles separate high
    /// from low statistics.
    std::vector<PatternStatistics> patterns;
    PatternDraws pattern_draws{};
    /// The explained machine first; it alone where the model reads no machine.
    std::vector<MachineDescription> machines;
    MarginFunction margins;
};

class ComparisonSpace final : public AnchorSpace {
public:
    /// Errors: those of the margins. Where the model rates both schedules equally there is no choice to
    /// explain (Fault::Input).
    [[nodiscard]] static Result<std::unique_ptr<ComparisonSpace>> make(ComparisonRequest request);

    [[nodiscard]] std::size_t predicates() const override { return predicates_.size(); }
    [[nodiscard]] const ReasonPredicate& predicate(std::size_t place) const {
        return predicates_[place].told;
    }
    [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept, std::size_t count,
                                                       Random& random) override;

    /// The margin of the explained case.
    [[nodiscard]] double margin() const { return margin_; }

private:
    struct Predicate {
        ReasonPredicate told;
        std::size_t place = 0; ///< of a schedule's predicate, a statistic, or a parameter
    };
    /// The kept predicates, by their subject.
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

/// Runs the search and returns its result as a reason.
[[nodiscard]] Result<SparseAnchorReason>
anchor_reason(ComparisonSpace& space, const ComparisonRequest& request, const AnchorOptions& options);

} // namespace sparsight

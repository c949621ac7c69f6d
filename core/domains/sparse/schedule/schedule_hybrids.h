// Schedules between two schedules: each decision in which the two differ is taken from the one or the other.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "study/hybrid_space.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct HybridSchedule {
    SuperSchedule schedule; ///< valid and canonical, with the threads of the first schedule
    /// A loop that came with a split could not stand where its own schedule has it: it was moved inwards.
    bool is_repaired = false;
};

/// All 2^n hybrids of two schedules.
///
/// What the two share in loops is ordered by the order decisions (SharedOrder). An inner loop that only one
/// of them has comes with its split and stands directly inside the loop that it follows in its own schedule,
/// or, where that one is not there, inside the one before. Where the order decisions come from the other
/// schedule this may lie outside its own outer loop: it then stands directly inside that one, the nearest
/// place where it may. So no set of decisions lacks a hybrid; whether its storage can be built depends on the
/// matrix.
class ScheduleHybrids final : public HybridSpace {
public:
    /// Errors (Fault::Input): an invalid schedule, or schedules of different operators.
    [[nodiscard]] static Result<std::shared_ptr<const ScheduleHybrids>> make(const SuperSchedule& from,
                                                                             const SuperSchedule& to);

    [[nodiscard]] const SuperSchedule& from_schedule() const { return from_; } ///< canonical
    /// Canonical, with the threads of from_schedule().
    [[nodiscard]] const SuperSchedule& to_schedule() const { return to_; }
    /// decisions(), in the same places.
    [[nodiscard]] const std::vector<ScheduleDecision>& schedule_decisions() const { return decisions_; }
    [[nodiscard]] HybridSchedule schedule_at(DecisionSet taken) const;

    [[nodiscard]] Hybrid at(DecisionSet taken) const override;
    [[nodiscard]] std::string value(std::size_t decision, const Configuration& configuration) const override;
    [[nodiscard]] std::string_view noun() const override { return "schedule"; }
    /// With the threads of from_schedule().
    [[nodiscard]] std::string text(const Configuration& configuration) const override;

private:
    ScheduleHybrids(const SuperSchedule& from, const SuperSchedule& to,
                    std::vector<ScheduleDecision> decisions);
    [[nodiscard]] const SuperSchedule& source_of(const ScheduleDecision& decision, DecisionSet taken) const;

    SuperSchedule from_;
    SuperSchedule to_;
    std::vector<ScheduleDecision> decisions_;
};

} // namespace sparsight

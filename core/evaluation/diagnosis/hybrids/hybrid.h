// Schedules between two schedules: each decision in which the two differ is taken from the one or the other.
#pragma once

#include "base/error.h"
#include "evaluation/diagnosis/hybrids/decision.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparsight {

/// Bit d: decision d is taken from the schedule `to`.
using DecisionSet = std::uint32_t;

struct Hybrid {
    SuperSchedule schedule; ///< valid and canonical, with the threads of `from`
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
class HybridSpace {
public:
    /// Errors (Fault::Input): an invalid schedule, or schedules of different operators.
    [[nodiscard]] static Result<HybridSpace> make(const SuperSchedule& from, const SuperSchedule& to);

    [[nodiscard]] const SuperSchedule& from() const { return from_; } ///< canonical
    [[nodiscard]] const SuperSchedule& to() const { return to_; } ///< canonical, with the threads of from()
    [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }
    [[nodiscard]] std::size_t size() const { return std::size_t{1} << decisions_.size(); } ///< 2^n
    [[nodiscard]] DecisionSet all() const { return static_cast<DecisionSet>(size() - 1); }

    /// No decision gives from(), all() gives to().
    [[nodiscard]] Hybrid at(DecisionSet taken) const;

private:
    HybridSpace(const SuperSchedule& from, const SuperSchedule& to);
    [[nodiscard]] const SuperSchedule& source_of(const Decision& decision, DecisionSet taken) const;

    SuperSchedule from_;
    SuperSchedule to_;
    std::vector<Decision> decisions_;
};

} // namespace sparsight

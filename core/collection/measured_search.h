// A search in the space of schedules whose objective is the measured time: what to measure next on a matrix,
// by what was measured there so far. It finds the best known schedules that models are held against, and
// pools of candidates that are better than random ones.
#pragma once

#include "base/random.h"
#include "schedule/hash.h"
#include "schedule/super_schedule.h"

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace sparsight {

/// An evolution strategy, one child at a time (a steady state: Whitley, "The GENITOR algorithm and selection
/// pressure", ICGA 1989), since a measurement can't be had in batches: mostly a neighbour of one of the
/// fastest so far, at times a mixture of two of them or a stranger. It begins around fixed CSR.
///
/// What comes next is a function of the arguments and of what is known, in its order, so that a search that
/// was stopped goes on as it would have gone on.
class MeasuredSearch {
public:
    MeasuredSearch(Operator op, const Extents& extents, int threads, Random random);

    /// A schedule that was measured, by this search or before it; no time: it failed or was given up.
    void know(const SuperSchedule& schedule, std::optional<double> median_ms);
    [[nodiscard]] std::size_t known_count() const { return known_.size(); }

    /// A schedule that is not known: valid, canonical, with the threads of the search; fixed CSR first.
    /// Absent when nothing new was to be found.
    [[nodiscard]] std::optional<SuperSchedule> next() const;

private:
    struct Parent {
        SuperSchedule schedule;
        double median_ms;
    };

    [[nodiscard]] SuperSchedule child(Random& random) const;
    [[nodiscard]] SuperSchedule stranger(Random& random) const;
    [[nodiscard]] const SuperSchedule& parent(Random& random) const;

    Operator op_;
    Extents extents_;
    int threads_;
    Random random_;
    std::unordered_set<SuperSchedule> known_; ///< canonical
    std::vector<Parent> parents_;             ///< the fastest, in their order
};

} // namespace sparsight

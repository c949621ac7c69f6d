// What a SuperSchedule decides, one decision at a time, and the decisions in which two schedules differ. The
// loop order is two decisions, which can be changed separately.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"
#include "study/configuration_space.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

/// The order of the loops that two schedules share, in two parts. Any pair of parts of two schedules over
/// the same loops is an order again, so each part is a decision of its own.
struct SharedOrder {
    LoopList levels; ///< loops over A's indices, outermost first
    LoopList dense;  ///< loops over dense indices, outermost first
    /// For each dense loop, how many of `levels` stand outside it.
    SmallArray<std::size_t, 2 * most_indices> outside_dense;

    [[nodiscard]] LoopList loops() const;
};

/// The order, in `schedule`, of the loops that `schedule` and `other` share.
[[nodiscard]] SharedOrder shared_order(const SuperSchedule& schedule, const SuperSchedule& other);

enum class DecisionKind : std::uint8_t {
    /// The split of an index. Where only one of two schedules has the inner loop, everything about that loop
    /// belongs to the split: its position and how its level is stored.
    Split,
    LevelOrder,   ///< of A's levels, which is that of the loops over them
    DenseLoops,   ///< at which depth the loops of dense indices stand among A's
    LevelFormat,  ///< of one level of A
    ParallelLoop, ///< which loop the threads share
    Chunk,        ///< how many of its iterations a thread takes at a time
};

/// The number of threads is not a decision, as for neighbours(): a machine runs all of its threads, whatever
/// a schedule says.
struct ScheduleDecision {
    DecisionKind kind{};
    /// Split: the outer loop of the index; LevelFormat: the loop over the level; otherwise i1.
    LoopIndex subject{};
    auto operator<=>(const ScheduleDecision&) const = default;
};

/// In files: "split_i", "format_k1", "level_order", "dense_loops", "parallel", "chunk".
[[nodiscard]] std::string key(const ScheduleDecision& decision);
/// For people: "split of i", "format of k1", "level order", "place of the dense loops", "parallel loop",
/// "chunk". The window translates these words.
[[nodiscard]] std::string name(const ScheduleDecision& decision);
/// How a schedule decides: "32", "not split", "compressed", "i1 k1 i0", "16".
[[nodiscard]] std::string value_of(const ScheduleDecision& decision, const SuperSchedule& schedule);

/// The same for what serves any domain.
[[nodiscard]] Decision decision_of(const ScheduleDecision& decision, Operator op);

/// The decisions in which two valid schedules of one operator differ, whatever their threads: none for
/// two that mean the same.
[[nodiscard]] std::vector<ScheduleDecision> differing_decisions(const SuperSchedule& one,
                                                                const SuperSchedule& other);

} // namespace sparsight

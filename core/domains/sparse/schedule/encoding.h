// A SuperSchedule as numbers for a cost model (WACO, ASPLOS 2023).
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <vector>

namespace sparsight {

/// Categories that embeddings look up, and the loop order as a permutation matrix. It is taken of the
/// canonical form, so schedules that mean the same have the same numbers. Splits and chunks that are no
/// powers of two share the category of the next smaller one. Threads are left out: they belong to the
/// machine, not to the schedule.
struct ScheduleEncoding {
    Operator op = Operator::SpMM;
    /// ⌊log2⌋ of each split, in the order of indices(op), one for each of them; below split_categories.
    std::vector<int> splits;
    /// By level_names(); 0 or 1 as in LevelFormat.
    SmallArray<int, 2 * most_order> formats;
    int parallel = 0; ///< place of the parallel loop among loop_names(op)
    int chunk = 0;    ///< ⌊log2⌋; below chunk_categories
    /// n × n, n = loop_count(op) (6, for SpMV 4), row-major: row = place of the loop among loop_names(op),
    /// column = its depth in the nest, 1 where the loop stands, 0 elsewhere.
    std::vector<float> order;

    bool operator==(const ScheduleEncoding&) const = default;
};

inline constexpr int split_categories = 31; ///< 2^0 … 2^30; WACO's own weights have 17
inline constexpr int chunk_categories = 21; ///< 2^0 … 2^20; WACO's own weights have 9, for SDDMM 6

/// Of a valid schedule.
[[nodiscard]] ScheduleEncoding encode(const SuperSchedule& schedule);

/// The canonical schedule that encodes so; exactly the encoded one, where its splits and chunk are powers of
/// two. An error where the numbers are no encoding: a category out of its range, an order that is no
/// permutation, a schedule that is not valid.
[[nodiscard]] Result<SuperSchedule> decode(const ScheduleEncoding& encoding, int threads);

} // namespace sparsight

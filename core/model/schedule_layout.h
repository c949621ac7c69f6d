// How the schedules of an operator become the input of a network: which embedding tables it has, and which
// row of each a schedule takes.
#pragma once

#include "schedule/operator.h"
#include "schedule/super_schedule.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

enum class ScheduleTables {
    /// WACO's: 17 categories for the splits of A's indices, 8 for the dense one, 9 for the chunk (SDDMM: 6);
    /// the parallel loop for SDDMM only. Larger splits and chunks take the last category.
    Waco,
    /// Every category of schedule/encoding.h and the parallel loop.
    Full,
};

struct ScheduleLayout {
    Operator op = Operator::SpMM;
    ScheduleTables tables = ScheduleTables::Waco;
    /// Whose tables they are. Another operator's of as many loops where a network was trained so: the
    /// third-party weights read SpMM schedules, place by place, with the network of SDDMM.
    Operator network = Operator::SpMM;

    bool operator==(const ScheduleLayout&) const = default;
};

[[nodiscard]] inline ScheduleLayout schedule_layout(Operator op, ScheduleTables tables) {
    return {op, tables, op};
}

struct CategoryTable {
    std::string name; ///< as in WACO's weights: "isplit", "formatk0", "paridx", "parchunk"
    int categories = 0;
};

/// A split for each of indices(op), four formats, the parallel loop if it is an input, the chunk.
[[nodiscard]] std::vector<CategoryTable> category_tables(const ScheduleLayout& layout);

struct ScheduleBatch {
    std::size_t count = 0;
    std::vector<std::int64_t> categories; ///< [count, category_tables(layout).size()]
    std::vector<float> orders;            ///< [count, loop_count²]: the matrices of ScheduleEncoding::order
};

/// The schedules are valid ones of layout.op. Those that mean the same have the same numbers, which WACO's
/// own encoding does not see to: its published weights lose up to 0.01 of their ordered pair accuracy by it
/// (SDDMM; 0.003 for SpMM, nothing for SpMV).
[[nodiscard]] ScheduleBatch encode_batch(const ScheduleLayout& layout,
                                         std::span<const SuperSchedule> schedules);

} // namespace sparsight

#include "evaluation/diagnosis/pattern_change.h"

#include "evaluation/diagnosis/simulated_evaluator.h"

#include <algorithm>
#include <array>

namespace sparsight {

namespace {

constexpr std::array strengths{0.05, 0.1, 0.2, 0.4, 0.7, 1.0};
/// What is larger nobody would call a block, and nobody would fill up.
constexpr std::int64_t largest_block = 4096;

/// Absent where `to` does not win on the pattern.
Result<std::optional<PatternChange>> try_on(const CsrPattern& pattern, const MachineParameters& machine,
                                            std::int64_t dense, const SuperSchedule& from,
                                            const SuperSchedule& to) {
    const ProfiledPattern profiled(pattern);
    SimulatedEvaluator evaluator(profiled, dense, machine);
    const auto from_time = evaluator.time(canonical(from));
    const auto to_time = evaluator.time(canonical(to));
    if (!from_time || !to_time)
        return std::unexpected((from_time ? to_time : from_time).error());
    if (!from_time->milliseconds || !to_time->milliseconds ||
        *to_time->milliseconds >= *from_time->milliseconds)
        return std::nullopt;
    PatternChange change;
    change.entries = pattern.nnz();
    change.from_ms = *from_time->milliseconds;
    change.to_ms = *to_time->milliseconds;
    return change;
}

/// What loses more than half of its entries, or all that made it more than a diagonal, is another matrix:
/// that a schedule wins there says nothing about this one.
constexpr double least_kept_entries = 0.5;

bool leaves_nothing(PatternEdit edit, double strength) {
    return strength >= 1 && (edit == PatternEdit::EmptierBlocks || edit == PatternEdit::NarrowerBand);
}

bool is_of_blocks(PatternEdit edit) {
    return edit == PatternEdit::EmptierBlocks || edit == PatternEdit::FullerBlocks;
}

} // namespace

Result<std::vector<PatternChange>> pattern_changes(const CsrPattern& pattern,
                                                   const MachineParameters& machine, std::int64_t dense,
                                                   const SuperSchedule& from, const SuperSchedule& to,
                                                   const std::stop_token& stop) {
    const BlockShape blocks{to.split(row_index(to.op)), to.split(column_index(to.op))};
    const bool has_blocks =
        (blocks.rows > 1 || blocks.columns > 1) && blocks.rows <= largest_block / blocks.columns;
    std::vector<PatternChange> changes;
    for (const PatternEdit edit : all_pattern_edits) {
        if (is_of_blocks(edit) && !has_blocks)
            continue;
        for (const double strength : strengths) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            if ((!is_gradual(edit) && strength < 1) || leaves_nothing(edit, strength))
                continue;
            const auto changed = edited(pattern, edit, strength, blocks, stop);
            if (!changed && changed.error().fault == Fault::Limit)
                break; // more strength makes it larger still
            if (!changed)
                return std::unexpected(changed.error());
            if (static_cast<double>(changed->nnz()) < least_kept_entries * static_cast<double>(pattern.nnz()))
                break;
            const auto tried = try_on(*changed, machine, dense, from, to);
            if (!tried)
                return std::unexpected(tried.error());
            if (!*tried)
                continue;
            PatternChange& change = changes.emplace_back(**tried);
            change.edit = edit;
            change.strength = strength;
            change.blocks = blocks;
            break;
        }
    }
    std::ranges::stable_sort(changes, {}, &PatternChange::strength);
    return changes;
}

} // namespace sparsight

#include "domains/sparse/explanation/pattern/pattern_change.h"

#include "collection/measuring_domain.h"
#include "domains/sparse/explanation/measured_clock.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <span>

namespace sparsight {

namespace {

/// A larger area would not be called a block, and no format would fill it up.
constexpr std::int64_t largest_block = 4096;
/// What loses more than half of its entries, or all that made it more than a diagonal, is another matrix:
/// that a schedule wins there says nothing about this one.
constexpr double least_kept_entries = 0.5;

bool leaves_nothing(PatternEdit edit, double strength) {
    return strength >= 1 && (edit == PatternEdit::EmptierBlocks || edit == PatternEdit::NarrowerBand ||
                             edit == PatternEdit::ScatteredEntries);
}

/// Those of the schedule whose failure it is first.
std::vector<BlockShape> block_shapes(const SuperSchedule& from, const SuperSchedule& to) {
    std::vector<BlockShape> shapes;
    for (const SuperSchedule* schedule : {&to, &from}) {
        const BlockShape shape{schedule->split(row_index(schedule->op)),
                               schedule->split(column_index(schedule->op))};
        const bool is_block = (shape.rows > 1 || shape.columns > 1) && shape.rows <= largest_block &&
                              shape.columns <= largest_block / shape.rows;
        if (is_block && std::ranges::find(shapes, shape) == shapes.end())
            shapes.push_back(shape);
    }
    return shapes;
}

class PatternTrials {
public:
    PatternTrials(const CsrPattern& pattern, const MachineParameters& machine, std::int64_t dense,
                  const SuperSchedule& from, const SuperSchedule& to, const std::stop_token& stop)
        : pattern_(pattern)
        , machine_(machine)
        , dense_(dense)
        , from_(configuration_of(from))
        , to_(configuration_of(to))
        , stop_(stop) {}

    Result<void> try_edit(PatternEdit edit, BlockShape blocks) {
        std::optional<PatternChange> nearest;
        for (const double strength : strengths(edit)) {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            if (leaves_nothing(edit, strength))
                continue;
            const auto changed = edited(pattern_, edit, strength, blocks, stop_);
            if (!changed && changed.error().fault == Fault::Limit)
                break; // more strength makes it larger still
            if (!changed)
                return std::unexpected(changed.error());
            if (static_cast<double>(changed->nnz()) <
                least_kept_entries * static_cast<double>(pattern_.nnz()))
                break;
            PatternChange change{.edit = edit, .strength = strength, .blocks = blocks};
            const auto has_times = simulate_on(*changed, change);
            if (!has_times)
                return std::unexpected(has_times.error());
            if (!*has_times)
                continue;
            if (is_faster_simulated(change.to_ms, change.from_ms)) {
                found_.winning.push_back(change);
                return {};
            }
            if (!nearest || change.ratio() < nearest->ratio())
                nearest = change;
        }
        if (nearest)
            found_.losing.push_back(*nearest);
        return {};
    }

    PatternSearch take() {
        std::ranges::stable_sort(found_.winning, {}, &PatternChange::strength);
        std::ranges::stable_sort(found_.losing, {}, &PatternChange::ratio);
        return std::move(found_);
    }

private:
    /// False where one of both can't be built.
    Result<bool> simulate_on(const CsrPattern& changed, PatternChange& change) const {
        const ProfiledPattern profiled(changed);
        SimulatedClock clock(profiled, dense_, machine_);
        const auto from_time = clock.time(from_);
        const auto to_time = clock.time(to_);
        if (!from_time || !to_time)
            return std::unexpected((from_time ? to_time : from_time).error());
        if (!from_time->milliseconds || !to_time->milliseconds)
            return false;
        change.entries = changed.nnz();
        change.from_ms = *from_time->milliseconds;
        change.to_ms = *to_time->milliseconds;
        return true;
    }

    const CsrPattern& pattern_;
    const MachineParameters& machine_;
    std::int64_t dense_;
    Configuration from_;
    Configuration to_;
    const std::stop_token& stop_;
    PatternSearch found_;
};

} // namespace

Result<PatternSearch> pattern_changes(const CsrPattern& pattern, const MachineParameters& machine,
                                      std::int64_t dense, const SuperSchedule& from, const SuperSchedule& to,
                                      const std::stop_token& stop) {
    PatternTrials trials(pattern, machine, dense, from, to, stop);
    const std::vector<BlockShape> shapes = block_shapes(from, to);
    for (const PatternEdit edit : all_pattern_edits) {
        if (edit == PatternEdit::BandedOrder && pattern.rows != pattern.cols)
            continue;
        for (const BlockShape blocks : is_of_blocks(edit) ? shapes : std::vector{BlockShape{}})
            if (auto tried = trials.try_edit(edit, blocks); !tried)
                return std::unexpected(std::move(tried.error()));
    }
    return trials.take();
}

Result<void> verify_pattern_changes(PatternSearch& search, const CsrPattern& pattern,
                                    const SuperSchedule& from, const SuperSchedule& to,
                                    KernelCompiler& compiler, Team& team,
                                    const PatternVerification& options) {
    const Configuration against = configuration_of(from);
    const Configuration candidate = configuration_of(to);
    const std::span<PatternChange> changes(search.winning);
    for (PatternChange& change : changes.first(std::min(changes.size(), options.most))) {
        if (options.is_over())
            break;
        auto changed = edited(pattern, change.edit, change.strength, change.blocks, options.stop);
        if (!changed)
            return std::unexpected(std::move(changed.error()));
        auto workload =
            KernelInputs::make(std::move(*changed), to.op, options.dense, team.size(), operand_limit());
        if (!workload && workload.error().fault == Fault::Limit)
            continue; // its operands do not fit: simulated it stays
        if (!workload)
            return std::unexpected(std::move(workload.error()));
        MeasuredClock clock(*workload, compiler, team, std::nullopt, options.stop);
        // As a change of the schedule: of several some win by luck, but hardly twice.
        for (int round = 0; round < 2 && (round == 0 || (change.lead && change.lead->wins)); ++round) {
            const auto leads =
                verify_in_turns(clock, against, std::span(&candidate, 1),
                                {.is_over = options.is_over, .tell = options.tell, .stop = options.stop});
            if (!leads)
                return std::unexpected(leads.error());
            change.lead = leads->front();
        }
        if (change.lead && change.lead->wins)
            break;
    }
    return {};
}

} // namespace sparsight

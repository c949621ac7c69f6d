#include "domains/sparse/schedule/schedule_hybrids.h"

#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace sparsight {

namespace {

/// Puts the loops that `source` has, that the hybrid has too, and that `loops` lacks, where `source` has
/// them. True where one had to be moved.
bool insert_loops(const SuperSchedule& hybrid, const SuperSchedule& source, std::vector<LoopIndex>& loops) {
    bool is_moved = false;
    auto after = loops.begin(); // where the next loop goes, behind all that stand before it in the source
    for (const LoopIndex loop : existing_loops(source)) {
        if (!hybrid.has(loop))
            continue;
        if (const auto found = std::ranges::find(loops, loop); found != loops.end()) {
            after = found + 1;
            continue;
        }
        const auto outer = std::ranges::find(loops, LoopIndex{loop.index, Part::Outer});
        if (outer >= after) {
            after = outer + 1;
            is_moved = true;
        }
        after = loops.insert(after, loop) + 1;
    }
    return is_moved;
}

std::vector<Decision> decisions_of(const std::vector<ScheduleDecision>& differing, Operator op) {
    std::vector<Decision> decisions;
    std::ranges::transform(differing, std::back_inserter(decisions),
                           [op](const ScheduleDecision& each) { return decision_of(each, op); });
    return decisions;
}

} // namespace

ScheduleHybrids::ScheduleHybrids(const SuperSchedule& from, const SuperSchedule& to,
                                 std::vector<ScheduleDecision> decisions)
    : HybridSpace(configuration_of(from), configuration_of(to), decisions_of(decisions, from.op))
    , from_(from)
    , to_(to)
    , decisions_(std::move(decisions)) {}

Result<std::shared_ptr<const ScheduleHybrids>> ScheduleHybrids::make(const SuperSchedule& from,
                                                                     const SuperSchedule& to) {
    if (from.op != to.op)
        return fail(Fault::Input, fmt::format("one schedule is of {}, the other of {}: expected two of one "
                                              "operator",
                                              sparsight::name(from.op), sparsight::name(to.op)));
    for (const SuperSchedule& schedule : {from, to})
        if (auto valid = check(schedule); !valid)
            return std::unexpected(std::move(valid.error()));
    const SuperSchedule first = canonical(from);
    SuperSchedule second = canonical(to);
    second.threads = first.threads;
    std::vector<ScheduleDecision> decisions = differing_decisions(first, second);
    if (auto few = check_count(decisions.size()); !few)
        return std::unexpected(std::move(few.error()));
    return std::shared_ptr<const ScheduleHybrids>(new ScheduleHybrids(first, second, std::move(decisions)));
}

const SuperSchedule& ScheduleHybrids::source_of(const ScheduleDecision& decision, DecisionSet taken) const {
    const auto found = std::ranges::find(decisions_, decision);
    const auto place = found - decisions_.begin();
    return found != decisions_.end() && (taken >> place & 1U) != 0 ? to_ : from_;
}

HybridSchedule ScheduleHybrids::schedule_at(DecisionSet taken) const {
    HybridSchedule hybrid{from_};
    SuperSchedule& schedule = hybrid.schedule;
    const auto source = [&](DecisionKind kind, LoopIndex subject = {Index::I, Part::Outer}) -> const auto& {
        return source_of({kind, subject}, taken);
    };
    for (const Index index : indices(from_.op))
        schedule.splits[static_cast<std::size_t>(index)] =
            source(DecisionKind::Split, {index, Part::Outer}).split(index);
    schedule.parallel = source(DecisionKind::ParallelLoop).parallel;
    schedule.chunk = source(DecisionKind::Chunk).chunk;

    std::size_t level = 0;
    for (const LoopIndex loop : loop_names(from_.op)) {
        if (!is_sparse_index(from_.op, loop.index))
            continue;
        const bool is_shared = from_.has(loop) && to_.has(loop);
        const SuperSchedule& format_source =
            is_shared ? source(DecisionKind::LevelFormat, loop) : (from_.has(loop) ? from_ : to_);
        schedule.formats[level++] = format_source.format(loop);
    }

    const SuperSchedule& dense_source = source(DecisionKind::DenseLoops);
    const SuperSchedule& dense_other = &dense_source == &from_ ? to_ : from_;
    const SuperSchedule& level_source = source(DecisionKind::LevelOrder);
    const SuperSchedule& level_other = &level_source == &from_ ? to_ : from_;
    SharedOrder order = shared_order(dense_source, dense_other);
    order.levels = shared_order(level_source, level_other).levels;
    std::vector<LoopIndex> loops = order.loops();
    const bool moved_first = insert_loops(schedule, from_, loops);
    const bool moved_then = insert_loops(schedule, to_, loops);
    hybrid.is_repaired = moved_first || moved_then;
    set_existing_loops(schedule, loops);
    schedule = canonical(schedule);
    return hybrid;
}

Hybrid ScheduleHybrids::at(DecisionSet taken) const {
    const HybridSchedule hybrid = schedule_at(taken);
    return {configuration_of(hybrid.schedule), hybrid.is_repaired};
}

std::string ScheduleHybrids::value(std::size_t decision, const Configuration& configuration) const {
    return value_of(decisions_[decision], schedule_of(configuration, from_.threads));
}

std::string ScheduleHybrids::text(const Configuration& configuration) const {
    return to_text(schedule_of(configuration, from_.threads));
}

} // namespace sparsight

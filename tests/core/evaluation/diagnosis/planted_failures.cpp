#include "core/evaluation/diagnosis/planted_failures.h"

#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace sparsight::testing {

namespace {

constexpr int everything = 1 << 20; ///< more rows than the matrices here have

/// The schedule in which a failure is planted, in the form of each operator; T stands for the threads.
std::string good_line(Plant plant, Operator op) {
    const bool spmv = op == Operator::SpMV;
    const bool sddmm = op == Operator::SDDMM;
    switch (plant) {
    case Plant::ExplodingLevel: // blocks of 32 columns, compressed inside
        return spmv    ? "1 32 i1 i0 k1 k0 1 1 0 0 i1 1 16"
               : sddmm ? "1 32 1 i1 i0 j1 j0 k1 k0 1 1 0 0 i1 1 16"
                       : "1 32 1 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 1 16";
    case Plant::FarFromBlockSize: // blocks of 2 columns, dense inside
        return spmv    ? "1 2 i1 i0 k1 k0 1 1 0 1 i1 1 16"
               : sddmm ? "1 2 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 1 16"
                       : "1 2 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 1 16";
    case Plant::SerialisingChunk:
    case Plant::DiscontiguousLoop:
        return to_text(fixed_csr(op, 1));
    }
    return {};
}

std::size_t place_of(Operator op, Index index, Part part) {
    return (index == row_index(op) ? 0U : 2U) + (part == Part::Inner ? 1U : 0U);
}

void swap_loops(SuperSchedule& schedule, Index one, Index other) {
    for (const Part part : {Part::Outer, Part::Inner})
        std::iter_swap(std::ranges::find(schedule.order, LoopIndex{one, part}),
                       std::ranges::find(schedule.order, LoopIndex{other, part}));
}

std::optional<ScheduleDecision> spoil(Plant plant, SuperSchedule& schedule) {
    const Index column = column_index(schedule.op);
    switch (plant) {
    case Plant::ExplodingLevel:
        schedule.formats[place_of(schedule.op, column, Part::Inner)] = LevelFormat::Uncompressed;
        return ScheduleDecision{DecisionKind::LevelFormat, {column, Part::Inner}};
    case Plant::SerialisingChunk:
        schedule.chunk = everything;
        return ScheduleDecision{DecisionKind::Chunk, {Index::I, Part::Outer}};
    case Plant::DiscontiguousLoop:
        if (!dense_index(schedule.op))
            return std::nullopt;
        swap_loops(schedule, *dense_index(schedule.op), column);
        return ScheduleDecision{DecisionKind::DenseLoops, {Index::I, Part::Outer}};
    case Plant::FarFromBlockSize:
        schedule.splits[static_cast<std::size_t>(column)] = 64;
        return ScheduleDecision{DecisionKind::Split, {column, Part::Outer}};
    }
    return std::nullopt;
}

using Change = std::function<void(SuperSchedule&)>;

/// Changes of one decision each that mostly do little, in random order; never of the planted one.
std::vector<Change> small_changes(const SuperSchedule& good, Plant plant, Random& random) {
    std::vector<Change> changes;
    const int rows_split = 2 << random.below(3);
    changes.emplace_back([rows_split](SuperSchedule& each) { each.splits[0] = rows_split; });
    changes.emplace_back([](SuperSchedule& each) { each.formats[0] = LevelFormat::Compressed; });
    if (plant != Plant::SerialisingChunk) {
        const int chunk = good.chunk << random.below(2) >> random.below(2);
        changes.emplace_back([chunk](SuperSchedule& each) { each.chunk = std::max(2, chunk / 2); });
    }
    if (const auto dense = dense_index(good.op)) {
        const std::int64_t split = std::int64_t{32} << random.below(3);
        changes.emplace_back(
            [dense, split](SuperSchedule& each) { each.splits[static_cast<std::size_t>(*dense)] = split; });
    }
    if (const Index column = column_index(good.op); !good.is_split(column)) {
        // One block that holds all columns.
        changes.emplace_back([column](SuperSchedule& each) {
            each.splits[static_cast<std::size_t>(column)] = everything;
            each.formats[place_of(each.op, column, Part::Inner)] = LevelFormat::Compressed;
            each.formats[place_of(each.op, column, Part::Outer)] = LevelFormat::Compressed;
        });
    }
    random.shuffle(changes);
    return changes;
}

bool is_harmless(const ClockTime& time, const ClockTime& before) {
    return time.milliseconds &&
           std::abs(std::log(*time.milliseconds / *before.milliseconds)) < std::log(harmless_factor);
}

} // namespace

std::string_view name(Plant plant) {
    switch (plant) {
    case Plant::ExplodingLevel:
        return "exploding level";
    case Plant::SerialisingChunk:
        return "serialising chunk";
    case Plant::DiscontiguousLoop:
        return "discontiguous loop";
    case Plant::FarFromBlockSize:
        return "far from the block size";
    }
    return {};
}

Result<std::optional<PlantedFailure>> plant_failure(Plant plant, Operator op, const CsrPattern& pattern,
                                                    int threads, Clock& evaluator, Random& random) {
    PlantedFailure failure{
        .plant = plant, .planted = {}, .good = *parse_schedule(op, good_line(plant, op)), .bad = {}};
    failure.good.threads = threads;
    failure.good = canonical(failure.good);
    if (pattern.rows > everything || pattern.cols > everything)
        return std::nullopt;
    const auto good = evaluator.time(configuration_of(failure.good));
    if (!good)
        return std::unexpected(good.error());
    if (!good->milliseconds)
        return std::nullopt;

    SuperSchedule changed = failure.good;
    ClockTime without = *good;
    for (const Change& change : small_changes(failure.good, plant, random)) {
        SuperSchedule alone = failure.good;
        SuperSchedule together = changed;
        change(alone);
        change(together);
        const auto alone_time = evaluator.time(configuration_of(alone));
        const auto together_time = evaluator.time(configuration_of(together));
        if (!alone_time || !together_time)
            return std::unexpected((alone_time ? together_time : alone_time).error());
        if (!is_harmless(*alone_time, *good) || !is_harmless(*together_time, *good))
            continue;
        changed = together;
        without = *together_time;
    }
    failure.harmless = differing_decisions(canonical(failure.good), canonical(changed)).size();
    failure.bad = changed;
    const auto planted = spoil(plant, failure.bad);
    if (!planted || failure.harmless < 2)
        return std::nullopt;
    failure.planted = *planted;
    failure.bad = canonical(failure.bad);
    const auto bad = evaluator.time(configuration_of(failure.bad));
    if (!bad)
        return std::unexpected(bad.error());
    if (!bad->milliseconds || *bad->milliseconds < failure_factor * *without.milliseconds)
        return std::nullopt;
    failure.slower = *bad->milliseconds / *without.milliseconds;
    return failure;
}

} // namespace sparsight::testing

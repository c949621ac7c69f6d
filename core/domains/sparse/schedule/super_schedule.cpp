#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {

std::string name(LoopIndex loop) {
    return {letter(loop.index), loop.part == Part::Outer ? '1' : '0'};
}

std::span<const LoopIndex> SuperSchedule::loops() const {
    return std::span(order).first(loop_count(op));
}

LevelFormat SuperSchedule::format(LoopIndex loop) const {
    const std::size_t side = loop.index == row_index(op) ? 0 : 2;
    return formats[side + (loop.part == Part::Inner ? 1 : 0)];
}

SuperSchedule canonical(SuperSchedule schedule) {
    const auto begin = schedule.order.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(loop_count(schedule.op));
    std::fill(end, schedule.order.end(), LoopIndex{});
    for (const Index index : indices(schedule.op)) {
        if (schedule.is_split(index))
            continue;
        const LoopIndex outer_loop{index, Part::Outer};
        const LoopIndex inner_loop{index, Part::Inner};
        const auto rest = std::remove(begin, end, inner_loop);
        std::fill(rest, end, inner_loop);
        const auto outer = std::find(begin, rest, outer_loop);
        if (rest != end && outer != rest)
            std::rotate(outer + 1, rest, end);
        if (is_sparse_index(schedule.op, index))
            schedule.formats[index == row_index(schedule.op) ? 1 : 3] = LevelFormat::Uncompressed;
    }
    return schedule;
}

SuperSchedule fixed_csr(Operator op, int threads) {
    SuperSchedule schedule;
    schedule.op = op;
    std::size_t depth = 0;
    const auto append = [&](Index index) {
        schedule.order[depth++] = {index, Part::Outer};
        schedule.order[depth++] = {index, Part::Inner};
    };
    append(row_index(op));
    append(column_index(op));
    if (const auto index = dense_index(op))
        append(*index);
    schedule.formats = {LevelFormat::Uncompressed, LevelFormat::Uncompressed, LevelFormat::Compressed,
                        LevelFormat::Uncompressed};
    schedule.parallel = {row_index(op), Part::Outer};
    schedule.threads = threads;
    schedule.chunk = 32;
    return schedule;
}

bool is_fixed_csr(const SuperSchedule& schedule) {
    return canonical(schedule) == canonical(fixed_csr(schedule.op, schedule.threads));
}

std::vector<LoopIndex> existing_loops(const SuperSchedule& schedule) {
    std::vector<LoopIndex> loops;
    std::ranges::copy_if(schedule.loops(), std::back_inserter(loops),
                         [&](LoopIndex loop) { return schedule.has(loop); });
    return loops;
}

void set_existing_loops(SuperSchedule& schedule, std::span<const LoopIndex> loops) {
    schedule.order = {};
    std::size_t depth = 0;
    for (const LoopIndex loop : loops) {
        schedule.order[depth++] = loop;
        if (const LoopIndex inner{loop.index, Part::Inner}; !schedule.has(inner))
            schedule.order[depth++] = inner;
    }
}

namespace {

std::vector<std::string> names(std::span<const LoopIndex> loops) {
    std::vector<std::string> result;
    for (const LoopIndex loop : loops)
        result.push_back(name(loop));
    return result;
}

Result<void> check_splits(const SuperSchedule& schedule) {
    for (const Index index : {Index::I, Index::J, Index::K}) {
        const std::int64_t split = schedule.split(index);
        if (std::ranges::find(indices(schedule.op), index) == indices(schedule.op).end()) {
            if (split != 1)
                return fail(Fault::Input, fmt::format("{} has no index {}, but its split is {} instead of 1",
                                                      name(schedule.op), letter(index), split));
        } else if (split < 1 || split > maximum_split) {
            return fail(Fault::Input, fmt::format("the split of {} is {}, expected 1 to {}", letter(index),
                                                  split, maximum_split));
        }
    }
    return {};
}

Result<void> check_order(const SuperSchedule& schedule) {
    const std::span<const LoopIndex> order = schedule.loops();
    const std::vector<LoopIndex> expected = loop_names(schedule.op);
    for (const LoopIndex loop : order) {
        if (std::ranges::find(expected, loop) == expected.end())
            return fail(Fault::Input,
                        fmt::format("the loop order names {}, which {} does not have; expected each of "
                                    "{} once",
                                    name(loop), name(schedule.op), fmt::join(names(expected), " ")));
        if (std::ranges::count(order, loop) > 1)
            return fail(Fault::Input,
                        fmt::format("the loop order names {} more than once; expected each of {} once",
                                    name(loop), fmt::join(names(expected), " ")));
    }
    for (const Index index : indices(schedule.op)) {
        const LoopIndex outer{index, Part::Outer};
        const LoopIndex inner{index, Part::Inner};
        if (schedule.has(inner) && std::ranges::find(order, inner) < std::ranges::find(order, outer))
            return fail(
                Fault::Input,
                fmt::format("{} stands before {}: the inner part of a split index must run inside its outer "
                            "part",
                            name(inner), name(outer)));
    }
    return {};
}

Result<void> check_parallelism(const SuperSchedule& schedule) {
    const std::vector<LoopIndex> allowed = parallel_loops(schedule.op);
    if (std::ranges::find(allowed, schedule.parallel) == allowed.end())
        return fail(Fault::Input,
                    fmt::format("{} cannot run in parallel over {}, expected {}", name(schedule.op),
                                name(schedule.parallel), fmt::join(names(allowed), " or ")));
    if (schedule.threads < 1 || schedule.threads > maximum_threads)
        return fail(Fault::Input, fmt::format("the number of threads is {}, expected 1 to {}",
                                              schedule.threads, maximum_threads));
    if (schedule.chunk < 1 || schedule.chunk > maximum_chunk)
        return fail(Fault::Input,
                    fmt::format("the chunk is {}, expected 1 to {}", schedule.chunk, maximum_chunk));
    return {};
}

} // namespace

std::vector<LoopIndex> loop_names(Operator op) {
    std::vector<LoopIndex> result;
    for (const Index index : indices(op)) {
        result.push_back({index, Part::Outer});
        result.push_back({index, Part::Inner});
    }
    return result;
}

std::vector<LoopIndex> parallel_loops(Operator op) {
    if (op == Operator::SDDMM)
        return {{Index::I, Part::Outer}, {Index::J, Part::Outer}};
    return {{Index::I, Part::Outer}};
}

Result<void> check(const SuperSchedule& schedule) {
    for (const auto part : {check_splits, check_order, check_parallelism})
        if (auto result = part(schedule); !result)
            return result;
    return {};
}

namespace {

/// The finaliser of splitmix64 (Steele, Lea and Flood 2014) over a running value.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash += value + 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 31U);
}

std::uint64_t bits(LoopIndex loop) {
    return static_cast<std::uint64_t>(loop.index) * 2 + static_cast<std::uint64_t>(loop.part);
}

} // namespace

std::uint64_t hash_value(const SuperSchedule& schedule) {
    std::uint64_t small = static_cast<std::uint64_t>(schedule.op);
    for (const LoopIndex loop : schedule.order)
        small = small * 8 + bits(loop);
    for (const LevelFormat format : schedule.formats)
        small = small * 2 + static_cast<std::uint64_t>(format);
    small = small * 8 + bits(schedule.parallel);
    std::uint64_t hash = mix(0, small);
    for (const std::int64_t split : schedule.splits)
        hash = mix(hash, static_cast<std::uint64_t>(split));
    hash = mix(hash, static_cast<std::uint64_t>(schedule.threads));
    return mix(hash, static_cast<std::uint64_t>(schedule.chunk));
}

SuperSchedule canonical_without_threads(SuperSchedule schedule) {
    schedule.threads = 1;
    return canonical(std::move(schedule));
}

namespace {

constexpr double whole_decision = 4; // powers of two
constexpr double most_of_order = 2;  // pairs: one loop that moves swaps with several others

double factor_apart(double one, double other) {
    return std::min(1.0, std::abs(std::log2(one / other)) / whole_decision);
}

double order_apart(const SuperSchedule& one, const SuperSchedule& other) {
    std::vector<LoopIndex> shared;
    for (const LoopIndex loop : one.loops())
        if (one.has(loop) && other.has(loop))
            shared.push_back(loop);
    const auto loops = other.loops();
    std::size_t swapped = 0;
    for (std::size_t outer = 0; outer < shared.size(); ++outer)
        for (std::size_t inner = outer + 1; inner < shared.size(); ++inner)
            swapped +=
                std::ranges::find(loops, shared[outer]) > std::ranges::find(loops, shared[inner]) ? 1 : 0;
    return std::min(most_of_order, static_cast<double>(swapped));
}

} // namespace

double decision_distance(const SuperSchedule& one, const SuperSchedule& other) {
    double distance = order_apart(one, other);
    for (std::size_t index = 0; index < one.splits.size(); ++index)
        distance +=
            factor_apart(static_cast<double>(one.splits[index]), static_cast<double>(other.splits[index]));
    for (std::size_t level = 0; level < one.formats.size(); ++level)
        distance += one.formats[level] == other.formats[level] ? 0 : 1;
    distance += one.parallel == other.parallel ? 0 : 1;
    return distance + factor_apart(one.chunk, other.chunk);
}

} // namespace sparsight

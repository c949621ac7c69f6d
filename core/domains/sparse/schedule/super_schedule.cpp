#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

namespace sparsight {

std::string name(LoopIndex loop) {
    return {letter(loop.index), loop.part == Part::Outer ? '1' : '0'};
}

SuperSchedule canonical(SuperSchedule schedule) {
    LoopList& order = schedule.order;
    if (order.size() > loop_count(schedule.op))
        order.truncate(loop_count(schedule.op));
    for (const Index index : indices(schedule.op)) {
        if (schedule.is_split(index))
            continue;
        const LoopIndex outer_loop{index, Part::Outer};
        const LoopIndex inner_loop{index, Part::Inner};
        const auto rest = std::remove(order.begin(), order.end(), inner_loop);
        std::fill(rest, order.end(), inner_loop);
        const auto outer = std::find(order.begin(), rest, outer_loop);
        if (rest != order.end() && outer != rest)
            std::rotate(outer + 1, rest, order.end());
        if (is_sparse_index(schedule.op, index))
            schedule.format(inner_loop) = LevelFormat::Uncompressed;
    }
    return schedule;
}

SuperSchedule fixed_csr(Operator op, int threads) {
    SuperSchedule schedule(op);
    for (const LoopIndex level : level_names(op))
        if (level.part == Part::Inner || level.index == row_index(op))
            schedule.format(level) = LevelFormat::Uncompressed;
    schedule.parallel = {row_index(op), Part::Outer};
    schedule.threads = threads;
    schedule.chunk = 32;
    return schedule;
}

bool is_fixed_csr(const SuperSchedule& schedule) {
    return canonical(schedule) == canonical(fixed_csr(schedule.op, schedule.threads));
}

namespace {

template <typename Wanted>
LoopList loops_where(const SuperSchedule& schedule, Wanted wanted) {
    LoopList loops;
    for (const LoopIndex loop : schedule.loops())
        if (schedule.has(loop) && wanted(loop))
            loops.push_back(loop);
    return loops;
}

} // namespace

LoopList existing_loops(const SuperSchedule& schedule) {
    return loops_where(schedule, [](LoopIndex) { return true; });
}

LoopList existing_levels(const SuperSchedule& schedule) {
    return loops_where(schedule, [&](LoopIndex loop) { return is_sparse_index(schedule.op, loop.index); });
}

void set_existing_loops(SuperSchedule& schedule, std::span<const LoopIndex> loops) {
    schedule.order = {};
    for (const LoopIndex loop : loops) {
        schedule.order.push_back(loop);
        if (const LoopIndex inner{loop.index, Part::Inner}; !schedule.has(inner))
            schedule.order.push_back(inner);
    }
}

namespace {

std::vector<std::string> names(std::span<const LoopIndex> loops) {
    std::vector<std::string> result;
    for (const LoopIndex loop : loops)
        result.push_back(name(loop));
    return result;
}

Result<void> check_lengths(const SuperSchedule& schedule) {
    const SuperSchedule expected(schedule.op);
    const std::size_t splits = expected.splits.size();
    const std::size_t loops = expected.order.size();
    const std::size_t levels = expected.formats.size();
    if (schedule.splits.size() == splits && schedule.order.size() == loops &&
        schedule.formats.size() == levels)
        return {};
    return fail(Fault::Input,
                fmt::format("the schedule has {} splits, {} loops and {} level formats, where {} has {}, {} "
                            "and {}",
                            schedule.splits.size(), schedule.order.size(), schedule.formats.size(),
                            name(schedule.op), splits, loops, levels));
}

Result<void> check_splits(const SuperSchedule& schedule) {
    for (std::size_t place = 0; place < schedule.splits.size(); ++place) {
        const auto index = static_cast<Index>(place);
        const std::int64_t split = schedule.splits[place];
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
    const LoopList& order = schedule.order;
    const LoopList& expected = loop_names(schedule.op);
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
    const LoopList& allowed = parallel_loops(schedule.op);
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

Result<void> check(const SuperSchedule& schedule) {
    for (const auto part : {check_lengths, check_splits, check_order, check_parallelism})
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
    const std::size_t places = 2 * schedule.splits.size(); // of loops, also those that the operator lacks
    const auto width = static_cast<std::size_t>(std::bit_width(places - 1));
    std::uint64_t small = static_cast<std::uint64_t>(schedule.op);
    for (const LoopIndex loop : schedule.order)
        small = (small << width) + bits(loop);
    small <<= width * (places - schedule.order.size());
    for (const LevelFormat format : schedule.formats)
        small = small * 2 + static_cast<std::uint64_t>(format);
    small = (small << width) + bits(schedule.parallel);
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
    return one == other ? 0 : std::min(1.0, std::abs(std::log2(one / other)) / whole_decision);
}

double order_apart(const SuperSchedule& one, const SuperSchedule& other) {
    LoopList shared;
    for (const LoopIndex loop : one.loops())
        if (one.has(loop) && other.has(loop))
            shared.push_back(loop);
    std::array<std::size_t, 2 * most_indices> depths{}; // in the other schedule
    for (std::size_t depth = 0; depth < other.order.size(); ++depth)
        depths[bits(other.order[depth])] = depth;
    std::size_t swapped = 0;
    for (std::size_t outer = 0; outer < shared.size(); ++outer)
        for (std::size_t inner = outer + 1; inner < shared.size(); ++inner)
            swapped += depths[bits(shared[outer])] > depths[bits(shared[inner])] ? 1 : 0;
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

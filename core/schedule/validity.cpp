#include "schedule/validity.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {
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

} // namespace sparsight

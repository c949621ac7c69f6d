#include "schedule/existing_loops.h"

#include <algorithm>

namespace sparsight {

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

} // namespace sparsight

#include "schedule/hash.h"
#include "schedule/neighbours.h"
#include "schedule/sampler.h"

#include <algorithm>
#include <unordered_set>

namespace sparsight {

std::vector<SuperSchedule> sample_near(const SuperSchedule& start, const Extents& extents, int count,
                                       Random& random) {
    const std::size_t wanted = static_cast<std::size_t>(std::max(count, 0));
    std::unordered_set<SuperSchedule> seen{canonical(start)};
    std::vector<SuperSchedule> found;
    std::vector<SuperSchedule> ring{canonical(start)};
    while (found.size() < wanted && !ring.empty()) {
        std::vector<SuperSchedule> next;
        for (const SuperSchedule& centre : ring)
            for (const SuperSchedule& neighbour : neighbours(centre, extents))
                if (seen.insert(neighbour).second)
                    next.push_back(neighbour);
        random.shuffle(next);
        const auto taken = static_cast<std::ptrdiff_t>(std::min(next.size(), wanted - found.size()));
        found.insert(found.end(), next.begin(), next.begin() + taken);
        ring = std::move(next);
    }
    return found;
}

std::vector<SuperSchedule> random_walk(const SuperSchedule& start, const Extents& extents, int steps,
                                       Random& random) {
    std::vector<SuperSchedule> walk;
    SuperSchedule here = start;
    for (int step = 0; step < steps; ++step) {
        // Never empty: the chunk can always change.
        const std::vector<SuperSchedule> next = neighbours(here, extents);
        here = random.pick(std::span(next));
        walk.push_back(here);
    }
    return walk;
}

} // namespace sparsight

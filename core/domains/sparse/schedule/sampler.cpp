#include "domains/sparse/schedule/sampler.h"

#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace sparsight {
namespace {

/// Distinct numbers below `bound`, every set of them equally likely (Floyd's algorithm: Bentley and Floyd, "A
/// sample of brilliance", CACM 1987), in random order.
std::vector<std::uint64_t> distinct_below(std::uint64_t bound, std::uint64_t count, Random& random) {
    std::vector<std::uint64_t> numbers;
    std::unordered_set<std::uint64_t> seen;
    for (std::uint64_t last = bound - count; last < bound; ++last) {
        const std::uint64_t drawn = random.below(last + 1);
        numbers.push_back(seen.insert(drawn).second ? drawn : last);
        seen.insert(numbers.back());
    }
    random.shuffle(numbers);
    return numbers;
}

} // namespace

std::vector<SuperSchedule> sample_uniform(Operator op, const Extents& extents, int count, int threads,
                                          Random& random) {
    const SearchSpace space(op, extents, threads);
    const std::uint64_t wanted = std::min(static_cast<std::uint64_t>(std::max(count, 0)), space.size());
    std::vector<SuperSchedule> schedules;
    for (const std::uint64_t rank : distinct_below(space.size(), wanted, random))
        schedules.push_back(space.at(rank));
    return schedules;
}

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

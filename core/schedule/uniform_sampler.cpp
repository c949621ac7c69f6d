#include "schedule/sampler.h"
#include "schedule/search_space.h"

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

} // namespace sparsight

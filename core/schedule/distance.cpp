#include "schedule/distance.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sparsight {
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

#include "domains/blocks/simulator/table_sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace sparsight {
namespace {

constexpr double share_of_changed = 0.5;
constexpr double share_of_new_uses = 0.02; ///< of resources that the class doesn't use

int drawn(Random& random, int first, int last) {
    return static_cast<int>(random.between(first, last));
}

/// A step of 1 or more; large numbers change by a share of themselves.
int near(int value, Random& random) {
    const int reach = std::max(2, std::abs(value) / 2);
    const int step = drawn(random, 1, reach);
    return random.chance(0.5) ? value + step : value - step;
}

} // namespace

ProcessorValues sample_processor(const SimulatorTable& around, TableSampling sampling, Random& random) {
    if (sampling == TableSampling::Published)
        return {drawn(random, 1, 10), drawn(random, 50, 250)};
    ProcessorValues values = around.processor;
    for (std::size_t at = 0; at < values.size(); ++at)
        if (random.chance(share_of_changed)) {
            const ParameterBounds bounds = parameter_bounds(around, {ParameterPlace::of_processor, at});
            values[at] = std::clamp(near(values[at], random), bounds.lower, bounds.upper);
        }
    return values;
}

std::vector<int> sample_class(const SimulatorTable& original, const SimulatorTable& around, std::size_t place,
                              TableSampling sampling, Random& random) {
    std::vector<int> values = around.classes[place].values;
    if (sampling == TableSampling::Published) {
        std::ranges::fill(values, 0);
        values[MicroOps] = drawn(random, 1, 10);
        values[Latency] = drawn(random, 0, 5);
        for (std::size_t operand = 0; operand < read_advances; ++operand)
            values[FirstAdvance + operand] = drawn(random, 0, 5);
        std::vector<std::size_t> ports; // no groups
        for (std::size_t port = 0; port < original.units.size(); ++port)
            if (std::has_single_bit(original.units[port]))
                ports.push_back(port);
        for (int uses = drawn(random, 0, 2); uses > 0; --uses)
            values[FirstPort + random.pick(std::span<const std::size_t>(ports))] = drawn(random, 0, 2);
        return values;
    }
    for (std::size_t at = 0; at < values.size(); ++at) {
        const bool is_new_use = values[at] == 0 && at > Latency;
        if (!random.chance(is_new_use ? share_of_new_uses : share_of_changed))
            continue;
        const ParameterBounds bounds = parameter_bounds(original, {place, at});
        values[at] = std::clamp(near(values[at], random), bounds.lower, bounds.upper);
    }
    repair(original, place, values);
    return values;
}

} // namespace sparsight

// A machine as the numeric input of a network.
#pragma once

#include "machine/machine_description.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// One fact, as (log2(value) − centre) / spread. Centre and spread are fixed, about those of today's desktops
/// and servers: a training set has too few machines to take them from it.
struct MachineFeature {
    std::string_view name;
    std::string_view unit;
    double centre = 0;
    double spread = 1;
};

[[nodiscard]] std::span<const MachineFeature> machine_facts();

/// Two for each fact: its number, and 1 where it is known. Both are 0 where it is unknown.
[[nodiscard]] std::vector<float> machine_features(const MachineDescription& machine);
[[nodiscard]] std::size_t machine_feature_count();

} // namespace sparsight

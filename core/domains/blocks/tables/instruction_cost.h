// What a form of an instruction costs, whichever table says so.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// Some micro-operations, each of which takes any one of these ports for a cycle.
struct PortUse {
    /// Bit i is port i. The data part of a load's port has a bit of its own: `data_part` + i.
    std::uint32_t ports = 0;
    double count = 0;

    bool operator==(const PortUse&) const = default;
};

inline constexpr unsigned data_part = 16;

struct InstructionCost {
    double issued = 1;          ///< fused micro-operations, which the front end hands on
    double decoded = 1;         ///< … as the decoders count them: an index splits some later
    std::vector<PortUse> ports; ///< none: it needs no port (no-ops, eliminated moves)
    double latency = 1;         ///< cycles from its registers to its result, the least of all pairs
    double longest_latency = 1; ///< … the most, which is that from the registers of an address
    double throughput = 0;      ///< measured cycles between two of them; 0: not known

    bool operator==(const InstructionCost&) const = default;
};

/// By the name of the form.
using InstructionCosts = std::unordered_map<std::string, InstructionCost>;

} // namespace sparsight

// What is known of one block on one machine, for people: what each instruction costs, what it waits for, and
// what the block's cycles are bound by.
#pragma once

#include "domains/blocks/code/decoded_block.h"
#include "domains/blocks/code/dependencies.h"
#include "domains/blocks/models/bound_model.h"
#include "domains/blocks/tables/instruction_cost.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// One entry an instruction; absent where its cost is not known.
using BlockCosts = std::vector<std::optional<InstructionCost>>;

[[nodiscard]] BlockCosts costs_of(const DecodedBlock& block, const PortTable& table);

struct AnalysedInstruction {
    std::optional<InstructionCost> cost{};
    /// Micro-operations by port, those that may take several shared evenly among these.
    std::array<double, BlockBounds::port_count> port_uses{};
    bool is_critical = false; ///< of BlockAnalysis::critical
    bool is_on_busiest_port =
        false; ///< all ports that one of its micro-operations may take are BlockBounds::busiest

    bool operator==(const AnalysedInstruction&) const = default;
};

/// A result that an instruction waits for.
struct AnalysedDependency {
    Dependency dependency;
    double latency = 0; ///< cycles from the earlier result to the later one
    bool is_critical = false;
};

struct BlockAnalysis {
    BlockBounds bounds;
    std::vector<AnalysedInstruction> instructions;
    std::vector<AnalysedDependency> dependencies; ///< reads after writes, also into the next iteration
    /// The slowest chain from one iteration to the next; where there is none, the slowest within one.
    std::vector<std::size_t> critical;
};

[[nodiscard]] BlockAnalysis analyse_block(const DecodedBlock& block, const BlockCosts& costs,
                                          const FrontEnd& front_end);

/// "Latency: the chain of 4 instructions takes 12 cycles an iteration.", "Throughput: port 5 is busy in all 3
/// cycles of an iteration."
[[nodiscard]] std::string what_binds(const DecodedBlock& block, const BlockAnalysis& analysis);

/// One of the needs of an iteration.
struct CycleLimit {
    std::string name; ///< "Front end", "Ports 0 and 1"
    double cycles = 0;
};
/// Those that are above 0, the largest first.
[[nodiscard]] std::vector<CycleLimit> cycle_limits(const BlockBounds& bounds);

} // namespace sparsight

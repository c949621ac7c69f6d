// An analytical bound of a block's cycles: the largest of what the front end, the ports, the divider and the
// chains of dependencies need for one iteration. What cannot be hidden behind anything else is the
// bottleneck.
#pragma once

#include "domains/blocks/models/block_model.h"
#include "domains/blocks/models/front_end.h"
#include "domains/blocks/tables/port_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

struct BlockBounds {
    double front_end = 0; ///< what width and decoders need for the issued micro-operations
    double fetch = 0;     ///< fetching the code and cutting it into instructions
    /// Of the busiest set of ports: the micro-operations that need one of them / the number of these ports.
    double ports = 0;
    std::uint32_t busiest = 0;      ///< that set; bit i is port i
    double divider = 0;             ///< of divisions and roots, one after the other
    double dependencies = 0;        ///< of the slowest chain from one iteration to the next
    std::vector<std::size_t> chain; ///< its instructions, in the order in which results are handed on
    /// Instructions that the table lacks: each counts as one micro-operation.
    std::vector<std::size_t> unknown;
    // Not bounds by themselves:
    double issued = 0; ///< fused micro-operations of one iteration
    double path = 0;   ///< the slowest chain of one iteration by itself
    /// Micro-operations by port, those that may take several shared evenly among these.
    static constexpr std::size_t port_count = 16;
    std::array<double, port_count> port_uses{};

    [[nodiscard]] double cycles() const;
    /// "front end", "instruction fetch", "ports 0 and 6", "divider", "dependencies": the largest of them, the
    /// first one of equal ones.
    [[nodiscard]] std::string bottleneck() const;
};

/// "port 5", "ports 0, 1 and 5".
[[nodiscard]] std::string ports_text(std::uint32_t ports);
/// "p0156 + 2 p23": the micro-operations of an instruction by the ports that they may take.
[[nodiscard]] std::string port_uses_text(std::span<const PortUse> uses);

/// A result that another instruction waits for.
struct ChainEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    double latency = 0;      ///< from one result to the other
    bool is_carried = false; ///< into the next iteration
};

/// Of a block whose instructions cost this: one entry an instruction, nullptr for an unknown one.
[[nodiscard]] BlockBounds bounds_of(const DecodedBlock& block, std::span<const InstructionCost* const> costs,
                                    const FrontEnd& front_end);

/// What the instructions of such a block wait for, within an iteration and from one to the next.
[[nodiscard]] std::vector<ChainEdge> chain_edges(std::span<const Instruction> block,
                                                 std::span<const InstructionCost* const> costs);

class BoundModel final : public BlockModel {
public:
    explicit BoundModel(PortTable table, const FrontEnd& front_end = {})
        : table_(std::move(table))
        , front_end_(front_end) {}

    [[nodiscard]] BlockBounds bounds(const DecodedBlock& block) const;
    [[nodiscard]] Result<std::vector<double>> cycles(std::span<const DecodedBlock> blocks) const override;

private:
    PortTable table_;
    FrontEnd front_end_;
};

/// The largest Σ count / number of ports over all sets of ports, of the uses that fit into the set: what the
/// best assignment of micro-operations to ports needs (by Hall's theorem no assignment is better, and one is
/// as good). Also the set.
[[nodiscard]] std::pair<double, std::uint32_t> port_pressure(std::span<const PortUse> uses);

struct ChainBound {
    double cycles = 0;              ///< an iteration
    std::vector<std::size_t> chain; ///< the instructions that need them, in the order of their results
};
/// The largest Σ latency along edges that are not carried; `count` is the number of instructions.
[[nodiscard]] ChainBound slowest_path(std::span<const ChainEdge> edges, std::size_t count);
/// The largest Σ latency / number of carried edges over all cycles of edges; 0 where there is none. Every
/// cycle has a carried edge. `count` is the number of instructions.
[[nodiscard]] ChainBound slowest_chain(std::span<const ChainEdge> edges, std::size_t count);

} // namespace sparsight

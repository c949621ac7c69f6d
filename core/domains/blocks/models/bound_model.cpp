#include "domains/blocks/models/bound_model.h"

#include "domains/blocks/code/dependencies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace sparsight {
namespace {

/// From a store to the result of a load of the same address (Intel's manual: 4 to 5 cycles).
constexpr double store_forwarding = 5;

/// Whether an instruction needs a register only to make an address.
bool only_in_address(const Instruction& instruction, const std::string& whole) {
    bool is_in_address = false;
    for (const Operand& operand : instruction.operands) {
        if (operand.kind == OperandKind::Register && operand.is_read && operand.reg.whole == whole)
            return false;
        for (const auto& reg : {operand.address.base, operand.address.index})
            is_in_address = is_in_address || (reg && reg->whole == whole);
    }
    return is_in_address && std::ranges::none_of(instruction.implicit, [&](const ImplicitRegister& implicit) {
               return implicit.is_read && implicit.reg.whole == whole;
           });
}

/// Whether a result is what a load brought.
bool is_loaded(const Instruction& instruction) {
    return instruction.reads_memory && !instruction.writes_memory &&
           (instruction.mnemonic.starts_with("mov") || instruction.mnemonic == "pop");
}

/// A load from a register with a small distance takes 4 cycles where others take 5 (Intel's manual), if
/// another load brought the register (Abel, Reineke: uiCA, ICS 2022).
bool is_short_address(const Instruction& instruction) {
    constexpr std::int64_t longest = 2048;
    return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
        return operand.kind == OperandKind::Memory && operand.address.base && !operand.address.index &&
               operand.address.displacement >= 0 && operand.address.displacement < longest;
    });
}

/// Of divisions and roots, whose unit is not pipelined: ports do not tell how long they take.
double divider_cycles(const Instruction& instruction, const InstructionCost& cost) {
    const bool divides = instruction.mnemonic.find("div") != std::string::npos ||
                         instruction.mnemonic.find("sqrt") != std::string::npos;
    return divides ? cost.throughput : 0;
}

} // namespace

std::vector<ChainEdge> chain_edges(std::span<const Instruction> block,
                                   std::span<const InstructionCost* const> costs) {
    std::vector<ChainEdge> edges;
    for (const Dependency& dependency : dependencies_of(block, {.between_iterations = true})) {
        if (dependency.kind != DependencyKind::ReadAfterWrite)
            continue;
        const Instruction& waiting = block[dependency.to];
        const InstructionCost* const cost = costs[dependency.to];
        double latency = cost == nullptr ? 1 : cost->latency;
        if (dependency.through == "memory" && waiting.writes_memory)
            latency = store_forwarding + 1; // what is loaded is changed and stored again
        else if (dependency.through == "memory")
            latency = std::min(store_forwarding + latency,
                               cost == nullptr ? store_forwarding : cost->longest_latency);
        else if (is_of_stack_engine(waiting) || (waiting.writes_memory && !waiting.reads_memory))
            latency = 0; // nothing waits for a store but a load, whose latency has it
        else if (cost != nullptr && waiting.reads_memory && only_in_address(waiting, dependency.through))
            latency = cost->longest_latency -
                      (is_loaded(block[dependency.from]) && is_short_address(waiting) ? 1 : 0);
        edges.push_back({dependency.from, dependency.to, latency, dependency.is_carried});
    }
    return edges;
}

namespace {

/// Looks for a cycle of edges with Σ (latency − λ · carried) > 0 (Bellman, Ford); its instructions, the last
/// one first, or none.
std::vector<std::size_t> cycle_above(std::span<const ChainEdge> edges, std::size_t count, double lambda) {
    std::vector<double> longest(count, 0);
    std::vector<std::size_t> before(count, count);
    std::size_t changed = count;
    constexpr double rounding = 1e-9;
    for (std::size_t pass = 0; pass <= count; ++pass) {
        changed = count;
        for (const ChainEdge& edge : edges) {
            const double length = longest[edge.from] + edge.latency - (edge.is_carried ? lambda : 0);
            if (length > longest[edge.to] + rounding) {
                longest[edge.to] = length;
                before[edge.to] = edge.from;
                changed = edge.to;
            }
        }
        if (changed == count)
            return {};
    }
    for (std::size_t step = 0; step < count; ++step) // into the cycle
        changed = before[changed];
    std::vector<std::size_t> cycle{changed};
    for (std::size_t at = before[changed]; at != changed; at = before[at])
        cycle.push_back(at);
    return cycle;
}

} // namespace

std::string ports_text(std::uint32_t ports) {
    const std::uint32_t all = ports | ports >> data_part; // a port's data part is named as the port
    std::vector<unsigned> numbers;
    for (unsigned port = 0; port < data_part; ++port)
        if ((all >> port & 1U) != 0)
            numbers.push_back(port);
    if (numbers.size() == 1)
        return fmt::format("port {}", numbers.front());
    const unsigned last = numbers.empty() ? 0 : numbers.back();
    if (!numbers.empty())
        numbers.pop_back();
    return fmt::format("ports {} and {}", fmt::join(numbers, ", "), last);
}

std::string port_uses_text(std::span<const PortUse> uses) {
    std::string text;
    for (const PortUse& use : uses) {
        text += text.empty() ? "" : " + ";
        if (use.count != 1)
            text += fmt::format("{:g} ", use.count);
        text += 'p';
        for (unsigned port = 0; port < BlockBounds::port_count; ++port)
            if ((use.ports >> port & 1U) != 0)
                text += "0123456789ABCDEF"[port];
        for (unsigned port = 0; port < BlockBounds::port_count; ++port)
            if ((use.ports >> (port + data_part) & 1U) != 0)
                text += fmt::format("{}D", port);
    }
    return text;
}

std::pair<double, std::uint32_t> port_pressure(std::span<const PortUse> uses) {
    // Only unions of the sets that are used can be the busiest.
    std::map<std::uint32_t, double> counts;
    for (const PortUse& use : uses)
        counts[use.ports] += use.count;
    std::vector<std::uint32_t> unions;
    for (const auto& [ports, count] : counts) {
        const std::size_t known = unions.size();
        if (std::ranges::find(unions, ports) == unions.end())
            unions.push_back(ports);
        for (std::size_t at = 0; at < known; ++at)
            if (const std::uint32_t both = unions[at] | ports;
                std::ranges::find(unions, both) == unions.end())
                unions.push_back(both);
    }
    std::pair<double, std::uint32_t> most{0, 0};
    for (const std::uint32_t set : unions) {
        double inside = 0;
        for (const auto& [ports, count] : counts)
            if ((ports & ~set) == 0)
                inside += count;
        most = std::max(most, std::pair(inside / std::popcount(set), set));
    }
    return most;
}

ChainBound slowest_path(std::span<const ChainEdge> edges, std::size_t count) {
    std::vector<double> until(count, 0); // the later instruction of an edge comes behind the earlier one
    std::vector<std::size_t> before(count, count);
    std::vector<const ChainEdge*> within;
    for (const ChainEdge& edge : edges)
        if (!edge.is_carried)
            within.push_back(&edge);
    std::ranges::sort(within, {}, &ChainEdge::to);
    for (const ChainEdge* const edge : within)
        if (const double length = until[edge->from] + edge->latency; length > until[edge->to]) {
            until[edge->to] = length;
            before[edge->to] = edge->from;
        }
    const auto last = std::ranges::max_element(until);
    if (last == until.end() || *last == 0)
        return {};
    ChainBound path{*last, {}};
    for (auto at = static_cast<std::size_t>(last - until.begin()); at != count; at = before[at])
        path.chain.push_back(at);
    std::ranges::reverse(path.chain);
    return path;
}

ChainBound slowest_chain(std::span<const ChainEdge> edges, std::size_t count) {
    ChainBound bound;
    double low = 0;
    double high = 0;
    for (const ChainEdge& edge : edges)
        high += edge.latency;
    // A cycle that is found says exactly what it needs, so few steps suffice.
    while (true) {
        auto cycle = cycle_above(edges, count, low);
        if (cycle.empty())
            return bound;
        std::ranges::reverse(cycle);
        double latency = 0;
        double carried = 0;
        for (std::size_t at = 0; at < cycle.size(); ++at) {
            const std::size_t from = cycle[at];
            const std::size_t to = cycle[(at + 1) % cycle.size()];
            const ChainEdge* best = nullptr; // of several between both
            for (const ChainEdge& edge : edges)
                if (edge.from == from && edge.to == to &&
                    (best == nullptr || edge.latency - (edge.is_carried ? low : 0) >
                                            best->latency - (best->is_carried ? low : 0)))
                    best = &edge;
            latency += best->latency;
            carried += best->is_carried ? 1 : 0;
        }
        bound.chain = std::move(cycle);
        bound.cycles = latency / std::max(carried, 1.0);
        if (!(bound.cycles > low) || bound.cycles > high)
            return bound;
        low = bound.cycles;
    }
}

double BlockBounds::cycles() const {
    return std::max({front_end, fetch, ports, divider, dependencies});
}

std::string BlockBounds::bottleneck() const {
    const double most = cycles();
    if (front_end >= most)
        return "front end";
    if (fetch >= most)
        return "instruction fetch";
    if (ports >= most)
        return ports_text(busiest);
    return divider >= most ? "divider" : "dependencies";
}

BlockBounds bounds_of(const DecodedBlock& block, std::span<const InstructionCost* const> costs,
                      const FrontEnd& front_end) {
    BlockBounds bounds;
    std::vector<PortUse> uses;
    double issued = 0;
    for (std::size_t at = 0; at < block.instructions.size(); ++at) {
        const Instruction& instruction = block.instructions[at];
        const InstructionCost* const cost = costs[at];
        issued += cost == nullptr ? 1 : cost->issued;
        if (cost == nullptr) {
            bounds.unknown.push_back(at);
        } else if (!is_zero_idiom(instruction)) { // which the front end alone handles
            uses.insert(uses.end(), cost->ports.begin(), cost->ports.end());
            bounds.divider += divider_cycles(instruction, *cost);
        }
    }
    bounds.issued = issued + stack_updates(block.instructions);
    for (const PortUse& use : uses)
        for (std::size_t port = 0; port < BlockBounds::port_count; ++port)
            if ((use.ports >> port & 1U) != 0)
                bounds.port_uses[port] += use.count / std::popcount(use.ports);
    bounds.front_end = bounds.issued / front_end.width;
    if (front_end.fetched_bytes > 0) {
        bounds.front_end = std::max(bounds.front_end, decode_groups(block.instructions, costs, front_end));
        bounds.fetch = fetch_cycles(block, front_end);
    }
    std::tie(bounds.ports, bounds.busiest) = port_pressure(uses);
    const std::vector<ChainEdge> edges = chain_edges(block.instructions, costs);
    bounds.path = slowest_path(edges, block.instructions.size()).cycles;
    ChainBound chain = slowest_chain(edges, block.instructions.size());
    bounds.dependencies = chain.cycles;
    bounds.chain = std::move(chain.chain);
    return bounds;
}

BlockBounds BoundModel::bounds(const DecodedBlock& block) const {
    std::vector<const InstructionCost*> costs;
    costs.reserve(block.instructions.size());
    for (const Instruction& instruction : block.instructions)
        costs.push_back(table_.find(instruction, block.bytes_of(instruction)));
    return bounds_of(block, costs, front_end_);
}

Result<std::vector<double>> BoundModel::cycles(std::span<const DecodedBlock> blocks) const {
    std::vector<double> cycles;
    cycles.reserve(blocks.size());
    for (const DecodedBlock& block : blocks)
        cycles.push_back(bounds(block).cycles());
    return cycles;
}

} // namespace sparsight

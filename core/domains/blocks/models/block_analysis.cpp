#include "domains/blocks/models/block_analysis.h"

#include "base/text.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace sparsight {
namespace {

/// "12", "3.5", "1.67".
std::string number_text(double cycles) {
    const std::string text = fmt::format("{:.2f}", cycles);
    const std::size_t end = text.find_last_not_of('0');
    return text.substr(0, text[end] == '.' ? end : end + 1);
}

std::string with_cycles(double cycles) {
    const std::string number = number_text(cycles);
    return number + (number == "1" ? " cycle" : " cycles");
}

std::string capital(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::uint32_t without_data_parts(std::uint32_t ports) {
    constexpr std::uint32_t named = (std::uint32_t{1} << data_part) - 1;
    return (ports | ports >> data_part) & named;
}

/// The edges of the critical chain: between neighbours of it the one that takes longest.
void mark_critical(BlockAnalysis& analysis, bool is_carried) {
    const std::vector<std::size_t>& chain = analysis.critical;
    const std::size_t steps = chain.size() - (is_carried || chain.empty() ? 0 : 1);
    for (std::size_t at = 0; at < steps; ++at) {
        AnalysedDependency* slowest = nullptr;
        for (AnalysedDependency& each : analysis.dependencies)
            if (each.dependency.from == chain[at] && each.dependency.to == chain[(at + 1) % chain.size()] &&
                (is_carried || !each.dependency.is_carried) &&
                (slowest == nullptr || each.latency > slowest->latency))
                slowest = &each;
        if (slowest != nullptr)
            slowest->is_critical = true;
    }
    for (const std::size_t at : chain)
        analysis.instructions[at].is_critical = true;
}

} // namespace

BlockCosts costs_of(const DecodedBlock& block, const PortTable& table) {
    BlockCosts costs;
    costs.reserve(block.instructions.size());
    for (const Instruction& instruction : block.instructions) {
        const InstructionCost* const cost = table.find(instruction, block.bytes_of(instruction));
        costs.push_back(cost == nullptr ? std::nullopt : std::optional(*cost));
    }
    return costs;
}

BlockAnalysis analyse_block(const DecodedBlock& block, const BlockCosts& costs, const FrontEnd& front_end) {
    std::vector<const InstructionCost*> known;
    for (const auto& cost : costs)
        known.push_back(cost ? &*cost : nullptr);
    BlockAnalysis analysis{bounds_of(block, known, front_end), {}, {}, {}};
    for (std::size_t at = 0; at < costs.size(); ++at) {
        AnalysedInstruction instruction{.cost = costs[at]};
        if (costs[at] && !is_zero_idiom(block.instructions[at]))
            for (const PortUse& use : costs[at]->ports) {
                for (std::size_t port = 0; port < BlockBounds::port_count; ++port)
                    if ((use.ports >> port & 1U) != 0)
                        instruction.port_uses[port] += use.count / std::popcount(use.ports);
                instruction.is_on_busiest_port =
                    instruction.is_on_busiest_port || (use.ports & ~analysis.bounds.busiest) == 0;
            }
        analysis.instructions.push_back(std::move(instruction));
    }
    const std::vector<ChainEdge> edges = chain_edges(block.instructions, known);
    auto edge = edges.begin(); // one for each read after write, in the same order
    for (Dependency& dependency : dependencies_of(block.instructions, {.between_iterations = true}))
        if (dependency.kind == DependencyKind::ReadAfterWrite)
            analysis.dependencies.push_back({std::move(dependency), (edge++)->latency});
    const bool is_carried = analysis.bounds.dependencies > 0;
    analysis.critical =
        is_carried ? analysis.bounds.chain : slowest_path(edges, block.instructions.size()).chain;
    if (is_carried) // a circle, told from its first instruction on
        std::ranges::rotate(analysis.critical, std::ranges::min_element(analysis.critical));
    mark_critical(analysis, is_carried);
    return analysis;
}

std::vector<CycleLimit> cycle_limits(const BlockBounds& bounds) {
    std::vector<CycleLimit> limits;
    for (const auto& [name, cycles] :
         {std::pair<std::string, double>{"Front end", bounds.front_end},
          {"Instruction fetch", bounds.fetch},
          {bounds.ports > 0 ? capital(ports_text(bounds.busiest)) : std::string(), bounds.ports},
          {"Divider", bounds.divider},
          {"Dependencies", bounds.dependencies}})
        if (cycles > 0)
            limits.push_back({name, cycles});
    std::ranges::stable_sort(limits, std::greater(), &CycleLimit::cycles);
    return limits;
}

std::string what_binds(const DecodedBlock& block, const BlockAnalysis& analysis) {
    const BlockBounds& bounds = analysis.bounds;
    const double most = bounds.cycles();
    const std::string cycles = with_cycles(most);
    if (!(most > 0))
        return "Nothing binds: the block needs no cycles.";
    // The first one of equal ones, as BlockBounds::bottleneck() has it.
    if (bounds.front_end >= most)
        return fmt::format("Throughput: the front end needs {} for {} micro-operations an iteration.", cycles,
                           number_text(bounds.issued));
    if (bounds.fetch >= most)
        return fmt::format("Throughput: fetching {} of code takes {} an iteration.",
                           counted(block.code.size(), "byte", "bytes"), cycles);
    if (bounds.ports >= most)
        return fmt::format("Throughput: {} {} busy in all {} of an iteration.", ports_text(bounds.busiest),
                           std::popcount(without_data_parts(bounds.busiest)) == 1 ? "is" : "are", cycles);
    if (bounds.divider >= most)
        return fmt::format("Throughput: the divider is busy for {} an iteration.", cycles);
    return fmt::format("Latency: the chain of {} takes {} an iteration.",
                       counted(bounds.chain.size(), "instruction", "instructions"), cycles);
}

} // namespace sparsight

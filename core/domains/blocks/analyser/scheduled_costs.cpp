#include "domains/blocks/analyser/scheduled_costs.h"

#include "code_analysis/body_simulation.h"
#include "domains/blocks/decoder/code_target.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

namespace sparsight {
namespace {

/// "HWPort1" is bit 1; 0 for a unit that is no port: "HWDivider".
std::uint32_t port_of(std::string_view unit) {
    constexpr std::string_view word = "Port";
    const std::size_t at = unit.find(word);
    if (at == std::string_view::npos || at + word.size() + 1 != unit.size())
        return 0;
    const char digit = unit.back();
    return std::isdigit(static_cast<unsigned char>(digit)) != 0 ? 1U << (digit - '0') : 0;
}

/// Those of the load ports of these processors.
constexpr std::uint32_t load_ports = 0b1100;

InstructionCost cost_from(const InstructionNeeds& needs, const Instruction& instruction,
                          unsigned load_latency) {
    InstructionCost cost;
    bool loads = false;
    bool works = false; // on other ports than those of loads
    for (const UnitUse& use : needs.uses) {
        std::uint32_t ports = 0;
        for (const std::string& unit : use.units)
            ports |= port_of(unit);
        if (ports == 0)
            continue; // the divider, which the throughput has
        cost.ports.push_back({ports, use.cycles});
        (ports == load_ports ? loads : works) = true;
    }
    double fused = needs.micro_operations;
    if (instruction.reads_memory && loads && works)
        fused -= 1;
    if (instruction.writes_memory)
        fused -= 1;
    cost.issued = std::max(fused, 1.0);
    cost.decoded = cost.issued;
    cost.longest_latency = needs.latency;
    cost.latency = instruction.reads_memory && needs.latency >= load_latency ? needs.latency - load_latency
                                                                             : needs.latency;
    return cost;
}

} // namespace

struct ScheduledCosts::State {
    const CodeTarget& target;
    std::unique_ptr<llvm::MCSubtargetInfo> processor;

    [[nodiscard]] std::optional<InstructionCost> cost(const DecodedBlock& block,
                                                      const Instruction& instruction) const {
        auto decoded = target.decode(block.code, instruction.offset);
        if (!decoded)
            return std::nullopt;
        const auto alone = BodySimulation::of(
            decoded->instruction, {target.target(), *processor, target.instructions(), target.registers()});
        if (!alone)
            return std::nullopt;
        const std::vector<InstructionNeeds> needs = alone->needs();
        if (needs.empty()) // calls and returns
            return std::nullopt;
        InstructionCost cost = cost_from(needs.front(), instruction, processor->getSchedModel().LoadLatency);
        cost.throughput = alone->reciprocal_throughput();
        return cost;
    }
};

ScheduledCosts::ScheduledCosts(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ScheduledCosts::~ScheduledCosts() = default;
ScheduledCosts::ScheduledCosts(ScheduledCosts&&) noexcept = default;
ScheduledCosts& ScheduledCosts::operator=(ScheduledCosts&&) noexcept = default;

Result<ScheduledCosts> ScheduledCosts::make(const BlockDecoder& decoder, const Microarchitecture& machine) {
    if (!machine.has_known_front_end)
        return fail(Fault::Input,
                    fmt::format("the front end of {} is not described, expected a processor of Intel from "
                                "Sandy Bridge to Skylake",
                                machine.title));
    const CodeTarget& target = decoder.target();
    std::unique_ptr<llvm::MCSubtargetInfo> processor(target.target().createMCSubtargetInfo(
        target.triple().str(), llvm::StringRef(machine.llvm.data(), machine.llvm.size()), ""));
    return ScheduledCosts(std::make_unique<State>(State{target, std::move(processor)}));
}

BlockCosts ScheduledCosts::of(const DecodedBlock& block) const {
    BlockCosts costs;
    costs.reserve(block.instructions.size());
    for (const Instruction& instruction : block.instructions)
        costs.push_back(state_->cost(block, instruction));
    return costs;
}

Result<std::vector<double>> ScheduledBoundModel::cycles(std::span<const DecodedBlock> blocks) const {
    std::vector<double> cycles;
    cycles.reserve(blocks.size());
    for (const DecodedBlock& block : blocks)
        cycles.push_back(analyse_block(block, costs_.of(block), front_end_).bounds.cycles());
    return cycles;
}

} // namespace sparsight

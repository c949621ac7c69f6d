#include "domains/blocks/explanation/block_loop_analyst.h"

#include "code_analysis/body_simulation.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/decoder/block_decoder.h"
#include "domains/blocks/decoder/code_target.h"
#include "domains/blocks/exchange/stored_tables.h"
#include "domains/blocks/models/bound_model.h"
#include "domains/blocks/tables/machine_tables.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <utility>

namespace sparsight {
namespace {

std::vector<LoopProcessor> known_processors() {
    std::vector<LoopProcessor> known;
    for (const Microarchitecture& each : microarchitectures)
        known.push_back({std::string(each.name), std::string(each.title), std::string(each.llvm)});
    return known;
}

/// "3 vmovss, vfmadd231ss"
std::string counted_mnemonics(const DecodedBlock& block, const std::vector<std::size_t>& which) {
    std::vector<std::pair<std::string, int>> counts; // in the order of the code
    for (const std::size_t at : which) {
        const std::string& mnemonic = block.instructions[at].mnemonic;
        const auto known = std::ranges::find(counts, mnemonic, &std::pair<std::string, int>::first);
        if (known == counts.end())
            counts.emplace_back(mnemonic, 1);
        else
            ++known->second;
    }
    std::vector<std::string> texts;
    for (const auto& [mnemonic, count] : counts)
        texts.push_back(count == 1 ? mnemonic : fmt::format("{} {}", count, mnemonic));
    return fmt::format("{}", fmt::join(texts, ", "));
}

class BlockLoopAnalyst final : public LoopAnalyst {
public:
    explicit BlockLoopAnalyst(BlockDecoder decoder)
        : decoder_(std::move(decoder)) {}

    const std::vector<LoopProcessor>& processors() const override { return processors_; }

    Result<void> read_tables(const std::filesystem::path& file) override {
        for (const Microarchitecture& each : microarchitectures) {
            auto ports = find_ports(file, each);
            if (!ports)
                return std::unexpected(std::move(ports).error());
            if (*ports)
                tables_.insert_or_assign(std::string(each.name), **std::move(ports));
        }
        return {};
    }

    Result<void> read_tables(Workspace& workspace) override {
        auto stored = stored_port_tables(workspace);
        if (!stored)
            return std::unexpected(std::move(stored).error());
        for (auto& [machine, ports] : *stored)
            tables_.insert_or_assign(machine, std::move(ports));
        return {};
    }

    Result<LoopAnalysis> analyse(std::span<const std::uint8_t> code,
                                 std::string_view processor) const override {
        const auto known = find_microarchitecture(processor);
        if (!known)
            return fail(Fault::Input, fmt::format("there is no microarchitecture '{}'", processor));
        auto instructions = decoder_.decode(code);
        if (!instructions)
            return std::unexpected(std::move(instructions).error());
        const DecodedBlock block{MachineCode(code.begin(), code.end()), *std::move(instructions)};
        LoopAnalysis analysis;
        for (const Instruction& each : block.instructions)
            analysis.listing.push_back(each.text);
        if (auto simulated = simulate(block, *known, analysis); !simulated)
            return std::unexpected(std::move(simulated).error());
        const auto table = tables_.find(known->name);
        if (table == tables_.end())
            analysis.no_bound = fmt::format("no table of ports of {} is known", known->title);
        else
            bind(block, *known, table->second, analysis);
        return analysis;
    }

private:
    Result<void> simulate(const DecodedBlock& block, const Microarchitecture& known,
                          LoopAnalysis& analysis) const {
        const CodeTarget& target = decoder_.target();
        const std::unique_ptr<llvm::MCSubtargetInfo> processor(
            target.target().createMCSubtargetInfo(target.triple().str(), std::string(known.llvm), ""));
        std::vector<llvm::MCInst> body;
        for (const Instruction& instruction : block.instructions) {
            auto decoded = target.decode(block.code, instruction.offset);
            if (!decoded)
                return std::unexpected(std::move(decoded).error());
            body.push_back(std::move(decoded->instruction));
        }
        const auto simulation = BodySimulation::of(
            body, {target.target(), *processor, target.instructions(), target.registers()});
        if (!simulation)
            return std::unexpected(simulation.error());
        const auto cycles = simulation->cycles_an_iteration();
        if (!cycles)
            return std::unexpected(cycles.error());
        analysis.simulated_cycles = *cycles;
        analysis.binds = simulation->bottleneck(*cycles);
        return {};
    }

    /// Micro-operations of a loop are kept: nothing of it is fetched or decoded again.
    static void bind(const DecodedBlock& block, const Microarchitecture& known, const PortTable& table,
                     LoopAnalysis& analysis) {
        FrontEnd front_end = front_end_of(known);
        front_end.fetched_bytes = 0;
        if (!known.has_known_front_end)
            front_end.width = std::numeric_limits<double>::infinity(); // it is no part of the bound then
        const BlockBounds bounds = BoundModel(table, front_end).bounds(block);
        analysis.bound = LoopBound{bounds.dependencies, bounds.ports, bounds.front_end,     bounds.divider,
                                   bounds.cycles(),     bounds.chain, bounds.unknown.size()};
        const std::string bottleneck = bounds.bottleneck();
        if (bottleneck == "dependencies") {
            analysis.binds = fmt::format("the chain of {} from one iteration to the next",
                                         counted_mnemonics(block, bounds.chain));
        } else if (bottleneck.starts_with("port")) {
            std::vector<std::size_t> users;
            for (std::size_t at = 0; at < block.instructions.size(); ++at)
                if (const InstructionCost* const cost =
                        table.find(block.instructions[at], block.bytes_of(block.instructions[at])))
                    if (std::ranges::any_of(cost->ports, [&](const PortUse& use) {
                            return (use.ports & ~bounds.busiest) == 0;
                        }))
                        users.push_back(at);
            analysis.binds = fmt::format("{} ({})", bottleneck, counted_mnemonics(block, users));
        } else {
            analysis.binds = bottleneck == "front end"
                                 ? fmt::format("the front end ({} micro-operations a cycle)", front_end.width)
                                 : "the " + bottleneck;
        }
    }

    std::vector<LoopProcessor> processors_ = known_processors();
    BlockDecoder decoder_;
    std::map<std::string, PortTable, std::less<>> tables_; ///< by the short name of the processor
};

} // namespace

Result<std::unique_ptr<LoopAnalyst>> make_block_loop_analyst() {
    auto decoder = BlockDecoder::make();
    if (!decoder)
        return std::unexpected(std::move(decoder).error());
    return std::make_unique<BlockLoopAnalyst>(*std::move(decoder));
}

} // namespace sparsight

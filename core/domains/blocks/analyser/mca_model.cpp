#include "domains/blocks/analyser/mca_model.h"

#include "code_analysis/body_simulation.h"
#include "domains/blocks/decoder/code_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <utility>

namespace sparsight {
namespace {

std::vector<std::string_view> short_names() {
    std::vector<std::string_view> names;
    for (const Microarchitecture& each : microarchitectures)
        names.push_back(each.name);
    return names;
}

} // namespace

struct McaModel::State {
    const CodeTarget& target;
    std::unique_ptr<llvm::MCSubtargetInfo> processor;
    McaFigure figure;

    [[nodiscard]] Result<double> cycles(const DecodedBlock& block) const {
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
        if (simulation->is_empty())
            return 0;
        if (figure == McaFigure::ReciprocalThroughput)
            return simulation->reciprocal_throughput();
        constexpr unsigned iterations = 100; // as llvm-mca does
        const auto total = simulation->total_cycles(iterations);
        if (!total)
            return std::unexpected(total.error());
        return *total / iterations;
    }
};

McaModel::McaModel(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
McaModel::~McaModel() = default;

Result<std::unique_ptr<const McaModel>> McaModel::make(const BlockDecoder& decoder, std::string_view machine,
                                                       McaFigure figure) {
    const CodeTarget& target = decoder.target();
    const auto known = find_microarchitecture(machine);
    if (!known)
        return fail(Fault::Input, fmt::format("there is no microarchitecture '{}': expected {}", machine,
                                              fmt::join(short_names(), ", ")));
    const std::string cpu(known->llvm);
    std::unique_ptr<llvm::MCSubtargetInfo> processor(
        target.target().createMCSubtargetInfo(target.triple().str(), cpu, ""));
    if (!processor->getSchedModel().hasInstrSchedModel())
        return fail(Fault::Input, fmt::format("LLVM has no scheduling model of '{}'", cpu));
    return std::unique_ptr<const McaModel>(
        new McaModel(std::make_unique<State>(State{target, std::move(processor), figure})));
}

Result<std::vector<double>> McaModel::cycles(std::span<const DecodedBlock> blocks) const {
    std::vector<double> all;
    all.reserve(blocks.size());
    for (const DecodedBlock& block : blocks) {
        const auto one = state_->cycles(block);
        if (!one)
            return std::unexpected(one.error());
        all.push_back(*one);
    }
    return all;
}

} // namespace sparsight

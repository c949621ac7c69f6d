#include "code_analysis/body_simulation.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MCA/Context.h>
#include <llvm/MCA/CustomBehaviour.h>
#include <llvm/MCA/InstrBuilder.h>
#include <llvm/MCA/Pipeline.h>
#include <llvm/MCA/SourceMgr.h>
#include <llvm/MCA/Support.h>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

namespace mca = llvm::mca;

constexpr unsigned call_latency = 100; ///< as llvm-mca takes it; calls are left out here
/// Filling and draining the pipeline is in both, so that the difference is of what lies between.
constexpr unsigned few_iterations = 40;
constexpr unsigned many_iterations = 120;

/// What one iteration needs, whatever waits for what.
struct BodyNeeds {
    unsigned micro_operations = 0;
    std::vector<unsigned> cycles; ///< of each resource of the model
};

} // namespace

struct BodySimulation::State {
    explicit State(const ScheduledProcessor& scheduled)
        : processor(scheduled)
        , analysis(processor.target.createMCInstrAnalysis(&processor.instructions))
        , instruments(processor.subtarget, processor.instructions)
        , builder(processor.subtarget, processor.instructions, processor.registers, analysis.get(),
                  instruments, call_latency) {}

    Result<void> add(const llvm::MCInst& instruction) {
        const llvm::MCInstrDesc& meaning = processor.instructions.get(instruction.getOpcode());
        if (meaning.isCall() || meaning.isReturn())
            return {};
        auto added = builder.createInstruction(instruction, {});
        if (!added) {
            llvm::consumeError(added.takeError());
            return fail(Fault::Environment,
                        fmt::format("LLVM's scheduling model of {} does not know the instruction {}",
                                    processor.subtarget.getCPU().str(),
                                    processor.instructions.getName(instruction.getOpcode()).str()));
        }
        body.push_back(std::move(*added));
        return {};
    }

    [[nodiscard]] const llvm::MCSchedModel& model() const { return processor.subtarget.getSchedModel(); }

    [[nodiscard]] BodyNeeds needs() const {
        BodyNeeds needs{0, std::vector<unsigned>(model().getNumProcResourceKinds())};
        llvm::SmallVector<std::uint64_t> masks(model().getNumProcResourceKinds());
        mca::computeProcResourceMasks(model(), masks);
        for (const auto& instruction : body) {
            needs.micro_operations += instruction->getDesc().NumMicroOps;
            for (const auto& [mask, usage] : instruction->getDesc().Resources)
                if (const auto at = std::ranges::find(masks, mask); at != masks.end())
                    needs.cycles[static_cast<std::size_t>(at - masks.begin())] += usage.size();
        }
        return needs;
    }

    ScheduledProcessor processor;
    std::unique_ptr<llvm::MCInstrAnalysis> analysis;
    mca::InstrumentManager instruments;
    mca::InstrBuilder builder;
    std::vector<std::unique_ptr<mca::Instruction>> body;
};

BodySimulation::BodySimulation(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
BodySimulation::~BodySimulation() = default;
BodySimulation::BodySimulation(BodySimulation&&) noexcept = default;
BodySimulation& BodySimulation::operator=(BodySimulation&&) noexcept = default;

Result<BodySimulation> BodySimulation::of(llvm::ArrayRef<llvm::MCInst> body,
                                          const ScheduledProcessor& processor) {
    auto state = std::make_unique<State>(processor);
    for (const llvm::MCInst& instruction : body)
        if (auto added = state->add(instruction); !added)
            return std::unexpected(std::move(added).error());
    return BodySimulation(std::move(state));
}

bool BodySimulation::is_empty() const {
    return state_->body.empty();
}

Result<double> BodySimulation::total_cycles(unsigned iterations) const {
    const ScheduledProcessor& processor = state_->processor;
    mca::CircularSourceMgr source(state_->body, iterations);
    mca::CustomBehaviour behaviour(processor.subtarget, source, processor.instructions);
    mca::Context hardware(processor.registers, processor.subtarget);
    const mca::PipelineOptions as_the_model_says(0, 0, 0, 0, 0, 0, /*NoAlias=*/true);
    const auto pipeline = hardware.createDefaultPipeline(as_the_model_says, source, behaviour);
    auto total = pipeline->run();
    if (!total)
        return fail(Fault::Environment, "LLVM's analyser: " + llvm::toString(total.takeError()));
    return static_cast<double>(*total);
}

Result<double> BodySimulation::cycles_an_iteration() const {
    const auto few = total_cycles(few_iterations);
    const auto many = total_cycles(many_iterations);
    if (!few || !many)
        return std::unexpected(few ? many.error() : few.error());
    return (*many - *few) / (many_iterations - few_iterations);
}

double BodySimulation::reciprocal_throughput() const {
    const BodyNeeds needs = state_->needs();
    return mca::computeBlockRThroughput(state_->model(), state_->model().IssueWidth, needs.micro_operations,
                                        needs.cycles);
}

std::vector<InstructionNeeds> BodySimulation::needs() const {
    const llvm::MCSchedModel& model = state_->model();
    llvm::SmallVector<std::uint64_t> masks(model.getNumProcResourceKinds());
    mca::computeProcResourceMasks(model, masks);
    std::vector<InstructionNeeds> all;
    for (const auto& instruction : state_->body) {
        const mca::InstrDesc& meaning = instruction->getDesc();
        InstructionNeeds needs{meaning.NumMicroOps, meaning.MaxLatency, {}};
        for (const auto& [mask, usage] : meaning.Resources) {
            const auto at = std::ranges::find(masks, mask);
            if (at == masks.end())
                continue;
            const llvm::MCProcResourceDesc& resource =
                *model.getProcResource(static_cast<unsigned>(at - masks.begin()));
            UnitUse use{{}, static_cast<double>(usage.size())};
            for (unsigned unit = 0; resource.SubUnitsIdxBegin != nullptr && unit < resource.NumUnits; ++unit)
                use.units.emplace_back(model.getProcResource(resource.SubUnitsIdxBegin[unit])->Name);
            if (use.units.empty())
                use.units.emplace_back(resource.Name);
            needs.uses.push_back(std::move(use));
        }
        all.push_back(std::move(needs));
    }
    return all;
}

std::string BodySimulation::bottleneck(double cycles) const {
    const llvm::MCSchedModel& model = state_->model();
    const BodyNeeds needs = state_->needs();
    double bound = static_cast<double>(needs.micro_operations) / model.IssueWidth;
    std::string name = fmt::format("{} micro-operations a cycle", model.IssueWidth);
    for (unsigned resource = 1; resource < needs.cycles.size(); ++resource) {
        const llvm::MCProcResourceDesc& unit = *model.getProcResource(resource);
        const double needed = static_cast<double>(needs.cycles[resource]) / unit.NumUnits;
        if (needed > bound) {
            bound = needed;
            name = unit.Name;
        }
    }
    constexpr double nearly_all = 0.85;
    return bound >= nearly_all * cycles ? name : "waiting for results";
}

} // namespace sparsight

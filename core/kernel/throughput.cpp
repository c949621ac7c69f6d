#include "kernel/throughput.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/MCA/Context.h>
#include <llvm/MCA/CustomBehaviour.h>
#include <llvm/MCA/InstrBuilder.h>
#include <llvm/MCA/Pipeline.h>
#include <llvm/MCA/SourceMgr.h>
#include <llvm/MCA/Support.h>

namespace sparsight {

namespace {

namespace mca = llvm::mca;

constexpr unsigned call_latency = 100; ///< as llvm-mca takes it; calls are left out here
/// Filling and draining the pipeline is in both, so that the difference is of what lies between.
constexpr unsigned few_iterations = 40;
constexpr unsigned many_iterations = 120;

class BodySimulation {
public:
    BodySimulation(const NamedProcessor& processor, const InstructionSet& instruction_set)
        : processor_(processor.subtarget())
        , set_(instruction_set)
        , analysis_(processor.target().createMCInstrAnalysis(set_.instructions.get()))
        , instruments_(processor_, *set_.instructions)
        , builder_(processor_, *set_.instructions, *set_.registers, analysis_.get(), instruments_,
                   call_latency) {}

    Result<void> add(const llvm::MCInst& instruction) {
        const llvm::MCInstrDesc& meaning = set_.instructions->get(instruction.getOpcode());
        if (meaning.isCall() || meaning.isReturn())
            return {};
        auto added = builder_.createInstruction(instruction, {});
        if (!added) {
            llvm::consumeError(added.takeError());
            return fail(Fault::Environment,
                        fmt::format("LLVM's scheduling model of {} does not know the instruction {}",
                                    processor_.getCPU().str(),
                                    set_.instructions->getName(instruction.getOpcode()).str()));
        }
        body_.push_back(std::move(*added));
        return {};
    }

    [[nodiscard]] bool is_empty() const { return body_.empty(); }

    Result<double> cycles_an_iteration() {
        const auto few = cycles(few_iterations);
        const auto many = cycles(many_iterations);
        if (!few || !many)
            return std::unexpected(few ? many.error() : few.error());
        return (*many - *few) / (many_iterations - few_iterations);
    }

    /// What bounds it from below, and the largest of those bounds' names.
    [[nodiscard]] std::string bottleneck(double cycles) const {
        const llvm::MCSchedModel& model = processor_.getSchedModel();
        double micro_operations = 0;
        std::vector<double> busy(model.getNumProcResourceKinds(), 0.0);
        llvm::SmallVector<std::uint64_t> masks(model.getNumProcResourceKinds());
        mca::computeProcResourceMasks(model, masks);
        for (const auto& instruction : body_) {
            micro_operations += instruction->getDesc().NumMicroOps;
            for (const auto& [mask, usage] : instruction->getDesc().Resources)
                if (const auto at = std::ranges::find(masks, mask); at != masks.end())
                    busy[static_cast<std::size_t>(at - masks.begin())] += usage.size();
        }
        double bound = micro_operations / model.IssueWidth;
        std::string name = fmt::format("{} micro-operations a cycle", model.IssueWidth);
        for (unsigned resource = 1; resource < busy.size(); ++resource) {
            const llvm::MCProcResourceDesc& unit = *model.getProcResource(resource);
            const double needed = busy[resource] / unit.NumUnits;
            if (needed > bound) {
                bound = needed;
                name = unit.Name;
            }
        }
        constexpr double nearly_all = 0.85;
        return bound >= nearly_all * cycles ? name : "waiting for results";
    }

private:
    Result<double> cycles(unsigned iterations) {
        mca::CircularSourceMgr source(body_, iterations);
        mca::CustomBehaviour behaviour(processor_, source, *set_.instructions);
        mca::Context hardware(*set_.registers, processor_);
        const mca::PipelineOptions as_the_model_says(0, 0, 0, 0, 0, 0, /*NoAlias=*/true);
        const auto pipeline = hardware.createDefaultPipeline(as_the_model_says, source, behaviour);
        auto total = pipeline->run();
        if (!total)
            return fail(Fault::Internal, "LLVM's analyser: " + llvm::toString(total.takeError()));
        return static_cast<double>(*total);
    }

    const llvm::MCSubtargetInfo& processor_;
    const InstructionSet& set_;
    std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
    mca::InstrumentManager instruments_;
    mca::InstrBuilder builder_;
    std::vector<std::unique_ptr<mca::Instruction>> body_;
};

} // namespace

Result<Throughput> throughput_of(llvm::ArrayRef<llvm::MCInst> body, const NamedProcessor& processor,
                                 const InstructionSet& instruction_set) {
    BodySimulation simulation(processor, instruction_set);
    for (const llvm::MCInst& instruction : body)
        if (auto added = simulation.add(instruction); !added)
            return std::unexpected(std::move(added).error());
    if (simulation.is_empty())
        return Throughput{0, "calls"};
    const auto cycles = simulation.cycles_an_iteration();
    if (!cycles)
        return std::unexpected(cycles.error());
    return Throughput{*cycles, simulation.bottleneck(*cycles)};
}

} // namespace sparsight

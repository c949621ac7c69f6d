#include "domains/sparse/clock/instruction_cost.h"

#include "domains/sparse/clock/kernel_module.h"
#include "domains/sparse/clock/machine_code.h"

namespace sparsight {

struct CodeAnalyser::State {
    explicit State(NamedProcessor named)
        : processor(std::move(named))
        , instruction_set(processor) {}

    NamedProcessor processor;
    InstructionSet instruction_set;

    [[nodiscard]] Result<KernelModule> module(const LoopNest& nest) const {
        return kernel_module(nest, processor.shape, *processor.code_generator, std::string(name(nest.op)));
    }
};

CodeAnalyser::CodeAnalyser(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
CodeAnalyser::~CodeAnalyser() = default;
CodeAnalyser::CodeAnalyser(CodeAnalyser&&) noexcept = default;
CodeAnalyser& CodeAnalyser::operator=(CodeAnalyser&&) noexcept = default;

Result<CodeAnalyser> CodeAnalyser::make(std::string_view cpu) {
    auto processor = find_processor(cpu);
    if (!processor)
        return std::unexpected(std::move(processor).error());
    return CodeAnalyser(std::make_unique<State>(std::move(*processor)));
}

std::string_view CodeAnalyser::cpu() const {
    return state_->processor.cpu;
}

std::string_view CodeAnalyser::architecture() const {
    return state_->processor.architecture;
}

const KernelTarget& CodeAnalyser::target() const {
    return state_->processor.shape;
}

Result<std::vector<InstructionCost>> CodeAnalyser::analyse(const LoopNest& nest) const {
    auto module = state_->module(nest);
    if (!module)
        return std::unexpected(std::move(module).error());
    auto arithmetic = arithmetic_of_loops(*module->module);
    const auto assembly = assembly_of(*module->module, *state_->processor.code_generator);
    if (!assembly)
        return std::unexpected(assembly.error());
    const auto loops = loops_in(*assembly, state_->processor, state_->instruction_set);
    if (!loops)
        return std::unexpected(loops.error());
    std::vector<InstructionCost> costs;
    for (const MachineLoop& loop : *loops) {
        auto throughput = throughput_of(loop.instructions, state_->processor, state_->instruction_set);
        if (!throughput)
            return std::unexpected(std::move(throughput).error());
        constexpr int float_bits = 32;
        const LoopArithmetic of_loop = arithmetic[loop.block];
        costs.push_back({loop_of_block(loop.block), loop.depth, loop.innermost,
                         static_cast<int>(loop.instructions.size()), throughput->cycles,
                         of_loop.multiply_adds, of_loop.lanes > 1 ? float_bits * of_loop.lanes : 0,
                         std::move(throughput->bottleneck)});
    }
    return costs;
}

Result<std::string> CodeAnalyser::print_assembly(const LoopNest& nest) const {
    auto module = state_->module(nest);
    if (!module)
        return std::unexpected(std::move(module).error());
    return assembly_of(*module->module, *state_->processor.code_generator);
}

std::vector<std::string> analysed_processors(std::string_view architecture) {
    return processors_with_model(architecture);
}

} // namespace sparsight

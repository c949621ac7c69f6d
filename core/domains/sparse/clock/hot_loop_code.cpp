#include "domains/sparse/clock/hot_loop_code.h"

#include "domains/sparse/clock/kernel_module.h"
#include "domains/sparse/clock/machine_code.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/operator.h"

#include <utility>

namespace sparsight {
namespace {

/// The short branch of x86 at the end goes back to the beginning, as in the whole kernel.
void aim_branch_back(std::vector<std::uint8_t>& code) {
    constexpr std::size_t farthest = 128;
    if (code.size() < 2 || code.size() > farthest || code.back() != 0)
        return;
    const std::uint8_t opcode = code[code.size() - 2];
    const bool is_short_branch = (opcode & 0xF0U) == 0x70U || opcode == 0xEBU;
    if (is_short_branch)
        code.back() = static_cast<std::uint8_t>(-static_cast<int>(code.size()));
}

} // namespace

Result<HotLoopCode> hot_loop_code(const SuperSchedule& schedule, const Extents& extents,
                                  std::string_view cpu) {
    const auto processor = find_processor(cpu);
    if (!processor)
        return std::unexpected(processor.error());
    const InstructionSet instruction_set(*processor);
    const LoopNest nest = lower(canonical(schedule), extents, processor->shape);
    auto module =
        kernel_module(nest, processor->shape, *processor->code_generator, std::string(name(nest.op)));
    if (!module)
        return std::unexpected(std::move(module).error());
    const auto arithmetic = arithmetic_of_loops(*module->module);
    const auto assembly = assembly_of(*module->module, *processor->code_generator);
    if (!assembly)
        return std::unexpected(assembly.error());
    auto loops = loops_in(*assembly, *processor, instruction_set);
    if (!loops)
        return std::unexpected(std::move(loops).error());
    HotLoopCode hot;
    for (MachineLoop& loop : *loops) {
        const auto of_loop = arithmetic.find(loop.block);
        if (of_loop == arithmetic.end() || of_loop->second.multiply_adds <= hot.multiply_adds)
            continue;
        hot = {loop_of_block(loop.block), loop.depth, std::move(loop.code), of_loop->second.multiply_adds, 0};
    }
    if (hot.multiply_adds == 0)
        return fail(Fault::Input, "the machine code has no loop that multiplies and adds");
    if (processor->triple().isX86())
        aim_branch_back(hot.code);
    const auto dense = dense_index(schedule.op); // each stored entry is multiplied with all its values
    hot.entries = static_cast<double>(hot.multiply_adds) / (dense ? static_cast<double>(extents[*dense]) : 1);
    return hot;
}

} // namespace sparsight

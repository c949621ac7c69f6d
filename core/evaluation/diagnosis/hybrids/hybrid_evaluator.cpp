#include "evaluation/diagnosis/hybrids/hybrid_evaluator.h"

#include "domains/sparse/kernel/lowering/program_signature.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

namespace sparsight {

std::optional<KernelTarget> kernel_target_of(const MachineParameters& machine) {
    const auto accumulators = static_cast<int>(machine[MachineParameter::Accumulators]);
    if (accumulators < 1)
        return std::nullopt;
    return KernelTarget{static_cast<int>(machine[MachineParameter::Lanes]), accumulators, 0};
}

std::string ProgramIdentity::of(const SuperSchedule& schedule) const {
    if (target_)
        return program_signature(schedule, extents_, *target_);
    return to_text(canonical_without_threads(schedule));
}

} // namespace sparsight

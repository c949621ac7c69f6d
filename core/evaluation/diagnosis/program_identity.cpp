#include "evaluation/diagnosis/program_identity.h"

#include "kernel/program_signature.h"
#include "schedule/meaning.h"
#include "schedule/text.h"

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
    return to_text(tried_meaning(schedule));
}

} // namespace sparsight

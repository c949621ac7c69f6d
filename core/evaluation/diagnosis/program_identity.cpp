#include "evaluation/diagnosis/program_identity.h"

#include "kernel/program_signature.h"
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
    SuperSchedule meant = canonical(schedule);
    meant.threads = 1;
    return to_text(meant);
}

} // namespace sparsight

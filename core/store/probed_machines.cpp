#include "store/probed_machines.h"

#include "machine/machine_json.h"
#include "store/imagined_machines.h"

namespace sparsight {

Result<MachineId> record_probed_machine(Workspace& workspace, MachineDescription machine) {
    const std::string fingerprint = machine.fingerprint();
    const auto known = find_machine(workspace, fingerprint);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        if (auto before = description_of(**known)) {
            machine.coefficients.insert(before->coefficients.begin(), before->coefficients.end());
            machine.calibration = std::move(before->calibration);
        }
    return record_machine(workspace, machine.name, fingerprint, machine_to_text(machine));
}

} // namespace sparsight

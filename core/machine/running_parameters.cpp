#include "machine/running_parameters.h"

#include <algorithm>

namespace sparsight {

MachineParameters running_parameters(const MachineDescription& machine, int threads) {
    MachineParameters parameters = resolve_parameters(machine).values;
    const auto ran = static_cast<double>(threads);
    const bool is_known = machine.threads || machine.cores;
    double& all = parameters[MachineParameter::Threads];
    all = is_known ? std::min(all, ran) : ran;
    if (!is_known)
        parameters[MachineParameter::Cores] = all;
    return parameters;
}

} // namespace sparsight

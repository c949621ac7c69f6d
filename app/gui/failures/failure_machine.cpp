#include "gui/failures/failure_machine.h"

#include "machine/probe.h"
#include "store/imagined_machines.h"

namespace sparsight {

std::optional<SimulatedMachine> machine_of_failures(Workspace& workspace, const std::string& fingerprint) {
    const auto record = find_machine(workspace, fingerprint);
    if (record && *record)
        if (auto known = description_of(**record))
            return SimulatedMachine{QString::fromStdString((*record)->name), *std::move(known), false};
    auto here = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    if (!here)
        return std::nullopt;
    const QString name = QString::fromStdString(here->name);
    return SimulatedMachine{name, *std::move(here), true};
}

} // namespace sparsight

#include "gui/comparison/simulated_machine.h"

#include "gui/workspace/workspace_session.h"
#include "machine/probe.h"
#include "store/imagined_machines.h"

namespace sparsight {

MachineRequest::MachineRequest(const WorkspaceSession& session, const QString& fingerprint)
    : is_here_(fingerprint.isEmpty() || fingerprint == session.this_machine()) {
    const MachineRecord* const record =
        session.machine(fingerprint.isEmpty() ? session.this_machine() : fingerprint);
    if (record == nullptr)
        return;
    name_ = QString::fromStdString(record->name);
    known_ = description_of(*record);
}

SimulatedMachine MachineRequest::resolve() const {
    if (known_)
        return {name_, *known_, false};
    const auto here = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    MachineDescription machine = here ? *here : MachineDescription{};
    const QString name = QString::fromStdString(machine.name);
    return {name, std::move(machine), !is_here_};
}

} // namespace sparsight

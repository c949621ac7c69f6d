// The machine on which two schedules are simulated beside each other.
#pragma once

#include "machine/machine_description.h"

#include <QString>
#include <optional>

namespace sparsight {

class WorkspaceSession;

struct SimulatedMachine {
    QString name;
    MachineDescription machine;
    /// Another one is meant, of which no more than its name is known: this computer stands in for it.
    bool stands_in = false;
};

/// The one of this fingerprint, empty: this computer. Where the workspace has no description it is looked for
/// by probe(), which takes moments: for another thread.
class MachineRequest {
public:
    MachineRequest(const WorkspaceSession& session, const QString& fingerprint);

    [[nodiscard]] SimulatedMachine resolve() const;

private:
    QString name_;
    std::optional<MachineDescription> known_;
    bool is_here_ = true;
};

} // namespace sparsight

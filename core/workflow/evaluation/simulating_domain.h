// What a domain with a simulator brings to evaluations on machines of which only a description is there:
// times that the workspace lacks are made when they are needed.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "collection/collector.h"
#include "store/machines.h"
#include "study/workload.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

/// How the times of a simulated machine are stored.
struct SimulatedConditions {
    std::string protocol;
    std::optional<int> threads{};
};

struct WantedTimes {
    Setting setting;
    MachineRecord machine;
    ConfigurationsByWorkload chosen; ///< by models; of each workload of the evaluation
    std::uint64_t seed = 1;          ///< of what is drawn
};

class SimulatingDomain {
public:
    SimulatingDomain() = default;
    SimulatingDomain(const SimulatingDomain&) = delete;
    SimulatingDomain& operator=(const SimulatingDomain&) = delete;
    virtual ~SimulatingDomain() = default;

    /// As Domain::name().
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Nothing for a machine that it makes no times of.
    [[nodiscard]] virtual std::optional<SimulatedConditions>
    conditions(const MachineRecord& machine) const = 0;
    /// Stores the times that the workspace lacks: of the baseline and of what was chosen. On a workload
    /// without any time there, others are drawn, so that the best known is not just the best of the choices.
    /// A workload is stored as a whole: after a stop the same goes on behind it. Returns those that failed.
    /// Errors: of the workspace; Fault::Cancelled.
    [[nodiscard]] virtual Result<std::vector<CollectionFailure>>
    supply(Workspace& workspace, const WantedTimes& wanted, Observer& observer,
           const std::stop_token& stop) const = 0;
};

} // namespace sparsight

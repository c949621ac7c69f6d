// What the experiment on transfer between machines is about: times of workloads on several machines, and
// those of networks on each.
#pragma once

#include "learning/transfer/network_tuning.h"
#include "workflow/learning/experiments/hardware_run.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace sparsight {

/// Not to be copied: its targets point into its spaces.
struct HardwareStudy {
    KnownSheets sheets;
    std::vector<TimedSpace> spaces;      ///< of workloads with times of enough machines
    std::vector<TransferTarget> targets; ///< as the pairs of the outcome
    std::vector<TimedSpace> layers;      ///< of the workloads of networks
    std::vector<NetworkTarget> networks;

    HardwareStudy() = default;
    HardwareStudy(const HardwareStudy&) = delete;
    HardwareStudy& operator=(const HardwareStudy&) = delete;
    HardwareStudy(HardwareStudy&&) = delete;
    HardwareStudy& operator=(HardwareStudy&&) = delete;
    ~HardwareStudy() = default;
};

/// Fills the study, and the pairs of the outcome. Errors (Input): nothing to transfer; unknown machines and
/// settings.
[[nodiscard]] Result<void> read_hardware_study(Workspace& workspace, const LearningDomain& domain,
                                               const HardwareRequest& request, HardwareStudy& study,
                                               HardwareOutcome& outcome, Observer& observer,
                                               const std::stop_token& stop);

/// Changes with any time, decision or sheet that the results depend on.
[[nodiscard]] std::uint64_t digest_of(const std::vector<TimedSpace>& spaces, const KnownSheets& sheets);

} // namespace sparsight

// The models, workloads, machine and setting of an evaluation, after all names are looked up.
#pragma once

#include "store/machines.h"
#include "store/models.h"
#include "store/workloads.h"
#include "workflow/evaluation/evaluation_job.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct EvaluationPlan {
    const Domain* domain = nullptr;               ///< points into the registry
    const MeasuringDomain* measuring = nullptr;   ///< measures on this computer; nullptr: times are looked up
    const SimulatingDomain* simulating = nullptr; ///< makes those that are missing; nullptr: nothing does
    Setting setting;
    std::vector<ModelRecord> models;
    std::vector<WorkloadRecord> workloads;
    MachineRecord machine;
    std::string protocol;
    std::string condition{};    ///< condition of recorded runs
    std::optional<int> threads; ///< threads as stored; absent: as recorded
    /// The workloads that a model or one of its ancestors was trained on, in any form.
    std::vector<std::string> trained;
    std::vector<std::string> remarks{}; ///< sentences about models that were made for another setting
};

[[nodiscard]] Result<EvaluationPlan> plan_evaluation(Workspace& workspace, const DomainRegistry& domains,
                                                     const MeasuringDomains& measuring,
                                                     const EvaluationRequest& request);

/// The parameters by which an earlier run of the same plan is found.
[[nodiscard]] Json parameters_of(const EvaluationPlan& plan, const EvaluationRequest& request,
                                 std::uint64_t seed);

} // namespace sparsight

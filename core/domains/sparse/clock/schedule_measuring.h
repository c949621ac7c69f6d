// Measuring schedules as the engine's MeasuringDomain, for every domain whose configurations are
// SuperSchedules.
#pragma once

#include "collection/measuring_domain.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sparsight {

/// What such a domain has of its own.
struct MeasuredSchedules {
    std::unique_ptr<const Domain> domain;
    /// The data of a workload, with operands. Errors: as MeasuringSession::open().
    std::function<Result<KernelInputs>(Workspace&, const WorkloadRecord&, const MeasuringConditions&)> load;
    /// MeasuringDomain::statistics()
    std::function<std::optional<std::vector<double>>(Workspace&, const WorkloadRecord&)> statistics;
};

/// Its samplers are those of schedule/sampler.h.
[[nodiscard]] std::unique_ptr<const MeasuringDomain> measuring_of(MeasuredSchedules schedules);

/// Of matrices.
[[nodiscard]] std::unique_ptr<const MeasuringDomain> make_sparse_measuring();

} // namespace sparsight

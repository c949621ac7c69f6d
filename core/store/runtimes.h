// Everything that was measured on one machine, in one query: what learning reads.
#pragma once

#include "base/error.h"
#include "kernel/measurement.h"
#include "schedule/super_schedule.h"
#include "store/machines.h"
#include "store/matrices.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// Measurements that can be compared, but for their matrices.
struct RuntimeSource {
    MachineId machine{};
    Operator op = Operator::SpMM;
    std::int64_t dense = 256; ///< ignored for SpMV
    std::string protocol;
};

struct StoredRuntime {
    MatrixId matrix{};
    SuperSchedule schedule;
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms; ///< as in Measurement: only for Measured and GaveUp
    std::optional<double> spread_ms; ///< absent where it is not known, as of imported runtimes
};

/// By matrix, in the order in which they were recorded.
[[nodiscard]] Result<std::vector<StoredRuntime>> list_runtimes(Workspace& workspace,
                                                               const RuntimeSource& source);

struct CountedSource {
    RuntimeSource source;
    std::int64_t measurements = 0;
};

/// What there is for an operator and a dense extent, by machine; of a machine the protocol with the most
/// measurements first.
[[nodiscard]] Result<std::vector<CountedSource>> runtime_sources(Workspace& workspace, Operator op,
                                                                 std::int64_t dense);

} // namespace sparsight

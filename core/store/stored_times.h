// All measurements one by one, with the names of what they are of: for files that hold many of them.
#pragma once

#include "base/error.h"
#include "store/results.h"
#include "study/measurement.h"
#include "study/workload.h"

#include <functional>
#include <optional>
#include <string>

namespace sparsight {

class Workspace;

struct StoredTime {
    std::string workload;
    std::string machine;
    Setting setting;
    std::string condition;
    std::string configuration;                            ///< canonical
    MeasurementStatus status = MeasurementStatus::Failed; ///< Damaged as in find_measurement()
    std::optional<double> median_ms;
    std::optional<double> spread_ms;
    int repeats = 0;
    std::string reason;
    std::string measured; ///< UTC, ISO 8601
};

/// In the order in which they were first recorded; memory does not depend on how many there are. Of the query
/// the domain, workload, machine, setting and protocol count. An error of `visit` ends the walk.
[[nodiscard]] Result<void> visit_times(Workspace& workspace, const ResultQuery& query,
                                       const std::function<Result<void>(const StoredTime&)>& visit);

} // namespace sparsight

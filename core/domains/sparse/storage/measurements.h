// SuperSchedules and their measurements in a workspace.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/matrices.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/runs.h"
#include "study/measurement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

[[nodiscard]] WrittenConfiguration written(const SuperSchedule& schedule);

/// The schedule of a stored text. An error names the file and the text, which another program must have
/// written.
[[nodiscard]] Result<SuperSchedule> read_stored_schedule(const Workspace& workspace,
                                                         const WrittenConfiguration& configuration);

/// The setting of a measurement. The protocol is a part of it: medians are comparable only if they were
/// measured in the same way.
struct MeasurementSetting {
    WorkloadId matrix{};
    MachineId machine{};
    std::int64_t dense = 256; ///< the extent of the dense index; ignored for SpMV
    std::string protocol = "adaptive";
};

/// One committed transaction: once this has returned, the measurement survives a SIGKILL. A measurement of
/// the same setting and schedule is replaced.
[[nodiscard]] Result<void> record_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                              const SuperSchedule& schedule, const Measurement& measurement,
                                              std::optional<RunId> run = std::nullopt);

[[nodiscard]] Result<std::optional<Measurement>>
find_measurement(Workspace& workspace, const MeasurementSetting& setting, const SuperSchedule& schedule);

/// The schedules without a measurement (of any status) in this setting, in the order given, without
/// duplicates: the rest of a resumed collection.
[[nodiscard]] Result<std::vector<SuperSchedule>> missing_schedules(Workspace& workspace,
                                                                   const MeasurementSetting& setting,
                                                                   Operator op,
                                                                   std::span<const SuperSchedule> schedules);

/// The shortest median measured in this setting with this number of threads, if any: the time that the rest
/// of a collection has to beat.
[[nodiscard]] Result<std::optional<Milliseconds>>
shortest_median(Workspace& workspace, const MeasurementSetting& setting, Operator op, int threads);

} // namespace sparsight

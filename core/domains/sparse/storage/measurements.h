// The schedules and measurements of a workspace. A schedule is stored once for each text and operator,
// beside its canonical text, which shows when two texts mean the same. A matrix, a machine, a schedule, a
// dense extent and a protocol have at most one measurement.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/matrices.h"
#include "store/machines.h"
#include "store/runs.h"
#include "study/measurement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

enum class ScheduleId : std::int64_t {};

/// The id of this schedule as written; a new schedule is added.
[[nodiscard]] Result<ScheduleId> record_schedule(Workspace& workspace, const SuperSchedule& schedule);

/// The schedule of a stored text. An error names the file and the text, which another program must have
/// written.
[[nodiscard]] Result<SuperSchedule> read_stored_schedule(const Workspace& workspace, std::string_view op,
                                                         std::string_view text);

/// The number of known schedules.
[[nodiscard]] Result<std::int64_t> count_schedules(Workspace& workspace);

/// The setting of a measurement. The protocol is a part of it: medians are comparable only if they were
/// measured in the same way.
struct MeasurementSetting {
    WorkloadId matrix{};
    MachineId machine{};
    std::int64_t dense = 256; ///< the extent of the dense index; 1 is stored for SpMV, which has none
    std::string protocol = "adaptive";
};

/// The dense extent under which measurements of the operator are stored.
[[nodiscard]] std::int64_t stored_dense(Operator op, std::int64_t dense);

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

[[nodiscard]] Result<std::int64_t> count_measurements(Workspace& workspace);

} // namespace sparsight

// SuperSchedules of a workspace: each text once for its operator, beside its canonical text, which tells when
// two texts mean the same.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "store/machines.h"
#include "store/matrices.h"
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

/// The id of this schedule as written; it is added when it is new.
[[nodiscard]] Result<ScheduleId> record_schedule(Workspace& workspace, const SuperSchedule& schedule);

/// What is written of a schedule in the file. An error names the file and the text: somebody else wrote
/// there.
[[nodiscard]] Result<SuperSchedule> read_stored_schedule(const Workspace& workspace, std::string_view op,
                                                         std::string_view text);

/// How many are known.
[[nodiscard]] Result<std::int64_t> count_schedules(Workspace& workspace);

// What was measured: a matrix, a machine, a schedule, a dense extent and a protocol have one measurement at
// most.

/// Where a schedule is measured. The protocol belongs to it: a median means something only beside others that
/// were taken in the same way.
struct MeasurementSetting {
    MatrixId matrix{};
    MachineId machine{};
    std::int64_t dense = 256; ///< the extent of the dense index; 1 is stored for SpMV, which has none
    std::string protocol = "adaptive";
};

/// One committed transaction: once this has returned, the measurement survives a SIGKILL. A measurement of
/// the same setting and schedule is replaced.
[[nodiscard]] Result<void> record_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                              const SuperSchedule& schedule, const Measurement& measurement,
                                              std::optional<RunId> run = std::nullopt);

[[nodiscard]] Result<std::optional<Measurement>>
find_measurement(Workspace& workspace, const MeasurementSetting& setting, const SuperSchedule& schedule);

/// Those without a measurement (of any status) in this setting, in the order given, each meaning once: what
/// is left to do when a collection goes on.
[[nodiscard]] Result<std::vector<SuperSchedule>> missing_schedules(Workspace& workspace,
                                                                   const MeasurementSetting& setting,
                                                                   Operator op,
                                                                   std::span<const SuperSchedule> schedules);

/// The shortest median measured in this setting with this number of threads, if any: what the rest of a
/// collection has to beat.
[[nodiscard]] Result<std::optional<Milliseconds>>
shortest_median(Workspace& workspace, const MeasurementSetting& setting, Operator op, int threads);

[[nodiscard]] Result<std::int64_t> count_measurements(Workspace& workspace);

} // namespace sparsight

// The configurations and measurements of a workspace. A configuration is stored once for each text and
// family, beside its canonical text, which shows when two texts mean the same. A workload, a machine, a
// setting, a protocol, a condition and a configuration have at most one measurement.
#pragma once

#include "base/error.h"
#include "store/machines.h"
#include "store/runs.h"
#include "store/workloads.h"
#include "study/configuration.h"
#include "study/measurement.h"
#include "study/workload.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

class Statement;
class Workspace;

enum class ConfigurationId : std::int64_t {};

/// The id of this configuration as written; a new one is added.
[[nodiscard]] Result<ConfigurationId> record_configuration(Workspace& workspace,
                                                           const WrittenConfiguration& configuration);

/// For the files of this folder: reads the columns domain, family, text, canonical, threads and is_baseline,
/// the first of them at column `first`.
[[nodiscard]] WrittenConfiguration read_configuration(const Statement& row, int first);

/// What times must have in common to be comparable.
struct MeasurementConditions {
    WorkloadId workload{};
    MachineId machine{};
    Setting setting;
    std::string protocol = "adaptive"; ///< medians are comparable only if they were measured in the same way
    std::string condition{};           ///< of the run, as recorded: "run=2021-03"; mostly empty
};

/// The current date as in ResultRecord::measured: UTC, with milliseconds, ending with Z.
[[nodiscard]] std::string measuring_date();

/// One committed transaction: once this has returned, the measurement survives a SIGKILL. A measurement of
/// the same conditions and configuration is replaced; its time stays among list_earlier_results(), unless it
/// was simulated or has the same date. A measured time of the same engine is never replaced by a failure:
/// that is noted beside it (list_failed_repeats()). Who improves on a time of the same session gives that
/// one's date as `measured`; it is now where it is absent.
[[nodiscard]] Result<void> record_measurement(Workspace& workspace, const MeasurementConditions& conditions,
                                              const WrittenConfiguration& configuration,
                                              const Measurement& measurement,
                                              std::optional<RunId> run = std::nullopt,
                                              const std::optional<std::string>& measured = std::nullopt);
/// The same; false where an earlier time stands, as the measurement is a failure.
[[nodiscard]] Result<bool> offer_measurement(Workspace& workspace, const MeasurementConditions& conditions,
                                             const WrittenConfiguration& configuration,
                                             const Measurement& measurement,
                                             std::optional<RunId> run = std::nullopt,
                                             const std::optional<std::string>& measured = std::nullopt);

/// The measurement of this configuration as written. A row that does not match its checksum, since the file
/// was damaged, is MeasurementStatus::Damaged and has no time, here and wherever measurements are listed.
[[nodiscard]] Result<std::optional<Measurement>> find_measurement(Workspace& workspace,
                                                                  const MeasurementConditions& conditions,
                                                                  const WrittenConfiguration& configuration);

/// Which measurements of a configuration count; an absent field admits all.
struct MeasurementAge {
    std::optional<std::string> engine{}; ///< as Measurement::engine
    std::optional<std::string> since{};  ///< measured, or tried in vain, after this date
};

/// The canonical texts of the configurations that have an undamaged measurement (of any status) under these
/// conditions.
[[nodiscard]] Result<std::vector<std::string>>
measured_canonical_texts(Workspace& workspace, const MeasurementConditions& conditions,
                         const MeasurementAge& age = {});

/// The canonical texts of the configurations that a workload has measurements of in a setting, on any
/// machine, each once and in the order in which they were first recorded: SpaceRequest::recorded.
[[nodiscard]] Result<std::vector<std::string>>
recorded_canonical_texts(Workspace& workspace, const Setting& setting, WorkloadId workload);

/// The shortest median measured under these conditions with this number of threads, if any, by `engine`
/// where one is named.
[[nodiscard]] Result<std::optional<Milliseconds>>
shortest_median(Workspace& workspace, const MeasurementConditions& conditions, int threads,
                const std::optional<std::string>& engine = {});

[[nodiscard]] Result<std::int64_t> count_measurements(Workspace& workspace);

/// The common source of measurements that can be compared with each other on each workload.
struct RuntimeQuery {
    MachineId machine{};
    Setting setting;
    std::string protocol;
    std::string condition{};
    int threads = 1; ///< as in the configurations: on this computer those that really ran
    /// Of the times, as Measurement::engine, empty where none is known; absent: whatever it is.
    std::optional<std::string> engine{};
};

/// One runtime of a RuntimeList.
struct ListedRuntime {
    WorkloadId workload{};
    std::size_t configuration = 0; ///< place in RuntimeList::configurations
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms; ///< as in Measurement: only for Measured and GaveUp
    std::optional<double> spread_ms; ///< absent where it is not known, as for imported runtimes
};

struct RuntimeList {
    std::vector<WrittenConfiguration> configurations; ///< each once
    std::vector<ListedRuntime> runtimes; ///< by workload, in the order in which they were recorded
};

[[nodiscard]] Result<RuntimeList> list_runtimes(Workspace& workspace, const RuntimeQuery& query);

struct CountedRuntimes {
    RuntimeQuery query; ///< with the engine of the most measurements
    std::int64_t measurements = 0;
    std::int64_t workloads = 0;     ///< number of their workloads
    std::int64_t with_data = 0;     ///< number of those whose data is known
    std::int64_t other_engines = 0; ///< measurements by other engines, which can't be compared with these
};

/// The queries that have runtimes in a setting, by machine; for each machine the protocol, condition and
/// number of threads with the most measurements first.
[[nodiscard]] Result<std::vector<CountedRuntimes>> count_runtimes(Workspace& workspace,
                                                                  const Setting& setting);

struct CountedSettings {
    Setting setting;
    std::int64_t measurements = 0;
};

/// The settings of all measurements, on any machine; the one with the most measurements first.
[[nodiscard]] Result<std::vector<CountedSettings>> count_settings(Workspace& workspace);

struct MachineWithTimes {
    std::string fingerprint;
    std::string name;
    std::int64_t times = 0; ///< in any setting
};

/// Machines with times of a workload, those with most first.
[[nodiscard]] Result<std::vector<MachineWithTimes>>
machines_with_times(Workspace& workspace, std::string_view domain, std::string_view workload);

} // namespace sparsight

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
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
/// that is noted beside it. Who improves on a time of the same session gives that one's date as `measured`;
/// it is now where it is absent.
[[nodiscard]] Result<void> record_measurement(Workspace& workspace, const MeasurementConditions& conditions,
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
/// Those that do not match their checksum.
[[nodiscard]] Result<std::int64_t> count_damaged_measurements(Workspace& workspace);

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

/// A measurement as users read it: with names, and beside the baseline of the same workload, machine,
/// setting, protocol, condition and number of threads.
struct ResultRecord {
    std::string workload;
    std::string machine;             ///< its name; several may have one
    std::string machine_fingerprint; ///< tells it from others
    Setting setting;
    std::string protocol;
    std::string condition;
    std::string family;        ///< of the configuration
    std::string configuration; ///< its text as it was written
    int threads = 1;
    bool is_baseline = false;
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms; ///< absent where there is no time
    std::optional<double> spread_ms;
    /// Over the baseline at that moment (Measurement::reference), or else over the baseline that the same
    /// engine measured last; absent unless both were measured.
    std::optional<double> speedup;
    std::uint64_t bytes = 0;
    std::string reason;
    std::string measured; ///< UTC, ISO 8601

    // As in Measurement.
    std::string engine{};
    std::optional<double> reference_ms{};
    std::optional<double> scatter_ms{};
    std::optional<double> error_ms{};
    std::optional<double> drift_ms{};
    std::optional<double> disturbance{};

    bool operator==(const ResultRecord&) const = default;
};

/// What decides the place of a result among those that compare with it.
struct RankedTime {
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms{};
    std::optional<double> speedup{}; ///< at its moment, as in ResultRecord
};

/// The places of results that compare with each other, the fastest first; every list and every "best" goes by
/// this rule. Measured ones come by their speedup, since a drift of the computer between their moments
/// cancels in it, or by their median where one of them has no speedup. Abandoned ones follow by their bound,
/// then those without a time. Equal ones keep their order.
[[nodiscard]] std::vector<std::size_t> fastest_first(std::span<const RankedTime> times);

/// Sorts by that rule.
template <typename Row, typename TimeOf>
void sort_fastest_first(std::vector<Row>& rows, const TimeOf& time_of) {
    std::vector<RankedTime> times;
    for (const Row& row : rows)
        times.push_back(time_of(row));
    std::vector<Row> sorted;
    sorted.reserve(rows.size());
    for (const std::size_t place : fastest_first(times))
        sorted.push_back(std::move(rows[place]));
    rows = std::move(sorted);
}

/// An empty field admits everything.
struct ResultQuery {
    std::string domain{};
    std::string workload{};
    std::string machine{}; ///< name or fingerprint
    std::string family{};  ///< of configurations
    std::string setting{}; ///< a setting's text
    std::string protocol{};
    std::optional<int> threads{};
    std::optional<std::string> condition{};
};

/// The results in the order in which they were first recorded.
[[nodiscard]] Result<std::vector<ResultRecord>> list_results(Workspace& workspace, const ResultQuery& query);

/// Times that were replaced since, as their configurations were measured again under the same conditions:
/// with the median, the spread and the date of then, and without a speedup. In the order of list_results(),
/// of each measurement the oldest first.
[[nodiscard]] Result<std::vector<ResultRecord>> list_earlier_results(Workspace& workspace,
                                                                     const ResultQuery& query);

/// The protocols of all measurements, each once, in alphabetical order.
[[nodiscard]] Result<std::vector<std::string>> measured_protocols(Workspace& workspace);

} // namespace sparsight

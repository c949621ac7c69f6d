// SuperSchedules in a workspace: their measurements, runtimes as they are read for learning and for users,
// what models chose, and the times of rematches. A typed view of store/measurements.h and store/choices.h.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_codec.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/matrices.h"
#include "store/choices.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/models.h"
#include "store/results.h"
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

/// The schedule of a stored text. An error names the file and the text, which another program must have
/// written.
[[nodiscard]] Result<SuperSchedule> read_stored_schedule(const Workspace& workspace,
                                                         const WrittenConfiguration& configuration);

/// The protocol under which simulated runtimes are stored, beside "adaptive" and "waco".
inline constexpr std::string_view simulated_protocol = "simulated";

/// The setting of a measurement. The protocol is a part of it: medians are comparable only if they were
/// measured in the same way.
struct MeasurementSetting {
    WorkloadId matrix{};
    MachineId machine{};
    std::int64_t dense = 256; ///< the extent of the dense index; ignored for SpMV
    std::string protocol = "adaptive";
};

/// One committed transaction: once this has returned, the measurement survives a SIGKILL. A measurement of
/// the same setting and schedule is replaced; `measured` as in store/measurements.h.
[[nodiscard]] Result<void> record_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                              const SuperSchedule& schedule, const Measurement& measurement,
                                              std::optional<RunId> run = std::nullopt,
                                              const std::optional<std::string>& measured = std::nullopt);

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

/// The common source of measurements that can be compared with each other on each matrix.
struct RuntimeSource {
    MachineId machine{};
    Operator op = Operator::SpMM;
    std::int64_t dense = 256; ///< ignored for SpMV
    std::string protocol;
    int threads = 1;                     ///< as in the schedules: on this computer those that really ran
    std::optional<std::string> engine{}; ///< as RuntimeQuery::engine
};

struct StoredRuntime {
    WorkloadId matrix{};
    SuperSchedule schedule;
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms; ///< as in Measurement: only for Measured and GaveUp
    std::optional<double> spread_ms; ///< absent where it is not known, as for imported runtimes
};

/// The runtimes of a source by matrix, in the order in which they were recorded.
[[nodiscard]] Result<std::vector<StoredRuntime>> list_runtimes(Workspace& workspace,
                                                               const RuntimeSource& source);

struct CountedSource {
    RuntimeSource source;
    std::int64_t measurements = 0;
    std::int64_t matrices = 0;      ///< number of their matrices, without those of unknown pattern
    std::int64_t other_engines = 0; ///< as CountedRuntimes::other_engines
};

/// The sources for an operator and a dense extent, by machine; for each machine the protocol and number of
/// threads with the most measurements first.
[[nodiscard]] Result<std::vector<CountedSource>> runtime_sources(Workspace& workspace, Operator op,
                                                                 std::int64_t dense);

struct CountedSetting {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256; ///< 1 for SpMV
    std::int64_t measurements = 0;
};

/// The settings of all measurements, on any machine; the one with the most measurements first.
[[nodiscard]] Result<std::vector<CountedSetting>> runtime_settings(Workspace& workspace);

/// A measurement as users read it: with names, and beside fixed CSR on the same matrix, machine, operator,
/// dense extent, protocol and number of threads.
struct ResultRow {
    std::string matrix;
    std::string machine;
    Operator op = Operator::SpMM;
    std::int64_t dense = 0;
    std::string protocol;
    int threads = 0;      ///< of the schedule
    std::string schedule; ///< as it was written
    bool is_fixed_csr = false;
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms; ///< absent where there is no time
    std::optional<double> spread_ms;
    std::optional<double> speedup_over_fixed_csr;   ///< absent unless both were measured
    std::optional<BaselineRange> fixed_csr_range{}; ///< ResultRecord::baseline_range
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

    bool operator==(const ResultRow&) const = default;
};

/// For sort_fastest_first() (store/results.h).
[[nodiscard]] inline RankedTime ranked_time(const ResultRow& row) {
    return {row.status, row.median_ms, row.speedup_over_fixed_csr};
}

/// An empty field admits everything.
struct ResultFilter {
    std::string matrix{};
    std::string machine{}; ///< name or fingerprint
    std::optional<Operator> op{};
    std::optional<std::int64_t> dense{};
    std::string protocol{};
    std::optional<int> threads{};

    bool operator==(const ResultFilter&) const = default;
};

/// The results in the order in which they were first recorded.
[[nodiscard]] Result<std::vector<ResultRow>> list_results(Workspace& workspace,
                                                          const ResultFilter& filter = {});

/// "; --machine can name X, which has times": of the machines that have one in this setting, but for the one
/// that was asked. Empty where there is none, or where it can't be read.
[[nodiscard]] std::string other_machines_hint(Workspace& workspace, const std::string& matrix, Operator op,
                                              std::int64_t dense, std::string_view asked);

struct ChosenSchedule {
    SuperSchedule schedule;
    double score =
        0; ///< the model's score; lower is faster. Not-a-number where it gave none, as for fixed CSR

    bool operator==(const ChosenSchedule&) const = default;
};

/// Replaces the choices of this model for this matrix within this run. In the order of the choice.
[[nodiscard]] Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, WorkloadId matrix,
                                          std::span<const ChosenSchedule> chosen);

struct ModelChoice {
    ModelId model{};
    WorkloadId matrix{};
    int rank = 1; ///< from 1
    ChosenSchedule chosen;

    bool operator==(const ModelChoice&) const = default;
};

/// All choices of a run, by model, matrix and rank.
[[nodiscard]] Result<std::vector<ModelChoice>> list_choices(Workspace& workspace, RunId run);
/// The choices of one model for one matrix, in their order; empty where it has not chosen.
[[nodiscard]] Result<std::vector<ChosenSchedule>> list_choices(Workspace& workspace, RunId run, ModelId model,
                                                               WorkloadId matrix);

} // namespace sparsight

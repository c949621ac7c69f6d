// Stored runtimes as they are read: all of one machine with one number of threads in one query, for
// learning, and results with names beside fixed CSR, for users.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/matrices.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "study/measurement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// The common source of measurements that can be compared with each other on each matrix.
struct RuntimeSource {
    MachineId machine{};
    Operator op = Operator::SpMM;
    std::int64_t dense = 256; ///< ignored for SpMV
    std::string protocol;
    int threads = 1; ///< as in the schedules: on this computer those that really ran
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
    std::int64_t matrices = 0; ///< number of their matrices, without those of unknown pattern
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
    std::optional<double> speedup_over_fixed_csr; ///< absent unless both were measured
    std::uint64_t bytes = 0;
    std::string reason;
    std::string measured; ///< UTC, ISO 8601

    bool operator==(const ResultRow&) const = default;
};

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

} // namespace sparsight

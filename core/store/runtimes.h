// Everything that was measured on one machine with one number of threads, in one query: what learning reads.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "study/measurement.h"

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
    int threads = 1; ///< as the schedules say: on this computer those that really ran
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
    std::int64_t matrices = 0; ///< that they are of, those of unknown pattern left out
};

/// What there is for an operator and a dense extent, by machine; of a machine the protocol and number of
/// threads with the most measurements first.
[[nodiscard]] Result<std::vector<CountedSource>> runtime_sources(Workspace& workspace, Operator op,
                                                                 std::int64_t dense);

struct CountedSetting {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256; ///< 1 for SpMV
    std::int64_t measurements = 0;
};

/// What was measured at all, on any machine; the setting with the most measurements first.
[[nodiscard]] Result<std::vector<CountedSetting>> runtime_settings(Workspace& workspace);

// Measurements as users read them: with names, and beside fixed CSR on the same matrix, machine, operator,
// dense extent, protocol and number of threads.

class Workspace;

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

/// What is empty admits all.
struct ResultFilter {
    std::string matrix{};
    std::string machine{}; ///< name or fingerprint
    std::optional<Operator> op{};
    std::optional<std::int64_t> dense{};
    std::string protocol{};
    std::optional<int> threads{};

    bool operator==(const ResultFilter&) const = default;
};

/// As they were first recorded.
[[nodiscard]] Result<std::vector<ResultRow>> list_results(Workspace& workspace,
                                                          const ResultFilter& filter = {});

/// The protocols of all measurements, each once, in alphabetical order.
[[nodiscard]] Result<std::vector<std::string>> measured_protocols(Workspace& workspace);

} // namespace sparsight

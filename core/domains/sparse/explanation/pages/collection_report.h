// The results of a collection, matrix by matrix (fixed CSR, the best schedule, the speedup, and what the
// matrix looks like), as values, as text for a terminal, as CSV and as one self-contained HTML page.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/statistics.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/time_differences.h"
#include "machine/machine_description.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// The time of fixed CSR that the speedup of a schedule is over: at that moment where it is known, else the
/// stored one.
[[nodiscard]] inline std::optional<double> fixed_csr_ms(const ResultRow& schedule,
                                                        const ResultRow& fixed_csr) {
    return schedule.reference_ms ? schedule.reference_ms : fixed_csr.median_ms;
}

/// The time of a schedule beside that of fixed CSR; absent without both.
[[nodiscard]] std::optional<CollectedTime> collected_time(const ResultRow& schedule,
                                                          const ResultRow& fixed_csr);

/// Whether its speedup is no noise (CollectedTime::verdict()). False without both times.
[[nodiscard]] bool differs_from_fixed_csr(const ResultRow& schedule, const ResultRow& fixed_csr);

struct MatrixFinding {
    std::string matrix;
    std::string source;
    PatternStatistics statistics;
    std::vector<std::byte> picture;     ///< PNG
    std::optional<ResultRow> fixed_csr; ///< that was measured last; absent when it was not measured
    std::vector<ResultRow> ranked;      ///< schedules with a time that were not abandoned, fastest first
    std::int64_t gave_up = 0;
    std::int64_t failed = 0; ///< too large, mismatch or failed

    /// The fastest; nullptr when nothing was measured.
    [[nodiscard]] const ResultRow* best() const { return ranked.empty() ? nullptr : &ranked.front(); }
    /// That the speedup is over: at the moment of the best where it is known (Measurement::reference).
    [[nodiscard]] std::optional<double> baseline_ms() const;
    /// Time of fixed CSR over that of the best.
    [[nodiscard]] std::optional<double> speedup() const;
    /// Whether the best beats fixed CSR beyond noise (differs_from_fixed_csr()).
    [[nodiscard]] bool gain_exceeds_noise() const;
};

struct CollectionReport {
    MachineDescription machine;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string protocol;
    std::string date;                    ///< UTC, ISO 8601, of the newest measurement
    std::string created_by;              ///< program and version
    std::vector<MatrixFinding> matrices; ///< as they were added to the workspace
    std::vector<Error> left_out;

    /// Geometric mean of the speedups; absent without any.
    [[nodiscard]] std::optional<double> mean_speedup() const;
};

struct ReportScope {
    std::vector<std::string> matrices; ///< none: all that were measured
    std::string machine;               ///< name or fingerprint, as in ResultFilter
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string protocol = "adaptive";
    int threads = 1; ///< of the kernels
};

/// Reads the measurements and patterns of the workspace and draws the pictures, on the threads of the scope.
/// A matrix whose pattern can't be loaded is left out and listed.
[[nodiscard]] Result<CollectionReport> summarise_collection(Workspace& workspace, const ReportScope& scope,
                                                            const MachineDescription& machine);

/// Aligned columns, one line a matrix: matrix, fixed CSR ms (MatrixFinding::baseline_ms()), best ms, speedup,
/// best schedule.
[[nodiscard]] std::string report_table(const CollectionReport& report);

/// One line a matrix (RFC 4180), the columns of the table first, then sizes, spreads and counts.
[[nodiscard]] std::string report_csv(const CollectionReport& report);

/// A self-contained page with pictures and style. Readable on paper and in dark mode.
/// Where models were evaluated on the collected data, their results follow the summary.
[[nodiscard]] std::string report_html(const CollectionReport& report,
                                      const ModelEvaluation* evaluation = nullptr);

} // namespace sparsight

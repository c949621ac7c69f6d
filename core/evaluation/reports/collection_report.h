// What a collection found, matrix by matrix: fixed CSR, the best schedule, what was gained, and what the
// matrix looks like.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/tensor/statistics.h"
#include "evaluation/model_evaluation.h"
#include "machine/machine_description.h"
#include "store/runtimes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct MatrixFinding {
    std::string matrix;
    std::string source;
    PatternStatistics statistics;
    std::vector<std::byte> picture;     ///< PNG
    std::optional<ResultRow> fixed_csr; ///< absent when it was not measured
    std::vector<ResultRow> ranked;      ///< everything with a time that was not given up, fastest first
    std::int64_t gave_up = 0;
    std::int64_t failed = 0; ///< too large, mismatch or failed

    /// The fastest; nullptr when nothing was measured.
    [[nodiscard]] const ResultRow* best() const { return ranked.empty() ? nullptr : &ranked.front(); }
    /// Time of fixed CSR over that of the best.
    [[nodiscard]] std::optional<double> speedup() const;
    /// Whether the best beats fixed CSR by more than the two spreads together: otherwise the gain may be
    /// noise.
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
    int threads = 1; ///< that kernels ran on
};

/// Reads the measurements and patterns of the workspace and draws the pictures, on the threads of the scope.
/// A matrix whose pattern can't be loaded is left out and listed.
[[nodiscard]] Result<CollectionReport> summarise_collection(Workspace& workspace, const ReportScope& scope,
                                                            const MachineDescription& machine);

// A collection report as text for a terminal, as CSV and as one self-contained HTML page.

/// matrix, fixed CSR ms, best ms, speedup, best schedule: aligned columns, one line a matrix.
[[nodiscard]] std::string report_table(const CollectionReport& report);

/// One line a matrix (RFC 4180), the columns of the table first, then sizes, spreads and counts.
[[nodiscard]] std::string report_csv(const CollectionReport& report);

/// Needs nothing from outside: pictures and style are inside. Readable on paper and in dark mode.
/// Where models were evaluated on what was collected, their results stand behind the summary.
[[nodiscard]] std::string report_html(const CollectionReport& report,
                                      const ModelEvaluation* evaluation = nullptr);

} // namespace sparsight

// Tables of runtimes that others have published, plain or compressed (.gz, .bz2, .xz, .zst), and their
// import into a workspace.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"
#include "store/workspace.h"
#include "study/measurement.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A recorded runtime as a measurement; a number of milliseconds, infinite for a failed run. Without a
/// spread, which tables do not give.
[[nodiscard]] Measurement recorded_measurement(double milliseconds);

/// Whether a time is hard to believe (under a microsecond) or too long to be trained on (1000 ms and more),
/// as WACO drops it. A failed run is not an outlier.
[[nodiscard]] bool is_outlier(double milliseconds);

struct TableRuntime {
    std::string matrix;
    std::int64_t rows = 0; ///< 0, like cols, where the table does not say
    std::int64_t cols = 0;
    std::string machine; ///< empty where the table does not say
    SuperSchedule schedule;
    double milliseconds = 0; ///< above 0; infinite for a run that failed
    std::int64_t line = 0;
};

/// The form of a published table: comma-separated values, one runtime a line, whose first line names the
/// columns, in any order; other columns are ignored.
///   matrix, schedule, ms            required
///   kernel                          the operator, where the table has several
///   machine                         where the table has several
///   rows, cols, nnz                 of the matrix
/// Instead of schedule and ms also the columns of tables that compare a choice with fixed CSR: waco_schedule,
/// waco_ms, fixedcsr_ms; such a line holds two runtimes.
class RuntimeTable {
public:
    /// Error: a column is missing or occurs twice. `op` is for a table without a column for it.
    [[nodiscard]] static Result<RuntimeTable> with_columns(std::string_view first_line, Operator op);

    [[nodiscard]] bool names_machines() const { return has(Column::Machine); }

    /// Appends the runtimes of a line. The first defect of the line is an error without file and line, and
    /// nothing of the line is appended then.
    [[nodiscard]] Result<void> read(std::string_view line, std::int64_t number,
                                    std::vector<TableRuntime>& runtimes);

private:
    enum class Column { Matrix, Schedule, Runtime, FixedCsr, Kernel, Machine, Rows, Cols };
    static constexpr std::size_t column_count = 8;

    RuntimeTable() = default;
    [[nodiscard]] bool has(Column column) const { return columns_[static_cast<std::size_t>(column)] >= 0; }
    [[nodiscard]] std::string_view field(Column column) const;
    [[nodiscard]] Result<Operator> op() const;
    [[nodiscard]] Result<double> milliseconds(Column column) const;
    [[nodiscard]] Result<std::int64_t> extent(Column column) const;

    std::array<int, column_count> columns_{}; ///< by Column; −1 where the table lacks it
    std::size_t width_ = 0;
    Operator op_ = Operator::SpMM;
    std::vector<std::string> fields_;
};

struct TableImport {
    std::filesystem::path file{};
    /// The machine that the runtimes belong to, whatever the table says; empty: the machines in the table's
    /// own column. A machine of this name is added if there is none.
    std::string machine{};
    Operator op = Operator::SpMM; ///< for a table without a column for it
    std::int64_t dense = 256;
};

/// The facts of a table about a matrix.
struct TableMatrix {
    std::int64_t rows = 0; ///< 0, like cols, where it is not given
    std::int64_t cols = 0;
    std::int64_t line = 0; ///< the first that names it
};

struct TableImportReport {
    std::map<std::string, TableMatrix, std::less<>>
        matrices;                   ///< matrices whose runtimes were imported, by name
    std::int64_t measurements = 0;  ///< in the table and now in the workspace
    std::int64_t already_there = 0; ///< of these, those that the workspace had before with the same time
    std::int64_t replaced = 0;      ///< of these, those that it had with another time
    std::int64_t failed_runs = 0;   ///< of these, those written as inf: stored as failed
    /// Of these, those under a microsecond or of 1000 ms and more: stored, and left to learning
    /// (learning/tasks/task.h).
    std::int64_t outliers = 0;
    /// Lines that could not be imported, each with file and line. All other lines were imported.
    std::vector<Error> problems;
};

/// Imports a table. New matrices are known by name alone (matrices.h gives them their patterns). A
/// matrix whose pattern has other extents than the table says is not the same, and its runtimes are left
/// out. Some ten thousand lines are one transaction: what was stored before a stop or a kill stays, and
/// importing the table again continues from there. Errors: no such file, no table, no machine;
/// Fault::Cancelled; those of the workspace.
[[nodiscard]] Result<TableImportReport> import_runtime_table(Workspace& workspace, const TableImport& request,
                                                             const std::stop_token& stop = {},
                                                             const ProgressSink& progress = {});

} // namespace sparsight

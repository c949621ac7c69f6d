// Runtimes that others have measured, as they write them: a bare number of milliseconds, inf for a run that
// failed.
#pragma once

#include "base/error.h"
#include "base/progress.h"
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

/// Without a spread, which nobody tells.
[[nodiscard]] Measurement recorded_measurement(double milliseconds);

/// A time that is hard to believe (under a microsecond) or too long to be trained on (1000 ms and more), as
/// WACO drops it. What failed is none.
[[nodiscard]] bool is_outlier(double milliseconds);

// A table of runtimes, one a line, as published in different forms: comma-separated values whose first line
// names the columns, in any order, others left unread.
//   matrix, schedule, ms            needed
//   kernel                          the operator, where the table has several
//   machine                         where it has several
//   rows, cols, nnz                 of the matrix
// Instead of schedule and ms also the columns of tables that compare a choice with fixed CSR: waco_schedule,
// waco_ms, fixedcsr_ms; such a line holds two runtimes.

struct TableRuntime {
    std::string matrix;
    std::int64_t rows = 0; ///< 0, like cols, where the table does not say
    std::int64_t cols = 0;
    std::string machine; ///< empty where the table does not say
    SuperSchedule schedule;
    double milliseconds = 0; ///< above 0; infinite for a run that failed
    std::int64_t line = 0;
};

class RuntimeTable {
public:
    /// Error: a column is missing or there twice. `op` is for a table without a column for it.
    [[nodiscard]] static Result<RuntimeTable> with_columns(std::string_view first_line, Operator op);

    [[nodiscard]] bool names_machines() const { return has(Column::Machine); }

    /// Appends the runtimes of a line. Its first defect is an error without file and line, and nothing of it
    /// is appended then.
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

    std::array<int, column_count> columns_{}; ///< by Column; −1 where there is none
    std::size_t width_ = 0;
    Operator op_ = Operator::SpMM;
    std::vector<std::string> fields_;
};

// Runtimes out of tables that others have published (runtime_table.h says which columns they have), plain or
// compressed (.gz, .bz2, .xz, .zst).

struct TableImport {
    std::filesystem::path file{};
    /// Whom the runtimes belong to, whatever the table says; empty: the machines of the table's own column.
    /// One of this name is made when there is none.
    std::string machine{};
    Operator op = Operator::SpMM; ///< of a table that does not say
    std::int64_t dense = 256;
};

/// What a table says of a matrix.
struct TableMatrix {
    std::int64_t rows = 0; ///< 0, like cols, where it does not say
    std::int64_t cols = 0;
    std::int64_t line = 0; ///< the first that names it
};

struct TableImportReport {
    std::map<std::string, TableMatrix, std::less<>> matrices; ///< whose runtimes were taken, by name
    std::int64_t measurements = 0;                            ///< in the table and now in the workspace
    std::int64_t already_there = 0; ///< of these, those that the workspace had before, the same
    std::int64_t replaced = 0;      ///< of these, those that it had with another time
    std::int64_t failed_runs = 0;   ///< of these, those written as inf: kept as failed
    /// Of these, those under a microsecond or of 1000 ms and more: kept, and left to those who learn from
    /// them (learning/tasks/runtime_rules.h).
    std::int64_t outliers = 0;
    /// What could not be taken, each with file and line. All the rest was.
    std::vector<Error> problems;
};

/// Matrices that are new are known by name alone (pattern_storage.h gives them their patterns); one whose
/// pattern has other extents than the table says is not the same, and its runtimes are left out. Some ten
/// thousand lines are one transaction: what was stored before a stop or a kill stays, and importing the
/// table again goes on from there. Errors: no such file, no table, no machine; Fault::Cancelled; those of the
/// workspace.
[[nodiscard]] Result<TableImportReport> import_runtime_table(Workspace& workspace, const TableImport& request,
                                                             const std::stop_token& stop = {},
                                                             const ProgressSink& progress = {});

} // namespace sparsight

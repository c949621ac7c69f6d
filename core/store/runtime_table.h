// A table of runtimes, one a line, as published in different forms: comma-separated values whose first line
// names the columns, in any order, others left unread.
//   matrix, schedule, ms            needed
//   kernel                          the operator, where the table has several
//   machine                         where it has several
//   rows, cols, nnz                 of the matrix
// Instead of schedule and ms also the columns of tables that compare a choice with fixed CSR: waco_schedule,
// waco_ms, fixedcsr_ms; such a line holds two runtimes.
#pragma once

#include "base/error.h"
#include "matrix/pattern.h"
#include "schedule/super_schedule.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

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

} // namespace sparsight

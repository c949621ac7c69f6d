// The failures in a table that others have published (what a tuner chose for each matrix, beside fixed CSR),
// from the file to diagnosed cases and groups.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/explanation/failures/pattern_family.h"
#include "domains/sparse/explanation/failures/stored_failures.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

using SizesByMatrix = std::map<std::string, MatrixSizes>;

/// The sizes of the matrices of a recorded table, from matrices.csv in the folder of the table:
/// comma-separated values whose first line names the columns matrix, rows, cols and nnz, in any order,
/// beside others. People publish sizes more often than patterns. Empty where there is no such file, or one
/// with other columns, which is an unrelated file. Errors name file and line.
[[nodiscard]] Result<SizesByMatrix> read_sizes_beside(const std::filesystem::path& table);

/// One line of the table: the schedule that a tuner chose for a matrix, beside fixed CSR.
struct RecordedChoice {
    std::string matrix;
    SuperSchedule schedule;
    double chosen_ms = 0;
    double fixed_csr_ms = 0;
    std::int64_t rows = 0; ///< 0, like cols, where the table does not say
    std::int64_t cols = 0;
    std::int64_t nnz = 0; ///< likewise
    std::int64_t line = 0;
};

struct RecordedChoices {
    std::vector<RecordedChoice> choices; ///< in the order of the file
    /// Lines left out: times under a microsecond, or of failed runs, which are not measurements.
    std::int64_t left_out = 0;
};

/// Comma-separated values whose first line names the columns matrix, waco_schedule, waco_ms and fixedcsr_ms,
/// in any order, beside others (domains/sparse/storage/runtime_tables.h). Errors name file, line, what stands
/// there and what was expected.
[[nodiscard]] Result<RecordedChoices> read_recorded_choices(const std::filesystem::path& file,
                                                            Operator op = Operator::SpMM);

struct RecordedFailures {
    std::vector<FailureCase> cases;
    /// Lines that are slower than fixed CSR by as much but the same program: the same loops, storage and
    /// shares of threads on this matrix, or on any matrix where its size is not known. Noise, or differences
    /// in code generation, explain these times, not a decision. They are not cases.
    std::int64_t one_program = 0;
};

/// Cases whose schedule is slower than fixed CSR, in the form of find_failures(). `statistics` are by
/// matrix, where the pattern is known. `dense` is the extent of the dense index.
[[nodiscard]] RecordedFailures find_failures(const RecordedChoices& recorded, const std::string& chooser,
                                             const std::map<std::string, PatternStatistics>& statistics = {},
                                             const FailureOptions& options = {.assumed_noise = 0.025},
                                             std::int64_t dense = 256);

struct TableRequest {
    std::filesystem::path file;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    double noise = 0.025; ///< assumed for a recorded time, as a share of it
    /// The machine to simulate. Absent: this computer, since the recorded machine is not known.
    std::optional<MachineDescription> machine{};
    int threads = 1;        ///< for counting patterns
    std::uint64_t seed = 1; ///< of drawn orders, where more than 8 decisions differ
    std::stop_token stop{};
    ProgressSink progress{};
};

struct TableFailures {
    RecordedChoices recorded;
    std::string chooser; ///< the name of the file without its ending
    /// The share of the variance of log(chosen / fixed CSR) that decisions explain (decision_effects.h).
    double explained = 0;
    std::vector<FailureCase> cases;
    std::int64_t one_program = 0; ///< losing lines that are no cases (RecordedFailures)
    std::vector<FailureGroup> groups;
    std::optional<FailureMachine> simulated{}; ///< absent: no pattern is known, so nothing was simulated
};

/// Simulates the cases whose pattern the workspace has; diagnoses the others by the associations in the
/// table. Without a workspace no pattern is known. Errors: those of the file, with its line; those of the
/// workspace; Fault::Cancelled.
[[nodiscard]] Result<TableFailures> read_table_failures(Workspace* workspace, const TableRequest& request);

} // namespace sparsight

// How large the matrices of a recorded table are, where a table beside it says so: people publish sizes more
// often than patterns.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"
#include "evaluation/failures/pattern_family.h"
#include "evaluation/failures/stored_failures.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

using SizesByMatrix = std::map<std::string, MatrixSizes>;

/// Of matrices.csv in the folder of the table, comma-separated values whose first line names the columns
/// matrix, rows, cols and nnz, in any order, others besides. Empty where there is no such file, or one with
/// other columns: that is somebody else's. Errors name file and line.
[[nodiscard]] Result<SizesByMatrix> read_sizes_beside(const std::filesystem::path& table);

// The failures in a table that others have published: what a tuner chose for each matrix, beside fixed CSR.

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
    /// Times under a microsecond, or of runs that failed: nobody measured that.
    std::int64_t left_out = 0;
};

/// Comma-separated values whose first line names the columns matrix, waco_schedule, waco_ms and fixedcsr_ms,
/// in any order, others besides (store/sparse/runtime_tables.h). Errors name file, line, what stands there
/// and what was expected.
[[nodiscard]] Result<RecordedChoices> read_recorded_choices(const std::filesystem::path& file,
                                                            Operator op = Operator::SpMM);

struct RecordedFailures {
    std::vector<FailureCase> cases;
    /// Slower than fixed CSR by as much, but one program with it: the same loops, storage and shares of
    /// threads on this matrix, or on any where its size is not known. Noise, or the code that others generate
    /// for it, tells these times apart, and no decision. They are no cases.
    std::int64_t one_program = 0;
};

/// Cases whose schedule is slower than fixed CSR, as find_failures() has them. Statistics by matrix, where
/// the pattern is known. `dense` is the extent of the dense index.
[[nodiscard]] RecordedFailures find_failures(const RecordedChoices& recorded, const std::string& chooser,
                                             const std::map<std::string, PatternStatistics>& statistics = {},
                                             const FailureOptions& options = {.assumed_noise = 0.025},
                                             std::int64_t dense = 256);

// The failures of a table that others have published, from its file to diagnosed cases and stories.

class Workspace;

struct TableRequest {
    std::filesystem::path file;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    double noise = 0.025; ///< assumed of a recorded time, as a share of it
    /// That is simulated. Absent: this computer, for nobody says which machine was recorded.
    std::optional<MachineDescription> machine{};
    int threads = 1;        ///< that count patterns
    std::uint64_t seed = 1; ///< of drawn orders, where more than 8 decisions differ
    std::stop_token stop{};
    ProgressSink progress{};
};

struct TableFailures {
    RecordedChoices recorded;
    std::string chooser; ///< the name of the file without its ending
    /// Of how log(chosen / fixed CSR) varies over the lines: what decisions explain (decision_effects.h).
    double explained = 0;
    std::vector<FailureCase> cases;
    std::int64_t one_program = 0; ///< losing lines that are no cases (RecordedFailures)
    std::vector<FailureGroup> stories;
    std::optional<FailureMachine> simulated{}; ///< absent: no pattern is known, so nothing was simulated
};

/// Cases whose pattern the workspace has are simulated, the others are diagnosed by what goes along with
/// losing in the table. Without a workspace no pattern is known. Errors: those of the file, with its line;
/// those of the workspace; Fault::Cancelled.
[[nodiscard]] Result<TableFailures> read_table_failures(Workspace* workspace, const TableRequest& request);

} // namespace sparsight

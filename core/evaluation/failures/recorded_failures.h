// The failures in a table that others have published: what a tuner chose for each matrix, beside fixed CSR.
#pragma once

#include "base/error.h"
#include "evaluation/failures/find_failures.h"
#include "schedule/super_schedule.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sparsight {

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
/// in any order, others besides (store/runtime_table.h). Errors name file, line, what stands there and what
/// was expected.
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

} // namespace sparsight

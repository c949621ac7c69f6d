// A schedule as a user gives it: on one line, with the extents that its loop nest is made for, those of a
// matrix or chosen ones.
#pragma once

#include "base/error.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"
#include "store/workspace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct ScheduleInput {
    Operator op = Operator::SpMM;
    std::string line;
    std::string matrix; ///< a file or a name; empty: none
    std::int64_t rows = 4096;
    std::int64_t cols = 4096;
    std::int64_t dense = 256;
};

struct NamedSchedule {
    SuperSchedule schedule;
    Extents extents;
    std::optional<CsrPattern> pattern; ///< of the matrix, if one was named
};

/// Errors: a line that is no schedule of the operator; those of load_named_matrix().
[[nodiscard]] Result<NamedSchedule> named_schedule(const WorkspaceLocation& location,
                                                   const ScheduleInput& form);

/// The storage of one matrix by a schedule, beside fixed CSR's.
struct StorageFacts {
    StorageFormat format;
    StorageSize size;
    std::uint64_t csr_bytes = 0;
    std::optional<Error> refusal; ///< why it would not be packed under the usual limits
};

[[nodiscard]] Result<StorageFacts> storage_facts(const SuperSchedule& schedule, const CsrPattern& pattern);

// Which schedules of files and lines are valid.

struct ScheduleVerdicts {
    std::int64_t valid = 0;
    std::vector<Error> invalid;
};

/// Each argument is a file, or else a schedule on one line. Lines of files may end in " = milliseconds".
[[nodiscard]] ScheduleVerdicts check_schedules(Operator op, const std::vector<std::string>& arguments);

} // namespace sparsight

// The recorded runtimes of ../shared/waco whose matrices are at hand.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sparsight::bench {

struct RecordedMatrix {
    std::string source; ///< "original", "collected-32-threads", "xeon_8272cl"
    Operator op = Operator::SpMM;
    std::string matrix;
    std::vector<SuperSchedule> schedules;
    std::vector<double> milliseconds; ///< one for each schedule
};

struct PublishedRuntimes {
    std::vector<RecordedMatrix> matrices; ///< with a pattern in find_pattern() and two runtimes at least
    std::int64_t unreadable = 0;          ///< schedules that are not valid here
    std::int64_t dropped = 0; ///< runtimes of 1000 ms and more, as WACO drops them, and under 0.001 ms
    std::int64_t without_pattern = 0; ///< matrices
};

[[nodiscard]] Result<PublishedRuntimes> read_published_runtimes(const std::filesystem::path& shared);

/// Of original/NAME.csr or matrices/NAME.mtx.gz; an empty path where it is in neither.
[[nodiscard]] std::filesystem::path find_pattern(const std::filesystem::path& shared,
                                                 const std::string& matrix);

} // namespace sparsight::bench

// The measurements of others that lie in ../shared/waco, line by line.
#pragma once

#include "domains/sparse/schedule/operator.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight::testing {

/// The collected-data files of one operator (original/SpMM/*.txt …).
std::vector<std::filesystem::path> collected_files(Operator op);

struct PublishedRuntime {
    Operator op;
    std::string_view schedule;
    std::string_view milliseconds;
};

/// Every row of a compressed table (.csv.xz) whose last two columns are the schedule and its runtime; the
/// first column names the operator, or the table has SpMM only. Throws std::runtime_error when it cannot be
/// read.
void for_each_published_runtime(const std::filesystem::path& table,
                                const std::function<void(const PublishedRuntime&)>& take);

} // namespace sparsight::testing

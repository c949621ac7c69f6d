// What files of exported records consist of.
#pragma once

#include "base/error.h"
#include "store/stored_times.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// "2021-03" of the condition "run=2021-03".
[[nodiscard]] std::string_view run_of(std::string_view condition);

/// A table: a first line with the names of the columns, then a line for each record.
class RecordTableText {
public:
    /// Error (Input): the name of a decision is that of a column with another meaning.
    [[nodiscard]] static Result<RecordTableText> of(const std::set<std::string>& decisions, bool has_runs);

    [[nodiscard]] std::string first_line() const;
    [[nodiscard]] std::string line(const StoredTime& time) const;

private:
    std::vector<std::string> decisions_;
    bool has_runs_ = false;
};

/// The JSON of one record, as a result of the T4 format. The workload, machine, space and run are in an
/// object "metadata", the reason of a failure in "error": the format has no place for them, and allows
/// others.
[[nodiscard]] std::string t4_result(const StoredTime& time);

} // namespace sparsight

// What is known of one matrix on one machine: the time of every schedule that was tried, by its meaning.
#pragma once

#include "base/error.h"
#include "schedule/super_schedule.h"
#include "store/results.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace sparsight {

class Workspace;

class KnownTimes {
public:
    /// Without a number of threads in the filter, those of the machine's fixed CSR count, and other rows are
    /// left out.
    [[nodiscard]] static Result<KnownTimes> read(Workspace& workspace, const ResultFilter& filter);

    /// Whatever threads the schedule says: those that it was run with are the machine's. nullptr: never
    /// tried.
    [[nodiscard]] const ResultRow* find(const SuperSchedule& schedule) const;
    [[nodiscard]] const ResultRow* fixed_csr() const { return found(fixed_csr_); } ///< measured, or nullptr
    [[nodiscard]] const ResultRow* best() const { return found(best_); }           ///< measured, or nullptr
    [[nodiscard]] const std::string& newest() const { return newest_; }

private:
    [[nodiscard]] const ResultRow* found(const std::optional<std::size_t>& place) const {
        return place ? &rows_[*place] : nullptr;
    }
    void add(ResultRow row);

    std::vector<ResultRow> rows_;
    std::unordered_map<std::string, std::size_t> places_; ///< by canonical text with one thread
    std::optional<std::size_t> fixed_csr_;
    std::optional<std::size_t> best_;
    std::string newest_;
};

} // namespace sparsight

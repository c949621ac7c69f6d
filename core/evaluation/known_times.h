// What is known of one matrix on one machine: the time of every schedule that was tried, by its meaning.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/runtimes.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparsight {

class Workspace;

/// Of several times of one meaning or program: a measured one beats one that was given up, a shorter one a
/// longer one.
[[nodiscard]] bool is_better_known(const ResultRow& row, const ResultRow& other);

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
    /// Those that were measured, the fastest first, at most so many.
    [[nodiscard]] std::vector<const ResultRow*> fastest(std::size_t count) const;
    [[nodiscard]] const std::string& newest() const { return newest_; }
    /// One for each meaning that was tried; they stay where they are as long as this is not changed.
    [[nodiscard]] const std::vector<ResultRow>& rows() const { return rows_; }

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

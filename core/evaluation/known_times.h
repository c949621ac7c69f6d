// What is known of one workload on one machine: the time of every configuration that was tried.
#pragma once

#include "base/error.h"
#include "store/measurements.h"
#include "study/configuration.h"
#include "study/domain.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparsight {

class Workspace;

/// Of several times of one configuration or program: a measured one beats one that was given up, a shorter
/// one a longer one.
[[nodiscard]] bool is_better_known(const ResultRecord& row, const ResultRecord& other);

/// What can be chosen for a workload, by its facts and by what is recorded of it. Errors: those of
/// Domain::space() and of the workspace.
[[nodiscard]] Result<std::shared_ptr<const ConfigurationSpace>>
space_of(Workspace& workspace, const Domain& domain, const Setting& setting, const WorkloadRecord& workload);

class KnownTimes {
public:
    /// Without a number of threads in the query, those of the machine's baseline count, and other rows are
    /// left out. So are rows whose text the codec can't parse, and those of other engines than the one that
    /// measured last.
    [[nodiscard]] static Result<KnownTimes> read(Workspace& workspace, const ConfigurationCodec& codec,
                                                 const ResultQuery& query);

    /// nullptr: never tried.
    [[nodiscard]] const ResultRecord* find(const Configuration& configuration) const;
    [[nodiscard]] const ResultRecord* baseline() const { return found(baseline_); } ///< measured, or nullptr
    [[nodiscard]] const ResultRecord* best() const { return found(best_); }         ///< measured, or nullptr
    /// Those that were measured, the fastest first, at most so many.
    [[nodiscard]] std::vector<const ResultRecord*> fastest(std::size_t count) const;
    [[nodiscard]] const std::string& newest() const { return newest_; }
    /// One for each configuration that was tried; they stay where they are as long as this is not changed.
    [[nodiscard]] const std::vector<ResultRecord>& rows() const { return rows_; }
    /// Of a row of this.
    [[nodiscard]] const Configuration& configuration_of(const ResultRecord& row) const {
        return configurations_[static_cast<std::size_t>(&row - rows_.data())];
    }

private:
    [[nodiscard]] const ResultRecord* found(const std::optional<std::size_t>& place) const {
        return place ? &rows_[*place] : nullptr;
    }
    void add(const Configuration& configuration, ResultRecord row);

    std::vector<ResultRecord> rows_;
    std::vector<Configuration> configurations_; ///< of the rows
    std::unordered_map<Configuration, std::size_t> places_;
    std::optional<std::size_t> baseline_;
    std::optional<std::size_t> best_;
    std::string newest_;
};

} // namespace sparsight

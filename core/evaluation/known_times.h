// The known times of one workload on one machine: one for each configuration that was tried. They compare by
// their medians, as regrets and speedups of an evaluation do; where the computer's drift between their
// moments matters, the fastest are measured again in turns (evaluation/rematch_times.h). Of several texts
// that mean the baseline the last time counts, as in a list of results (store/results.h): the shortest of
// several is short by luck.
#pragma once

#include "base/error.h"
#include "store/results.h"
#include "store/workloads.h"
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

/// Whether `row` is preferred to another time of the same configuration or program: a measured time is
/// preferred to an abandoned one, then the shorter time; of the baseline the last one.
[[nodiscard]] bool is_better_known(const ResultRecord& row, const ResultRecord& other);

/// The configurations that can be chosen for a workload, from its facts and its recorded times. Errors: those
/// of Domain::space() and of the workspace.
[[nodiscard]] Result<std::shared_ptr<const ConfigurationSpace>>
space_of(Workspace& workspace, const Domain& domain, const Setting& setting, const WorkloadRecord& workload);

class KnownTimes {
public:
    /// Without a number of threads in the query, those of the machine's baseline count, and other rows are
    /// left out. So are rows whose text the codec can't parse, and those of other engines than the one that
    /// measured last.
    [[nodiscard]] static Result<KnownTimes> read(Workspace& workspace, const ConfigurationCodec& codec,
                                                 const ResultQuery& query);

    /// nullptr: this configuration was never tried.
    [[nodiscard]] const ResultRecord* find(const Configuration& configuration) const;
    [[nodiscard]] const ResultRecord* baseline() const {
        return found(baseline_);
    } ///< the measured baseline, or nullptr
    [[nodiscard]] const ResultRecord* best() const {
        return found(best_);
    } ///< the fastest measured configuration, or nullptr
    /// The first in lists of results, which go by the speedup at its moment (store/results.h), or nullptr.
    [[nodiscard]] const ResultRecord* first_in_lists() const;
    /// At most `count` measured configurations, the fastest first.
    [[nodiscard]] std::vector<const ResultRecord*> fastest(std::size_t count) const;
    [[nodiscard]] const std::string& newest() const { return newest_; }
    /// That made all of them: Measurement::engine.
    [[nodiscard]] const std::string& engine() const { return engine_; }
    /// The date of its oldest time; empty where no time of another engine is known, which it would replace.
    [[nodiscard]] const std::string& engine_since() const { return engine_since_; }
    /// One row for each configuration that was tried. References stay valid until this object changes.
    [[nodiscard]] const std::vector<ResultRecord>& rows() const { return rows_; }
    /// The configuration of a row of this object.
    [[nodiscard]] const Configuration& configuration_of(const ResultRecord& row) const {
        return configurations_[static_cast<std::size_t>(&row - rows_.data())];
    }

private:
    [[nodiscard]] const ResultRecord* found(const std::optional<std::size_t>& place) const {
        return place ? &rows_[*place] : nullptr;
    }
    void add(const Configuration& configuration, ResultRecord row);
    void find_baseline_and_best();

    std::string engine_;
    std::string engine_since_;
    std::vector<ResultRecord> rows_;
    std::vector<Configuration> configurations_; ///< configuration of each row
    std::unordered_map<Configuration, std::size_t> places_;
    std::optional<std::size_t> baseline_;
    std::optional<std::size_t> best_;
    std::string newest_;
};

} // namespace sparsight

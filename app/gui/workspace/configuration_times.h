// The times of a workload on a machine, as pages show them: the sets of times that compare with each other,
// and in each of them every configuration with its decisions, the fastest first.
#pragma once

#include "base/error.h"
#include "gui/workspace/decision_columns.h"
#include "store/measurements.h"
#include "store/results.h"
#include "study/domain.h"

#include <QString>
#include <QStringList>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct FastestInTurns;

struct ConfigurationTime {
    int rank = 0; ///< 1 is the fastest; 0 without a time of its own
    ResultRecord result;
    /// Its time over that of the fastest, by the measure of the ranking: each over the baseline at its
    /// moment, or the plain time where one of the set has no speedup.
    std::optional<double> ratio;
    QStringList values; ///< one for each of TimeSet::decisions, as of values_of()

    bool operator==(const ConfigurationTime&) const = default;
};

/// Times compare only where setting, protocol, condition and threads are the same.
struct TimeSet {
    QString key;   ///< tells it from the others of its workload and machine
    QString title; ///< for people
    Setting setting;
    std::vector<ShownDecision> decisions;
    std::vector<ConfigurationTime> times; ///< the fastest first, those without a time last

    /// Null where nothing has a time.
    [[nodiscard]] const ConfigurationTime* best() const {
        return times.empty() || times.front().rank == 0 ? nullptr : &times.front();
    }
};

/// What is known of a workload on a machine.
struct TimeSets {
    std::vector<TimeSet> sets;
    /// That have times of the workload in any setting, the one with the most times first.
    std::vector<MachineWithTimes> machines;
};

/// "The times of the best spread by 31 %: the computer may be busy." Empty where they don't spread as much as
/// evaluation/time_differences.h (noisy_above) says, or where one of both is not known. Another computer may
/// have been busy when its times were recorded.
[[nodiscard]] QString noise_sentence(const QString& whose, const std::optional<double>& median_ms,
                                     const std::optional<double>& spread_ms, bool is_of_this_computer = true);

/// "1.24×"; "~1.02×" where it may be noise of the turns, and "1.24× ± 0.10" where they show it imprecisely.
[[nodiscard]] QString speedup_text(const FastestInTurns& fastest);
/// The same as rich text: in the colour of a win, or grey where it may be noise.
[[nodiscard]] QString coloured_speedup(const FastestInTurns& fastest);

/// "spmm, 256 columns · 2 threads · adaptive": what times have in common that compare; threads on request.
[[nodiscard]] QString conditions_text(const Domain& domain, const ResultRecord& result, bool has_threads);

/// In the order of the times.
[[nodiscard]] std::vector<ResultRecord> results_of(const TimeSet& set);

/// Of results of one workload and machine. The set with the most times comes first.
[[nodiscard]] std::vector<TimeSet> time_sets(const Domain& domain, std::vector<ResultRecord> results);

/// Takes its time: for another thread. Errors are those of the workspace.
[[nodiscard]] Result<TimeSets> read_time_sets(const std::string& workspace, const Domain& domain,
                                              const std::string& workload, const std::string& machine);

} // namespace sparsight

// All times of one workload in short: for every machine how many there are and how they spread, and what the
// decisions of the configurations are.
#pragma once

#include "gui/workspace/configuration_times.h"

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

namespace sparsight {

/// Times of one machine that compare with each other.
struct MachineTimes {
    ResultRecord best;
    qint64 times = 0;
    qint64 without_time = 0;
    double median_ms = 0;
    double slowest_ms = 0;
    /// Some of the times, ascending, with the share of configurations that take no longer.
    std::vector<double> curve_ms;
    std::vector<double> curve_shares;

    bool operator==(const MachineTimes&) const = default;
};

struct DecisionSummary {
    QString name;
    QStringList values; ///< each once, numbers ascending
};

struct WorkloadTimes {
    std::vector<MachineTimes> machines; ///< by name, then by setting, condition and threads
    std::vector<DecisionSummary> decisions;
    qint64 configurations = 0; ///< different ones, with a time or without
    qint64 times = 0;
    qint64 without_time = 0;

    /// Of the setting with the most times. Null where nothing has a time.
    [[nodiscard]] const MachineTimes* fastest() const;
};

[[nodiscard]] WorkloadTimes workload_times(const std::vector<TimeSet>& sets);

/// Takes its time: for another thread. Errors are those of the workspace.
[[nodiscard]] Result<WorkloadTimes> read_workload_times(const std::string& workspace, const Domain& domain,
                                                        const std::string& workload);

} // namespace sparsight

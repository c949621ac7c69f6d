// The range of workload statistics that a model was trained on, and whether another workload lies outside it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// A number that describes a workload.
struct WorkloadStatistic {
    std::string name;        ///< in files: "row_length_mean"
    std::string title;       ///< for people
    std::string unit;        ///< "entries"; empty for a share, which has an upper end
    bool is_integer = false; ///< it has no fractional part
    double value = 0;
    bool is_fact = false; ///< a number from a sheet, of any scale and sign
};
/// All statistics of a domain, in its order.
using StatisticVector = std::vector<WorkloadStatistic>;

/// The range over the training workloads. Sizes and counts are scaled as log(1 + x) and facts as asinh(x), as
/// models read them.
struct StatisticRange {
    std::string name; ///< name of the statistic
    double low = 0;
    double high = 0;
    double mean = 0;
    double deviation = 0; ///< population standard deviation; 0 where all values are equal
};

struct TrainingRange {
    std::vector<StatisticRange> statistics; ///< one for each statistic, in its order
    /// The largest distance() of a training workload.
    double farthest = 0;
    std::size_t workloads = 0;
};

/// Absent below three workloads, which are too few for a range.
[[nodiscard]] std::optional<TrainingRange> training_range(std::span<const StatisticVector> trained);

/// A statistic of a workload that lies outside the training range, in its own unit.
struct UnfamiliarStatistic {
    std::string name; ///< as in WorkloadStatistic, like the next three
    std::string title;
    std::string unit;
    bool is_integer = false;
    double value = 0;
    double low = 0; ///< the training range
    double high = 0;
    bool operator==(const UnfamiliarStatistic&) const = default;
};
/// "longest row 4,000, in training 12 to 340".
[[nodiscard]] std::string to_text(const UnfamiliarStatistic& statistic);

struct Unfamiliarity {
    /// Root of the mean square of (x − mean) / deviation over the statistics that vary in training.
    double distance = 0;
    /// Statistics that lie beyond the training range by more than half its deviation, the farthest first.
    std::vector<UnfamiliarStatistic> beyond;
    /// It has unfamiliar statistics, and lies farther from the mean than every training workload.
    bool is_outside = false;
};

[[nodiscard]] Unfamiliarity unfamiliarity(const TrainingRange& range, const StatisticVector& of);

/// Facts in place of statistics, for domains without statistics: the facts that all of these workloads share.
/// Workloads without any facts are left out.
[[nodiscard]] std::map<std::string, StatisticVector>
shared_facts(const std::map<std::string, std::map<std::string, double, std::less<>>>& by_workload);

/// A workload near another one.
struct CloseWorkload {
    std::string name;
    double distance = 0; ///< root mean square difference over the statistics that vary, in deviations
    bool operator==(const CloseWorkload&) const = default;
};

/// At most `most` workloads, the nearest first, by the statistics that vary in training.
[[nodiscard]] std::vector<CloseWorkload> closest_to(const TrainingRange& range, const StatisticVector& of,
                                                    const std::map<std::string, StatisticVector>& trained,
                                                    std::size_t most);

} // namespace sparsight

// The choice of a configuration for a machine on which nothing was measured, from the times of other machines
// and the data sheets of all.
#pragma once

#include "base/error.h"
#include "learning/transfer/machine_likeness.h"
#include "learning/transfer/timed_space.h"
#include "model/boosted_trees.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The sheets by machine, and how they compare. A machine without a sheet has an empty one.
struct KnownSheets {
    std::map<std::string, MachineSheet, std::less<>> by_machine;
    SheetScale scale;

    [[nodiscard]] const MachineSheet& of(std::string_view machine) const;
    [[nodiscard]] double distance(std::string_view one, std::string_view other) const;
};

/// A target in a space, and what may be used for it.
struct TransferTarget {
    const TimedSpace& space;
    std::size_t column = 0;
    std::vector<std::size_t> sources;    ///< sources_of(), or some of them
    std::vector<std::string> left_out{}; ///< machines whose times of kindred workloads are not used either

    [[nodiscard]] const TimedColumn& truth() const { return space.columns[column]; }
};

/// Other machines' times of the workload, of the sources in their order.
struct SourceLogs {
    /// The logarithm of each time over the best, and 0 where it was never tried: [source][configuration].
    std::vector<std::vector<double>> logs{};
    std::vector<std::vector<bool>> known{}; ///< whether it was tried
    std::vector<double> distances{};        ///< to the target
};
[[nodiscard]] SourceLogs source_logs(const TransferTarget& target, const KnownSheets& sheets);
/// A kindred workload on a machine tells about as much as the same one on a machine of another generation.
inline constexpr double distance_of_kin = 1;
/// With other machines' times of kindred workloads behind them, each one further away.
[[nodiscard]] SourceLogs source_logs_with_kin(const TransferTarget& target, const KnownSheets& sheets);

/// The mean of the sources' logarithms, each with the weight exp(−distance / 0.3), over those that tried the
/// configuration. What none tried is as slow as the slowest.
[[nodiscard]] std::vector<double> weighted_copy(const SourceLogs& sources);

/// Kendall's τ-b of the times of two columns, over what both tried, at most 3,000 of these.
[[nodiscard]] double likeness_by_order(const TimedColumn& one, const TimedColumn& other);

/// A way to choose.
enum class UnmeasuredRule : std::uint8_t {
    Copy, ///< weighted_copy() with kin
    /// Boosted trees over decisions and what these mean on a machine (launch_features.h), trained on the
    /// ranks of the sources' times. Near sources have more rows. Numbers of sheets are left out: trees told
    /// the few machines apart by them, and took a new one for any of these.
    Trees,
    Median,  ///< the best median over the sources
    Nearest, ///< the best of the source whose sheet is nearest
    Oracle,  ///< the best of the source with the highest likeness_by_order(): it looks at the target's times
    /// The copy and, where no source is of the target's generation (far_sheets), the trees: the weighted
    /// geometric mean of both ranks. The copy has a weight of 0.7.
    Blend,
};
inline constexpr std::array all_unmeasured_rules{UnmeasuredRule::Blend,   UnmeasuredRule::Copy,
                                                 UnmeasuredRule::Trees,   UnmeasuredRule::Median,
                                                 UnmeasuredRule::Nearest, UnmeasuredRule::Oracle};
/// The least distance of sheets of another generation.
inline constexpr double far_sheets = 0.5;
[[nodiscard]] std::string_view name(UnmeasuredRule rule);

struct UnmeasuredOptions {
    TreesOptions trees{.goal = TreesGoal::Times, .rounds = 100, .depth = 8, .rate = 0.1};
    /// Configurations of the nearest source that the trees learn from, drawn at random; of others fewer.
    std::size_t rows = 2500;
};

/// One score for each configuration; lower is faster.
[[nodiscard]] Result<std::vector<double>> unmeasured_scores(const TransferTarget& target, UnmeasuredRule rule,
                                                            const KnownSheets& sheets,
                                                            const UnmeasuredOptions& options,
                                                            const std::stop_token& stop = {});

/// The place of the lowest score among what was tried on the target; the first of equal ones.
[[nodiscard]] std::size_t best_tried(const TransferTarget& target, std::span<const double> scores);

} // namespace sparsight

#include "learning/transfer/unmeasured_choice.h"

#include "base/random.h"
#include "learning/transfer/launch_features.h"
#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sparsight {
namespace {

constexpr double reach_of_likeness = 0.3; ///< distances of sheets at which a weight falls to 1/e
constexpr std::size_t most_compared = 3000;

} // namespace

const MachineSheet& KnownSheets::of(std::string_view machine) const {
    static const MachineSheet unknown;
    const auto found = by_machine.find(machine);
    return found == by_machine.end() ? unknown : found->second;
}

double KnownSheets::distance(std::string_view one, std::string_view other) const {
    return scale.distance(of(one), of(other));
}

namespace {

void add_source(SourceLogs& sources, const TimedColumn& column, double distance) {
    sources.logs.push_back(column.relative_logs());
    std::vector<bool> known;
    for (double& log : sources.logs.back()) {
        known.push_back(!std::isnan(log));
        if (std::isnan(log))
            log = 0;
    }
    sources.known.push_back(std::move(known));
    sources.distances.push_back(distance);
}

} // namespace

SourceLogs source_logs(const TransferTarget& target, const KnownSheets& sheets) {
    SourceLogs sources;
    for (const std::size_t source : target.sources) {
        const TimedColumn& column = target.space.columns[source];
        add_source(sources, column, sheets.distance(column.machine, target.truth().machine));
    }
    return sources;
}

SourceLogs source_logs_with_kin(const TransferTarget& target, const KnownSheets& sheets) {
    SourceLogs sources = source_logs(target, sheets);
    for (const TimedColumn& column : target.space.kin)
        if (column.machine != target.truth().machine &&
            std::ranges::find(target.left_out, column.machine) == target.left_out.end())
            add_source(sources, column,
                       distance_of_kin + sheets.distance(column.machine, target.truth().machine));
    return sources;
}

std::vector<double> weighted_copy(const SourceLogs& sources) {
    const std::vector<double>& distances = sources.distances;
    if (distances.empty())
        return {};
    const double nearest = std::ranges::min(distances);
    std::vector<double> copy(sources.logs.front().size(), 0.0);
    std::vector<double> weights(copy.size(), 0.0);
    for (std::size_t source = 0; source < distances.size(); ++source) {
        const double weight = std::exp((nearest - distances[source]) / reach_of_likeness);
        for (std::size_t i = 0; i < copy.size(); ++i)
            if (sources.known[source][i]) {
                copy[i] += weight * sources.logs[source][i];
                weights[i] += weight;
            }
    }
    double slowest = 0;
    for (std::size_t i = 0; i < copy.size(); ++i)
        if (weights[i] > 0) {
            copy[i] /= weights[i];
            slowest = std::max(slowest, copy[i]);
        }
    for (std::size_t i = 0; i < copy.size(); ++i)
        if (!(weights[i] > 0))
            copy[i] = slowest;
    return copy;
}

double likeness_by_order(const TimedColumn& one, const TimedColumn& other) {
    std::vector<std::size_t> both;
    for (std::size_t i = 0; i < one.milliseconds.size(); ++i)
        if (one.was_tried(i) && other.was_tried(i))
            both.push_back(i);
    if (both.size() > most_compared) {
        Random random(1);
        random.shuffle(both);
        both.resize(most_compared);
    }
    std::vector<double> first;
    std::vector<double> second;
    for (const std::size_t i : both) {
        first.push_back(one.milliseconds[i]);
        second.push_back(other.milliseconds[i]);
    }
    return kendall_tau_b(count_pairs(std::span<const double>(first), std::span<const double>(second)))
        .value_or(0);
}

std::string_view name(UnmeasuredRule rule) {
    switch (rule) {
    case UnmeasuredRule::Blend:
        return "blend";
    case UnmeasuredRule::Copy:
        return "copy";
    case UnmeasuredRule::Trees:
        return "trees";
    case UnmeasuredRule::Median:
        return "median";
    case UnmeasuredRule::Nearest:
        return "nearest";
    case UnmeasuredRule::Oracle:
        return "oracle";
    }
    return "";
}

namespace {

/// Over the sources that tried it; what fewer than half of them tried comes last.
std::vector<double> median_scores(const TransferTarget& target, const SourceLogs& sources) {
    std::vector<double> scores;
    std::vector<double> known;
    for (std::size_t i = 0; i < target.space.configurations.size(); ++i) {
        known.clear();
        for (std::size_t source = 0; source < sources.logs.size(); ++source)
            if (sources.known[source][i])
                known.push_back(sources.logs[source][i]);
        if (2 * known.size() < sources.logs.size() || known.empty()) {
            scores.push_back(std::numeric_limits<double>::infinity());
            continue;
        }
        std::ranges::sort(known);
        const std::size_t middle = known.size() / 2;
        scores.push_back(known.size() % 2 == 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2);
    }
    return scores;
}

/// What the source never tried comes last.
std::vector<double> scores_of_source(const SourceLogs& sources, std::size_t source) {
    std::vector<double> scores = sources.logs[source];
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (!sources.known[source][i])
            scores[i] = std::numeric_limits<double>::infinity();
    return scores;
}

template <typename Value>
std::size_t source_of_highest(const TransferTarget& target, const Value& value) {
    std::size_t best = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t source = 0; source < target.sources.size(); ++source)
        if (const double of = value(target.space.columns[target.sources[source]]); of > highest) {
            highest = of;
            best = source;
        }
    return best;
}

/// What trees read of configurations on a machine: the decisions, and what they mean there.
class RowReader {
public:
    explicit RowReader(const TimedSpace& space)
        : width_(space.values.size())
        , decisions_(space.decision_numbers())
        , launches_(launches_of(space)) {}

    [[nodiscard]] TreeRows rows(std::span<const std::size_t> configurations,
                                const MachineSheet& sheet) const {
        TreeRows rows{width_ + (launches_.empty() ? 0 : launch_feature_count), {}, {}, {}};
        rows.numbers.reserve(configurations.size() * rows.width);
        for (const std::size_t i : configurations) {
            const auto row = std::span(decisions_).subspan(i * width_, width_);
            rows.numbers.insert(rows.numbers.end(), row.begin(), row.end());
            if (launches_.empty())
                continue;
            const auto features = launch_features(launches_[i], sheet);
            rows.numbers.insert(rows.numbers.end(), features.begin(), features.end());
        }
        return rows;
    }

private:
    std::size_t width_;
    std::vector<float> decisions_;
    std::vector<Launch> launches_;
};

/// Of each value the share of all that are smaller.
std::vector<double> rank_shares(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    std::vector<double> shares;
    for (const double value : values)
        shares.push_back(static_cast<double>(std::ranges::lower_bound(sorted, value) - sorted.begin()) /
                         static_cast<double>(sorted.size()));
    return shares;
}

double nearest_distance(const TransferTarget& target, const KnownSheets& sheets) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::size_t source : target.sources)
        nearest =
            std::min(nearest, sheets.distance(target.space.columns[source].machine, target.truth().machine));
    return nearest;
}

Result<std::vector<double>> tree_scores(const TransferTarget& target, const KnownSheets& sheets,
                                        const UnmeasuredOptions& options, const std::stop_token& stop) {
    constexpr double reach_of_rows = 0.5; // distances of sheets at which the rows fall to 1/e
    constexpr std::size_t fewest_rows = 50;
    constexpr double spread_of_ranks = 3; // the slowest is as if e³ times slower than the fastest
    const RowReader reader(target.space);
    const double nearest = nearest_distance(target, sheets);
    std::vector<TreeRows> groups;
    Random random(options.trees.seed);
    for (const std::size_t source : target.sources) {
        const TimedColumn& column = target.space.columns[source];
        std::vector<std::size_t> tried;
        for (std::size_t i = 0; i < target.space.configurations.size(); ++i)
            if (column.was_tried(i))
                tried.push_back(i);
        random.shuffle(tried);
        const double distance = sheets.distance(column.machine, target.truth().machine);
        const auto rows = static_cast<std::size_t>(static_cast<double>(options.rows) *
                                                   std::exp((nearest - distance) / reach_of_rows));
        tried.resize(std::min(tried.size(), std::max(rows, fewest_rows)));
        groups.push_back(reader.rows(tried, sheets.of(column.machine)));
        std::vector<double> times;
        for (const std::size_t i : tried)
            times.push_back(column.milliseconds[i]);
        for (const double rank : rank_shares(times))
            groups.back().milliseconds.push_back(std::exp(spread_of_ranks * rank));
    }
    const auto trees = RowTrees::train(groups, options.trees, stop);
    if (!trees)
        return std::unexpected(trees.error());
    std::vector<std::size_t> all(target.space.configurations.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const int every_round = 0;
    const auto scores =
        trees->scores(reader.rows(all, sheets.of(target.truth().machine)), std::span(&every_round, 1));
    if (!scores)
        return std::unexpected(scores.error());
    return std::vector<double>(scores->front().begin(), scores->front().end());
}

Result<std::vector<double>> blended_scores(const TransferTarget& target, const KnownSheets& sheets,
                                           const UnmeasuredOptions& options, const std::stop_token& stop) {
    constexpr double share_of_trees = 0.3;
    constexpr double least_rank = 1e-3; // below it ranks count the same
    std::vector<double> copy = weighted_copy(source_logs_with_kin(target, sheets));
    if (nearest_distance(target, sheets) < far_sheets)
        return copy;
    const auto trees = tree_scores(target, sheets, options, stop);
    if (!trees)
        return trees;
    const std::vector<double> of_copy = rank_shares(copy);
    const std::vector<double> of_trees = rank_shares(*trees);
    for (std::size_t i = 0; i < copy.size(); ++i)
        copy[i] = (1 - share_of_trees) * std::log(of_copy[i] + least_rank) +
                  share_of_trees * std::log(of_trees[i] + least_rank);
    return copy;
}

} // namespace

Result<std::vector<double>> unmeasured_scores(const TransferTarget& target, UnmeasuredRule rule,
                                              const KnownSheets& sheets, const UnmeasuredOptions& options,
                                              const std::stop_token& stop) {
    if (target.sources.empty())
        return fail(Fault::Input, "no other machine has times of " + target.space.workload);
    if (rule == UnmeasuredRule::Trees)
        return tree_scores(target, sheets, options, stop);
    if (rule == UnmeasuredRule::Blend)
        return blended_scores(target, sheets, options, stop);
    if (rule == UnmeasuredRule::Copy)
        return weighted_copy(source_logs_with_kin(target, sheets));
    const SourceLogs sources = source_logs(target, sheets);
    if (rule == UnmeasuredRule::Median)
        return median_scores(target, sources);
    const TimedColumn& truth = target.truth();
    return scores_of_source(sources, source_of_highest(target, [&](const TimedColumn& source) {
                                return rule == UnmeasuredRule::Nearest
                                           ? -sheets.distance(source.machine, truth.machine)
                                           : likeness_by_order(truth, source);
                            }));
}

std::size_t best_tried(const TransferTarget& target, std::span<const double> scores) {
    std::size_t best = scores.size();
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (target.truth().was_tried(i) && (best == scores.size() || scores[i] < scores[best]))
            best = i;
    return best;
}

} // namespace sparsight

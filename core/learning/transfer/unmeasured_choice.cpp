#include "learning/transfer/unmeasured_choice.h"

#include "base/random.h"
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

/// Decisions and the sheet of a machine, row by row.
TreeRows rows_of(const TransferTarget& target, std::span<const float> decisions,
                 std::span<const std::size_t> configurations, const std::vector<float>& sheet) {
    const std::size_t width = target.space.values.size();
    TreeRows rows{width + sheet.size(), {}, {}, {}};
    rows.numbers.reserve(configurations.size() * rows.width);
    for (const std::size_t i : configurations) {
        const auto row = decisions.subspan(i * width, width);
        rows.numbers.insert(rows.numbers.end(), row.begin(), row.end());
        rows.numbers.insert(rows.numbers.end(), sheet.begin(), sheet.end());
    }
    return rows;
}

Result<std::vector<double>> tree_scores(const TransferTarget& target, const KnownSheets& sheets,
                                        const UnmeasuredOptions& options, const std::stop_token& stop) {
    const std::vector<float> decisions = target.space.decision_numbers();
    std::vector<TreeRows> groups;
    Random random(options.trees.seed);
    for (const std::size_t source : target.sources) {
        const TimedColumn& column = target.space.columns[source];
        std::vector<std::size_t> tried;
        for (std::size_t i = 0; i < target.space.configurations.size(); ++i)
            if (column.was_tried(i))
                tried.push_back(i);
        random.shuffle(tried);
        tried.resize(std::min(tried.size(), options.rows));
        groups.push_back(
            rows_of(target, decisions, tried, sheets.scale.masked_numbers(sheets.of(column.machine))));
        for (const std::size_t i : tried)
            groups.back().milliseconds.push_back(column.milliseconds[i]);
    }
    const auto trees = RowTrees::train(groups, options.trees, stop);
    if (!trees)
        return std::unexpected(trees.error());
    std::vector<std::size_t> all(target.space.configurations.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const int every_round = 0;
    const auto scores = trees->scores(
        rows_of(target, decisions, all, sheets.scale.masked_numbers(sheets.of(target.truth().machine))),
        std::span(&every_round, 1));
    if (!scores)
        return std::unexpected(scores.error());
    return std::vector<double>(scores->front().begin(), scores->front().end());
}

} // namespace

Result<std::vector<double>> unmeasured_scores(const TransferTarget& target, UnmeasuredRule rule,
                                              const KnownSheets& sheets, const UnmeasuredOptions& options,
                                              const std::stop_token& stop) {
    if (target.sources.empty())
        return fail(Fault::Input, "no other machine has times of " + target.space.workload);
    if (rule == UnmeasuredRule::Trees)
        return tree_scores(target, sheets, options, stop);
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

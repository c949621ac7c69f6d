// The times of a workload on a machine by the decisions of their configurations, as plots show them.
#pragma once

#include "evaluation/decision_times.h"
#include "gui/workspace/configuration_times.h"
#include "widgets/chart/chart_values.h"
#include "widgets/chart/parallel/parallel_picture.h"
#include "widgets/chart/plots/heat_picture.h"

#include <QString>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// A set of times without what plots don't need.
struct DecisionSpace {
    DecisionTimes times;
    std::vector<QString> titles;         ///< of the scales of `times`
    std::vector<QString> configurations; ///< of its rows, by rank, those without a time last
    std::vector<double> milliseconds;    ///< of those with a time
    std::vector<double> ratios;          ///< each over that of the fastest one

    [[nodiscard]] bool empty() const { return milliseconds.empty(); }
    [[nodiscard]] std::vector<std::size_t> all_rows() const;
    /// Of a value on a scale, for people: "none" where the configuration lacks the decision.
    [[nodiscard]] QString value(std::size_t scale, std::size_t place) const;
};
[[nodiscard]] DecisionSpace decision_space(const TimeSet& set);

/// All configurations with a time across all decisions; of very many decisions those that tell the most.
[[nodiscard]] ParallelPicture lines_picture(const DecisionSpace& space, const Noun& configuration);

/// For two different scales of the space.
struct DecisionPair {
    std::size_t across = 0;
    std::size_t down = 0;
    bool operator==(const DecisionPair&) const = default;
};
/// Absent where fewer than two decisions have more than one value.
[[nodiscard]] std::optional<DecisionPair> telling_pair(const DecisionSpace& space);

/// The rows that are looked at: all, or those that brushes leave; ascending, so the fastest first.
using KeptRows = std::span<const std::size_t>;

/// For each pair of values how much longer the fastest kept configuration with them takes than the fastest
/// of all.
[[nodiscard]] HeatPicture pair_picture(const DecisionSpace& space, KeptRows kept, const DecisionPair& pair,
                                       const Noun& configuration);
/// The fastest kept configuration of a cell; empty where it has none.
[[nodiscard]] QString fastest_of(const DecisionSpace& space, KeptRows kept, const DecisionPair& pair,
                                 const MapCell& cell);
/// Absent for a configuration that the space lacks.
[[nodiscard]] std::optional<MapCell> cell_of(const DecisionSpace& space, const DecisionPair& pair,
                                             const QString& configuration);

/// How many configurations take how long, the kept ones apart, with marks at the fastest one and at the
/// selected one.
[[nodiscard]] std::vector<ChartSeries> time_distribution(const DecisionSpace& space, KeptRows kept,
                                                         const QString& selected, const Noun& configuration);

} // namespace sparsight

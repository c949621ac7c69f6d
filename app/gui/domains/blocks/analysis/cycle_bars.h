// Cycles of a block on each machine, by each model and as measured, as bars.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QString>
#include <QStringList>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// What one model says of the block on one machine, an iteration.
struct SaidCycles {
    std::optional<double> cycles{};
    std::optional<double> spread{}; ///< ± this much
    QString note{};                 ///< why there are none, or how they are known
};

/// A model, or the measurement.
struct CycleSource {
    QString name;
    bool is_predicted = true; ///< hatched, as all that is not measured
    std::map<std::string, SaidCycles, std::less<>> machines{};
};

/// Machines stand side by side, in each the bars of all sources. The key of a bar is the name of its machine.
[[nodiscard]] std::vector<ChartSeries> cycle_bars(const std::vector<CycleSource>& sources,
                                                  const std::vector<std::string>& machines);

/// "Haswell", or the name where it is not known.
[[nodiscard]] QString title_of_machine(const std::string& machine);

} // namespace sparsight

// What the page "What if" says of parameters and of the parts of a time.
#pragma once

#include "domains/sparse/simulator/schedule_ranking.h"
#include "domains/sparse/simulator/winner_map.h"
#include "gui/whatif/schedule_study.h"
#include "machine/machine_parameters.h"
#include "widgets/chart/plots/region_picture.h"
#include "widgets/chart/plots/stacked_picture.h"

#include <QString>
#include <map>
#include <span>
#include <vector>

namespace sparsight {

/// Those that have a slider, in its order.
[[nodiscard]] std::span<const MachineParameter> slider_parameters();

/// Logarithmic.
[[nodiscard]] ChartAxis parameter_axis(MachineParameter parameter);

/// The only part of a time by the paper's formula.
[[nodiscard]] StackedTerm scaled_term();

/// Why the paper's formula can't change who wins.
[[nodiscard]] QString paper_reason();

// Rankings and maps of winners as the widgets draw them.

enum class WhatIfFormula { Mechanistic, Paper };

/// What schedules take on one machine, by one of the formulas.
struct MachineRanking {
    Ranking ranking;
    std::vector<SimulatedTime> parts; ///< empty by the paper's formula
};

[[nodiscard]] MachineRanking rank_on(const MachineDescription& machine, const Study& study,
                                     WhatIfFormula formula, const PaperBasis& basis);

/// How a schedule that wins somewhere is marked, by its key. Those that won first keep their marks.
struct WinnerMark {
    QString letter;
    std::size_t colour = 0; ///< as owner_look() counts
};
using WinnerMarks = std::map<QString, WinnerMark>;
void mark_winners(const WinnerMap& map, const Study& study, WinnerMarks& marks);

/// `marker_name`: "measured" or "recorded". Schedules that have no time are left out.
[[nodiscard]] StackedPicture ranking_picture(const Study& study, const MachineRanking& ranked,
                                             const std::vector<std::optional<double>>& recorded_ms,
                                             const QString& marker_name, const WinnerMarks& marks);

[[nodiscard]] RegionPicture map_picture(const Study& study, const WinnerMap& map, const WinnerMarks& marks);

/// "i k · UC · 8 wins on EPYC 7543, 12 % ahead of fixed CSR." Those that are no slower are named together:
/// "A and B are equally fast on …" Rich text.
[[nodiscard]] QString winner_text(const Study& study, const Ranking& ranking, const QString& machine);

// Everything that is chosen on the page "What if" but the matrix.

struct WhatIfScene {
    Operator op = Operator::SpMM;
    int dense = 256;
    QString preset{};                       ///< key of the machine
    QString beside{};                       ///< key of the machine beside it; empty: none
    std::vector<SuperSchedule> schedules{}; ///< beside fixed CSR; none: the usual ones
    WhatIfFormula formula = WhatIfFormula::Mechanistic;
    std::map<MachineParameter, double> changes{};
    MachineParameter x = MachineParameter::Cores;
    MachineParameter y = MachineParameter::L3Bytes;
};

} // namespace sparsight

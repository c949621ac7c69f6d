// Rankings and maps of winners as the widgets draw them.
#pragma once

#include "gui/whatif/schedule_study.h"
#include "machine/what_if/paper_basis.h"
#include "machine/what_if/winner_map.h"
#include "widgets/chart/region_picture.h"
#include "widgets/chart/stacked_picture.h"

#include <map>

namespace sparsight {

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

} // namespace sparsight

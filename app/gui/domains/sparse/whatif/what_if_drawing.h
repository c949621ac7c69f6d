// What the page "What if" draws and says: rankings of schedules on one machine, maps of winners over two
// parameters, and the words for parameters and for the parts of a time.
#pragma once

#include "domains/sparse/simulator/schedule_ranking.h"
#include "domains/sparse/workflow/explanation/what_if_study.h"
#include "gui/domains/sparse/whatif/schedule_study.h"
#include "machine/machine_parameters.h"
#include "widgets/chart/plots/region_picture.h"
#include "widgets/chart/plots/stacked_picture.h"

#include <QString>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace sparsight {

/// The parameters that have a slider, in the order of the sliders.
[[nodiscard]] std::span<const MachineParameter> slider_parameters();

/// A logarithmic axis.
[[nodiscard]] ChartAxis parameter_axis(MachineParameter parameter);

/// The only part of a time by the paper's formula.
[[nodiscard]] StackedTerm scaled_term();

/// Why the paper's formula can't change which schedule wins.
[[nodiscard]] QString paper_reason();

/// The only part of a time that a model told.
[[nodiscard]] StackedTerm learned_term(const QString& model);

/// The times of schedules on one machine, by one of the formulas or as a model learned them.
struct MachineRanking {
    Ranking ranking;
    std::vector<SimulatedTime> parts; ///< only of simulated times
    QString learned_by{};             ///< a model; empty: by a formula
    bool has_times = true;            ///< false: by a model that tells relative scores
    /// Of learned times the ends of their 95 % intervals, where the model states them.
    std::vector<std::pair<std::optional<double>, std::optional<double>>> intervals{};

    [[nodiscard]] bool states_intervals() const;
};

[[nodiscard]] MachineRanking ranking_of(const LearnedRanking& learned);

[[nodiscard]] MachineRanking rank_on(const MachineDescription& machine, const Study& study,
                                     WhatIfFormula formula, const PaperBasis& basis);

/// The mark of a schedule that wins somewhere on the map, by its key. Schedules that won before keep their
/// marks. A letter that is the name of a machine is left out.
struct WinnerMark {
    QString letter;
    std::size_t colour = 0; ///< an index as for owner_look()
};
using WinnerMarks = std::map<QString, WinnerMark>;
void mark_winners(const WinnerMap& map, const Study& study, const std::set<QString>& machines,
                  WinnerMarks& marks);

/// `marker_name`: "measured" or "recorded". Schedules without a time are left out.
[[nodiscard]] StackedPicture ranking_picture(const Study& study, const MachineRanking& ranked,
                                             const std::vector<std::optional<double>>& recorded_ms,
                                             const QString& marker_name, const WinnerMarks& marks);

[[nodiscard]] RegionPicture map_picture(const Study& study, const WinnerMap& map, const WinnerMarks& marks);

/// "CSR, chunk 8 wins on EPYC 7543, 12 % ahead of fixed CSR." Equally fast schedules are named together:
/// "“A” and “B” are equally fast on …" Rich text.
[[nodiscard]] QString winner_text(const Study& study, const Ranking& ranking, const QString& machine);

/// The same of what a model told: "Learned by gray: CSR wins on laptop, 12 % ahead of fixed CSR.", or
/// which schedule is its first choice. Rich text.
[[nodiscard]] QString learned_winner_text(const Study& study, const MachineRanking& learned,
                                          const QString& machine);

/// The schedules with a simulated and a known time; a lower bound that the simulation keeps is none.
[[nodiscard]] std::vector<std::size_t> comparable_places(const Ranking& ranking, const ClockTimes& known);
/// "The simulation is far off: its times differ from the recorded ones by a factor of 1.97 (median of 3
/// schedules). Read the parts below with care." Empty where they do not (evaluation/time_differences.h). A
/// machine is named where several are shown.
[[nodiscard]] QString far_off_in_median_text(const Ranking& ranking, const ClockTimes& known,
                                             double simulation_error, bool is_recorded,
                                             const QString& machine);

} // namespace sparsight

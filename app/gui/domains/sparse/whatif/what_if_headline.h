// The sentences above the rankings of "What if": who wins, whether simulated times are far off the known
// ones, and where times that a model learned are from.
#pragma once

#include "gui/domains/sparse/whatif/learned_times.h"
#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/schedule_study.h"
#include "gui/domains/sparse/whatif/subject_choice.h"
#include "gui/domains/sparse/whatif/what_if_drawing.h"

#include <QString>
#include <optional>
#include <span>

namespace sparsight {

/// A machine of the page, with its ranking.
struct ShownMachine {
    QString title;
    std::optional<ChosenMachine> chosen;
    const EditedMachine& edited;
    const MachineRanking& ranked;
    const LearnedTimes& learned;
    QString selected; ///< key of the selected schedule
};

/// As winner_text() or learned_winner_text() of the ranking.
[[nodiscard]] QString winner_text(const Study& study, const ShownMachine& machine);

/// Of the selected schedule, else of the winner, else of all that have a time: that simulated times are far
/// off the known ones. Empty where they are not, and of a machine that was changed, which has no known times.
/// Rich text.
[[nodiscard]] QString far_off_text(const Study& study, const ShownMachine& machine, bool is_named);

/// Where the shown times are from, or why they are not those of the model.
[[nodiscard]] QString learned_reason(const QString& model, std::span<const ShownMachine> machines);

} // namespace sparsight

// An explanation as pictures and sentences.
#pragma once

#include "gui/domains/sparse/comparison/explanation_values.h"
#include "study/clock.h"
#include "widgets/chart/plots/stacked_picture.h"
#include "widgets/chart/plots/waterfall_picture.h"

#include <QStringList>

namespace sparsight {

/// What views call both schedules: "fixed CSR", "chosen by the model".
struct SideTitles {
    QString against{};
    QString schedule{};
};

/// Keys of the ends of a waterfall; those of its steps are the keys of decisions.
[[nodiscard]] QString against_key();
[[nodiscard]] QString schedule_key();

[[nodiscard]] WaterfallPicture waterfall_picture(const ExplanationValues& shown, const SideTitles& titles);
/// Both simulated times with their parts; a diamond where the time was measured.
[[nodiscard]] StackedPicture terms_picture(const ExplanationValues& shown, const SideTitles& titles);

/// "The most costly decision: format of k1 as uncompressed costs 2.31 ms, 81.0 % of the simulated difference
/// of 2.85 ms." No decision is named that is no cause (is_cause()): "Not diagnosed: no single decision costs
/// more than the error of the simulation. …"
[[nodiscard]] QString blame_sentence(const ExplanationValues& shown);
/// "Measured: 1.26 times as long as fixed CSR; simulated on AMD EPYC: 0.93 times. The two disagree by …".
/// `clock` is how the time is known.
[[nodiscard]] QString disagreement_sentence(const Disagreement& disagreement, const QString& clock,
                                            const SideTitles& titles, const QString& machine);
/// "Simulated, they take 4.29 ms and 4.36 ms: 4.77 and 4.76 times the known 900 µs and 915 µs."
[[nodiscard]] QString simulation_distance(const ExplanationValues& simulated, double against_ms,
                                          double schedule_ms);
/// "The simulation takes 3.10 ms; the measured time is 9.40 ms. Read the parts below with care." Empty where
/// the simulated time is not far off the known one (evaluation/time_differences.h), and where none is known.
/// `schedule` is named where several are shown.
[[nodiscard]] QString far_off_text(double simulated_ms, double simulation_error, const ClockTime& known,
                                   bool is_recorded, const QString& schedule = {});
/// How the shares were found: exact, or of how many drawn orders, and what was left out.
[[nodiscard]] QString blame_method(const ExplanationValues& shown);
/// "Most of it is fill-in: 2.10 ms more, instructions for explicit zeros that the format stores."
[[nodiscard]] QString mechanism_sentence(const ExplanationValues& shown, const SideTitles& titles);
/// What would have to be different, each a sentence: of the schedule, the machine, the pattern.
[[nodiscard]] QString schedule_change_sentence(const ExplanationValues& shown, const SideTitles& titles);
[[nodiscard]] QStringList machine_change_sentences(const ExplanationValues& shown);
[[nodiscard]] QStringList pattern_change_sentences(const ExplanationValues& shown);
/// Where none of the patterns that were tried makes it win: how many, and how near the best of them came.
[[nodiscard]] QString losing_pattern_sentence(const ExplanationValues& shown);

/// "1.24 ± 0.05 ms", "≥ 9.00 ms", "1.24 ms simulated".
[[nodiscard]] QString time_text(const SideValues& side, bool is_measured);

} // namespace sparsight

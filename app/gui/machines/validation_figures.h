// A validation as what charts and labels show of it.
#pragma once

#include "collection/machine_calibration.h"
#include "widgets/chart/chart_values.h"
#include "widgets/chart/plots/stacked_picture.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <optional>
#include <vector>

namespace sparsight {

/// Simulated over measured milliseconds, one point for each schedule, keyed by its matrix, and the diagonal
/// on which both are equal. The matrix that is selected stands out, if it is one of them.
[[nodiscard]] std::vector<ChartSeries> simulated_over_measured(const MachineValidation& validation,
                                                               const QString& selected);

/// Kendall's τ of each matrix, the highest first, keyed by the matrix; where it is known what measuring once
/// more would reach, as points of another series.
[[nodiscard]] std::vector<ChartSeries> agreement_bars(const MachineValidation& validation);

/// Kendall's τ with one term left out, the term that is missed most first, with τ of all terms as marker.
[[nodiscard]] StackedPicture left_out_terms(const MachineValidation& validation);

/// How true the simulation is, in a sentence.
[[nodiscard]] QString validation_finding(const MachineValidation& validation);
/// What was looked at, what it was before a calibration, and what is missing.
[[nodiscard]] QString validation_remark(const MachineValidation& validation, bool held_out_only);

// The rows and columns behind the pictures of a validation: how true the simulation is, and what a
// calibration made of each parameter.

struct QualityRow {
    QString key;
    QString name; ///< of a matrix, or what is simulated
    QString meaning;
    SimulationQuality quality;
    std::optional<double> ceiling; ///< Kendall's τ when it is measured once more
    std::optional<qint64> schedules;
};

[[nodiscard]] std::vector<RecordColumn<QualityRow>> quality_columns(const QString& first_title);
/// Of each matrix, named and keyed by it.
[[nodiscard]] std::vector<QualityRow> matrix_rows(const MachineValidation& validation);
/// The simulation, what it was before the calibration, measuring once more, and without each of its terms.
[[nodiscard]] std::vector<QualityRow> mean_rows(const MachineValidation& validation);

struct FittedRow {
    MachineParameter parameter{};
    double before = 0;
    double after = 0;
    std::optional<double> doubt_left; ///< 0 to 1; nothing where only the fitted value is known
};

[[nodiscard]] std::vector<RecordColumn<FittedRow>> fitted_columns();
[[nodiscard]] QString key_of(const FittedRow& row);
/// None for a machine that was not calibrated.
[[nodiscard]] std::vector<FittedRow> fitted_rows(const MachineDescription& machine);

} // namespace sparsight

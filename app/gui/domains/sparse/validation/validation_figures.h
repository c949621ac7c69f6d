// The figures of a validation, which compares the simulation of a machine with measurements on it: charts,
// tables and sentences about the accuracy of the simulation and about the parameters that a calibration
// fitted.
#pragma once

#include "domains/sparse/workflow/calibration/machine_calibration.h"
#include "widgets/chart/chart_values.h"
#include "widgets/chart/plots/stacked_picture.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <optional>
#include <vector>

namespace sparsight {

/// Simulated against measured milliseconds: one point per schedule, keyed by its matrix, and the diagonal on
/// which both are equal. The selected matrix is highlighted, if it is one of them.
[[nodiscard]] std::vector<ChartSeries> simulated_over_measured(const MachineValidation& validation,
                                                               const QString& selected);

/// Kendall's τ of each matrix, the highest first, keyed by the matrix. Where the τ of a repeated measurement
/// is known, it is drawn as points of another series: it is the limit of what the simulation could reach.
[[nodiscard]] std::vector<ChartSeries> agreement_bars(const MachineValidation& validation);

/// Kendall's τ with one term left out, the most important term first, with τ of all terms as marker.
[[nodiscard]] StackedPicture left_out_terms(const MachineValidation& validation);

/// The accuracy of the simulation in one sentence.
[[nodiscard]] QString validation_finding(const MachineValidation& validation);
/// Which data the validation used, its result before a calibration, and what is missing.
[[nodiscard]] QString validation_remark(const MachineValidation& validation, bool held_out_only);

struct QualityRow {
    QString key;
    QString name; ///< name of the matrix, or of what is simulated
    QString meaning;
    SimulationQuality quality;
    std::optional<double> ceiling; ///< Kendall's τ of a repeated measurement
    std::optional<qint64> schedules;
};

[[nodiscard]] std::vector<RecordColumn<QualityRow>> quality_columns(const QString& first_title);
/// One row per matrix, named and keyed by it.
[[nodiscard]] std::vector<QualityRow> matrix_rows(const MachineValidation& validation);
/// The simulation, the simulation before the calibration, a repeated measurement, and the simulation without
/// each of its terms.
[[nodiscard]] std::vector<QualityRow> mean_rows(const MachineValidation& validation);

struct FittedRow {
    MachineParameter parameter{};
    double before = 0;
    double after = 0;
    std::optional<double> doubt_left; ///< 0 to 1; absent where only the fitted value is known
};

[[nodiscard]] std::vector<RecordColumn<FittedRow>> fitted_columns();
[[nodiscard]] QString key_of(const FittedRow& row);
/// Empty for a machine that was not calibrated.
[[nodiscard]] std::vector<FittedRow> fitted_rows(const MachineDescription& machine);

} // namespace sparsight

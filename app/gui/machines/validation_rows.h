// The rows and columns behind the pictures of a validation: how true the simulation is, and what a
// calibration made of each parameter.
#pragma once

#include "collection/machine_validation.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <optional>
#include <vector>

namespace sparsight {

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

// A validation as what charts and labels show of it.
#pragma once

#include "collection/machine_validation.h"
#include "widgets/chart/chart_series.h"
#include "widgets/chart/stacked_picture.h"

#include <QString>
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

} // namespace sparsight

// What the page "What if" says of parameters and of the parts of a time.
#pragma once

#include "machine/machine_parameters.h"
#include "machine/what_if/ranking.h"
#include "widgets/chart/stacked_picture.h"

#include <QString>
#include <span>

namespace sparsight {

/// Those that have a slider, in its order.
[[nodiscard]] std::span<const MachineParameter> slider_parameters();

/// Logarithmic.
[[nodiscard]] ChartAxis parameter_axis(MachineParameter parameter);

/// The only part of a time by the paper's formula.
[[nodiscard]] StackedTerm scaled_term();

/// Why the paper's formula can't change who wins.
[[nodiscard]] QString paper_reason();

} // namespace sparsight

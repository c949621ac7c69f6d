// The part of a parameter's range in which machines really lie: what sliders and maps run over.
#pragma once

#include "machine/machine_parameters.h"

#include <vector>

namespace sparsight {

struct ParameterRange {
    double lowest = 0; ///< above 0: sliders and maps are logarithmic
    double highest = 1;
    bool operator==(const ParameterRange&) const = default;
};

/// As wide as the family of machine_family.h is drawn, where it draws the parameter; otherwise about the
/// typical value as far as the parameter accepts it. Widened so that it holds `value`, where that is above 0.
[[nodiscard]] ParameterRange usual_range(MachineParameter parameter, double value = 0);

/// `steps` values over a range, each the same factor above the one before, both ends among them; rounded to
/// what the parameter counts in, so that there may be fewer. Lanes are powers of two.
[[nodiscard]] std::vector<double> steps_over(MachineParameter parameter, const ParameterRange& range,
                                             int steps);

} // namespace sparsight

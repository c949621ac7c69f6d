// The stops of a slider over a parameter of a machine: by factors, as machines differ by factors.
#pragma once

#include "machine/machine_parameters.h"

namespace sparsight {

class ParameterScale {
public:
    static constexpr int last_stop = 400;

    /// `factor` as in ParameterWords: it is what people read that is rounded.
    explicit ParameterScale(const ParameterInfo& info, double factor = 1);

    /// From 0 to last_stop. Rounded to three digits, and to whole numbers where the parameter counts.
    [[nodiscard]] double value_at(int stop) const;
    /// The nearest one.
    [[nodiscard]] int stop_of(double value) const;

private:
    double factor_;
    double lowest_; ///< the smallest above 0
    double highest_;
    bool has_zero_; ///< at stop 0
    bool counts_;
};

} // namespace sparsight

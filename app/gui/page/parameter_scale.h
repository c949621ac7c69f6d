// The stops of a slider over a parameter of a machine: by factors, as machines differ by factors.
#pragma once

#include "machine/machine_parameters.h"

#include <vector>

namespace sparsight {

class ParameterScale {
public:
    /// `factor` as in ParameterWords: it is what people read that is rounded.
    explicit ParameterScale(const ParameterInfo& info, double factor = 1);

    [[nodiscard]] int last_stop() const { return static_cast<int>(stops_.size()) - 1; }
    /// From 0 to last_stop(): rising, with three digits; whole numbers where the parameter counts, of which
    /// the small ones all have a stop.
    [[nodiscard]] double value_at(int stop) const;
    /// The nearest one.
    [[nodiscard]] int stop_of(double value) const;

private:
    std::vector<double> stops_;
};

} // namespace sparsight

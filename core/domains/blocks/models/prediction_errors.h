// How far predicted cycles of blocks are from measured ones.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace sparsight {

struct PredictionErrors {
    std::size_t blocks = 0;
    double mean = 0; ///< of |predicted − measured| / measured: the mean absolute percentage error, as a share
    double median = 0;                 ///< of the same
    std::optional<double> kendall_tau; ///< absent where all predictions, or all measurements, are equal
};

/// Both of one length, measured ones above 0. Absent without blocks.
[[nodiscard]] std::optional<PredictionErrors> prediction_errors(std::span<const double> predicted,
                                                                std::span<const double> measured);

} // namespace sparsight

// Noise of measured runtimes, for simulations that shall look like measurements: heavy-tailed, as repeats on
// shared machines are (their ratios have a median of 1.05 to 1.3 and a ninth decile of 2 to 3.7).
#pragma once

#include "base/random.h"

namespace sparsight {

/// The time of one measurement: log-normal about `milliseconds` with σ = sigma, and one time in ten
/// disturbed, which only makes it longer. sigma 0 gives the time itself.
[[nodiscard]] double measured_with_noise(double milliseconds, double sigma, Random& random);

} // namespace sparsight

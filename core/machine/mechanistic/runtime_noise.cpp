#include "machine/mechanistic/runtime_noise.h"

#include <cmath>

namespace sparsight {

double measured_with_noise(double milliseconds, double sigma, Random& random) {
    constexpr double disturbed_share = 0.1;
    constexpr double disturbance = 6; // in σ
    const double quiet = sigma * random.normal();
    const bool disturbed = random.chance(disturbed_share);
    const double slowed = disturbed ? disturbance * sigma * std::abs(random.normal()) : 0;
    return milliseconds * std::exp(quiet + slowed);
}

} // namespace sparsight

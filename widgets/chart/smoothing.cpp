#include "widgets/chart/smoothing.h"

#include <cmath>
#include <limits>

namespace sparsight {

std::vector<double> smoothed(std::span<const double> values, int points) {
    std::vector<double> result(values.begin(), values.end());
    if (points <= 1)
        return result;
    const double decay = 1 - 2.0 / (points + 1); // the centre of mass of a moving average of so many points
    double sum = 0;
    double weight = 0;
    for (double& value : result) {
        if (std::isfinite(value)) {
            sum = decay * sum + (1 - decay) * value;
            weight = decay * weight + (1 - decay);
        }
        value = weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
    }
    return result;
}

} // namespace sparsight

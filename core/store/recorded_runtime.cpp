#include "store/recorded_runtime.h"

#include <cmath>

namespace sparsight {

Measurement recorded_measurement(double milliseconds) {
    Measurement measurement;
    if (std::isinf(milliseconds)) {
        measurement.status = MeasurementStatus::Failed;
        measurement.reason = "recorded as a run that failed (inf)";
        return measurement;
    }
    measurement.status = MeasurementStatus::Measured;
    measurement.median = Milliseconds(milliseconds);
    return measurement;
}

bool is_outlier(double milliseconds) {
    constexpr double shortest_credible = 0.001;
    constexpr double longest_trained_on = 1000;
    return milliseconds < shortest_credible ||
           (milliseconds >= longest_trained_on && std::isfinite(milliseconds));
}

} // namespace sparsight

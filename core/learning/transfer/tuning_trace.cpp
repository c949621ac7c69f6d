#include "learning/transfer/tuning_trace.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

std::vector<TuningStep> tuning_steps(const TimedColumn& column, std::span<const std::size_t> order) {
    std::vector<TuningStep> steps;
    TuningStep now;
    for (const std::size_t configuration : order) {
        const double time = column.milliseconds[configuration];
        const bool has_run = std::isfinite(time);
        const double milliseconds = has_run ? time : column.slowest();
        now.milliseconds = now.measurements == 0 ? milliseconds : std::min(now.milliseconds, milliseconds);
        now.spent += has_run ? time : 0;
        ++now.measurements;
        steps.push_back(now);
    }
    return steps;
}

} // namespace sparsight

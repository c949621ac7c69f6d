#include "machine/what_if/paper_basis.h"

#include "machine/what_if/ranking.h"

#include <algorithm>
#include <limits>

namespace sparsight {

PaperBasis paper_basis(std::span<const std::optional<double>> recorded_ms, const MachineParameters& machine,
                       std::span<const ScheduleProfile> profiles) {
    const auto known = std::ranges::count_if(
        recorded_ms, [](const std::optional<double>& each) { return each.has_value(); });
    PaperBasis basis{known >= 2, {}};
    if (!basis.is_recorded) {
        basis.milliseconds = rank(simulate(machine, profiles)).milliseconds;
        return basis;
    }
    for (const std::optional<double>& each : recorded_ms)
        basis.milliseconds.push_back(each.value_or(std::numeric_limits<double>::infinity()));
    return basis;
}

} // namespace sparsight

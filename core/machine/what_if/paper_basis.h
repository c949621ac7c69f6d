// What the paper's formula scales: it says nothing of a schedule that nobody has run.
#pragma once

#include "machine/machine_parameters.h"
#include "machine/mechanistic/schedule_profile.h"

#include <optional>
#include <span>
#include <vector>

namespace sparsight {

struct PaperBasis {
    bool is_recorded = false;         ///< otherwise simulated, as too few times are known
    std::vector<double> milliseconds; ///< by schedule; infinite where it was not recorded
};

/// The recorded times of those schedules that have one, if there are two or more to compare; otherwise those
/// that the mechanistic simulator gives on `machine`, which then stands for the real one.
[[nodiscard]] PaperBasis paper_basis(std::span<const std::optional<double>> recorded_ms,
                                     const MachineParameters& machine,
                                     std::span<const ScheduleProfile> profiles);

} // namespace sparsight

// Simulated runtimes with their derivatives by the machine's parameters, for the calibration.
//
// A fitted parameter is looked at as θ = log(value / prior value) / log(doubt): 0 where nothing is learned,
// and a standard normal prior says how far it may go (ParameterInfo::doubt).
#pragma once

#include "machine/machine_parameters.h"
#include "machine/mechanistic/schedule_profile.h"

#include <span>
#include <vector>

namespace sparsight {

/// The parameters that are fitted: those with a doubt above 1.
[[nodiscard]] std::span<const MachineParameter> fitted_parameters();
/// As many as can be fitted at once.
inline constexpr int fitted_parameter_count = 27;

using FittedCoordinates = std::array<double, fitted_parameter_count>;

/// Values out of their range are moved to its end.
[[nodiscard]] MachineParameters moved(const MachineParameters& prior, const FittedCoordinates& theta);

struct LogTime {
    double value = 0;             ///< of simulated milliseconds
    FittedCoordinates gradient{}; ///< by θ
};

/// At an end of a parameter's range the derivative is that of the side within.
/// `instructions` are those of the profile on this machine; they depend on no fitted parameter.
[[nodiscard]] LogTime log_simulated_time(const MachineParameters& prior, const FittedCoordinates& theta,
                                         const ScheduleProfile& profile,
                                         const InstructionCounts& instructions);

} // namespace sparsight

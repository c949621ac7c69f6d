// Where the value comes from that a simulation takes for a parameter of a machine.
#pragma once

#include "machine/machine_parameters.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sparsight {

enum class ParameterOrigin : std::uint8_t {
    Stated,   ///< by the operating system, a data sheet, or whoever chose the number
    Measured, ///< by the probe of this computer
    Fitted,   ///< by a calibration, which moved it away from what was taken before
    Typical,  ///< nothing says it of this machine
};

/// "stated", "measured", "fitted", "typical".
[[nodiscard]] std::string_view name(ParameterOrigin origin);

/// A calibrated value that is still what it would be without the calibration is of that origin.
[[nodiscard]] ParameterOrigin origin_of(const MachineDescription& machine, MachineParameter parameter);

/// What is left of the doubt about a value that a calibration found, 0 to 1 (CalibrationRecord); absent where
/// none looked at it.
[[nodiscard]] std::optional<double> doubt_left(const MachineDescription& machine, MachineParameter parameter);

/// Whether a calibration found any of its coefficients. Those of a simulated machine were chosen or drawn.
[[nodiscard]] bool is_calibrated(const MachineDescription& machine);

/// The machine as its facts alone tell, without what a calibration found out; a simulated machine keeps its
/// coefficients, which were chosen.
[[nodiscard]] MachineDescription without_calibration(MachineDescription machine);

} // namespace sparsight

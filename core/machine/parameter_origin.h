// Where the value comes from that a simulation takes for a parameter of a machine.
#pragma once

#include "machine/machine_parameters.h"

#include <cstdint>
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

/// The machine as its facts alone tell, without what a calibration found out; a simulated machine keeps its
/// coefficients, which were chosen.
[[nodiscard]] MachineDescription without_calibration(MachineDescription machine);

} // namespace sparsight

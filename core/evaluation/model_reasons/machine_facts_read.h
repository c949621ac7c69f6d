// The parameters of machines that reasons speak of: those that data sheets and probes tell, which is what
// models read of a machine.
#pragma once

#include "machine/machine_parameters.h"

#include <span>
#include <string>

namespace sparsight {

[[nodiscard]] std::span<const MachineParameter> told_parameters();

/// For people: "cores", "L2 cache", "memory latency".
[[nodiscard]] std::string title(MachineParameter parameter);

/// As reasons tell it, which is in KiB where the parameter counts bytes.
[[nodiscard]] std::string told_unit(MachineParameter parameter);
[[nodiscard]] double told_value(MachineParameter parameter, double value);

/// "8", "0.1235", "1.5e+16".
[[nodiscard]] std::string short_number(double value);

} // namespace sparsight

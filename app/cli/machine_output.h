// The parameters of a machine, for people and as JSON.
#pragma once

#include "base/observer.h"
#include "machine/machine_description.h"

#include <string>

namespace sparsight {

/// Every parameter that a simulation takes: {"key", "value", "unit", "assumed", "origin", "doubt_left"}.
[[nodiscard]] Json parameters_json(const MachineDescription& machine);
/// A table of them with where each value comes from (machine/machine_parameters.h), and how sure a
/// calibration is.
[[nodiscard]] std::string parameters_text(const MachineDescription& machine);

/// A table of the facts of a data sheet (workflow/machines/data_sheets.h) with their meanings; "?" for the
/// fields that it does not state.
[[nodiscard]] std::string data_sheet_text(const Json& facts);

} // namespace sparsight

// A machine as JSON text, format 1. Every field is there; what is unknown is null. Units are part of the
// names. "simulation", with its coefficients by the keys of machine_parameters.h, and in it "calibration" may
// be missing: files that were written before they existed are read as well.
#pragma once

#include "machine/machine_description.h"

#include <nlohmann/json_fwd.hpp>

namespace sparsight {

[[nodiscard]] nlohmann::ordered_json machine_to_json(const MachineDescription& machine);
[[nodiscard]] std::string machine_to_text(const MachineDescription& machine);

/// The errors (Fault::Input) name the field ("cpu.cores"), what stands there and what was expected; those
/// about broken JSON carry the line. The machine has passed validate().
[[nodiscard]] Result<MachineDescription> machine_from_json(const nlohmann::ordered_json& json);
[[nodiscard]] Result<MachineDescription> machine_from_text(std::string_view text);
/// The same, of a file that a user has: it may be what `machine show --json` or `machine probe --json`
/// printed, which is more than the machine ("fingerprint", "parameters" …).
[[nodiscard]] Result<MachineDescription> machine_from_printed_text(std::string_view text);

} // namespace sparsight

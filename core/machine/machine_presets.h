// Machines to start from: real processors by their data sheets, typical ones, and the report's imagined two.
// This computer is none of them: it is probed.
#pragma once

#include "machine/machine_description.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sparsight {

struct MachinePreset {
    std::string_view key;    ///< "epyc-7543"
    std::string_view source; ///< of its facts, one line
    std::string_view note;   ///< what of it is estimated or guessed; may be empty
    MachineDescription machine;
};

/// 8 cores, 50 GB/s, latency 1.2.
[[nodiscard]] MachineDescription report_machine_a();
/// 16 cores, 80 GB/s, latency 1.0.
[[nodiscard]] MachineDescription report_machine_b();

/// All are simulated machines. Those whose recorded runtimes come from TACO's code update C in memory: their
/// coefficient `accumulators` is 0.
[[nodiscard]] std::vector<MachinePreset> machine_presets();

/// By its key or the name of its machine, without regard to case.
[[nodiscard]] std::optional<MachinePreset> find_machine_preset(std::string_view name);

} // namespace sparsight

// What a page and a terminal call parts of a simulated time and numbers of a machine.
#pragma once

#include "evaluation/diagnosis/counterfactual.h"
#include "evaluation/diagnosis/hardware_counters.h"
#include "machine/mechanistic/simulated_time.h"

#include <string>
#include <string_view>

namespace sparsight {

/// "instructions for entries", "traffic: last level cache".
[[nodiscard]] std::string_view title(TimeTerm term);

/// "cache misses of the last level".
[[nodiscard]] std::string_view title(HardwareEvent event);

/// "level 2 cache of a core 512 KiB → 1 MiB", "clock 2.8 → 3.4 GHz".
[[nodiscard]] std::string to_text(const MachineChange& change);

} // namespace sparsight

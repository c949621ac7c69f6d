// The text of an explanation, for pages and terminals: changes of the pattern and the machine, parts of a
// simulated time.
#pragma once

#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/pattern/pattern_change.h"
#include "domains/sparse/simulator/simulator.h"
#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/hardware_counters.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sparsight {

struct Explanation;

/// What texts call the other side of a blame: "fixed CSR", or "the other side".
[[nodiscard]] std::string_view title_of_other_side(const Blame& blame);

/// "The smallest change of the pattern: …; simulated …": in a sentence or two, with its measurements. Where
/// none wins, which changes were tried and how near the best came.
[[nodiscard]] std::string pattern_change_text(const PatternSearch& search);

/// "instructions for entries", "traffic: last level cache".
[[nodiscard]] std::string_view title(TimeTerm term);

/// "cache misses of the last level".
[[nodiscard]] std::string_view title(HardwareEvent event);

/// "L2 cache per core 512 KiB → 1 MiB", "clock 2.8 → 3.4 GHz".
[[nodiscard]] std::string to_text(const MachineChange& change);

/// For programs: what `sparsight-cli explain --json` prints and reports carry; see its --help.
[[nodiscard]] nlohmann::ordered_json explanation_json(const Explanation& explanation);

} // namespace sparsight

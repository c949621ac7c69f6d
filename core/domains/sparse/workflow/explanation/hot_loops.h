// The innermost loop in which the kernel of a schedule spends its time, as machine code of a processor, and
// what it waits for there: two schedules side by side at the instruction.
#pragma once

#include "base/error.h"
#include "code_analysis/loop_analyst.h"
#include "domains/sparse/clock/hot_loop_code.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace sparsight {

struct HotLoopCosts {
    LoopProcessor processor;
    HotLoopCode loop;      ///< compiled for that processor
    LoopAnalysis analysis; ///< of its code

    /// Of an iteration: the bound, where it is known, else LLVM's simulation.
    [[nodiscard]] double cycles() const;
    /// The same for a stored entry of the sparse operand.
    [[nodiscard]] double cycles_an_entry() const { return cycles() / loop.entries; }
};

/// Some 20 ms. Errors: the code has no loop that multiplies and adds (Input); those of CodeAnalyser and of
/// the analyst.
[[nodiscard]] Result<HotLoopCosts> hot_loop_costs(const SuperSchedule& schedule, const Extents& extents,
                                                  const LoopProcessor& processor, const LoopAnalyst& analyst);

/// "6.0 cycles a stored entry: it waits for the chain of vaddss from one iteration to the next".
[[nodiscard]] std::string hot_loop_phrase(const HotLoopCosts& costs);
/// "On Haswell the hot loop of fixed CSR needs 6.0 cycles a stored entry: … That of the other schedule needs
/// 2.1 …". The names are subjects for people.
[[nodiscard]] std::string compare_hot_loops(const HotLoopCosts& one, const std::string& name_of_one,
                                            const HotLoopCosts& other, const std::string& name_of_other);

/// {"processor", "loop", "depth", "hex", "entries", "cycles", "cycles_per_entry", "simulated_cycles",
/// "bound":
/// {"dependencies", "ports", "front_end", "divider", "cycles", "chain", "unknown"} or null, "binds",
/// "listing"}
[[nodiscard]] nlohmann::ordered_json to_json(const HotLoopCosts& costs);

} // namespace sparsight

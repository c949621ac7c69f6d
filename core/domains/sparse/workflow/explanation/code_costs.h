// A schedule's loop nest with what each line costs: by the simulator, by LLVM's analyser for the loop that
// computes, and, where the system allows it, as the processor counts it.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/clock/analysed_costs.h"
#include "domains/sparse/simulator/line_costs.h"
#include "domains/sparse/tensor/pattern.h"
#include "evaluation/diagnosis/hardware_counters.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

struct CodeCostsRequest {
    SuperSchedule schedule;
    std::int64_t dense = 256;
    MachineDescription machine;
    int threads = 0;            ///< of simulated and counted kernels; 0: all that the machine has
    std::string cpu = "native"; ///< LLVM's name of the processor that is analysed; empty: none
};

/// The innermost loop of the compiled kernel that computes.
struct HotLoop {
    InstructionCost cost;
    std::size_t line = 0; ///< of LineCosts::lines: its head
};

struct CodeCosts {
    LineCosts costs;
    std::string machine; ///< name
    std::string cpu;     ///< that was analysed
    std::optional<HotLoop> hot;
    std::string assembly;     ///< of the whole function
    std::string not_analysed; ///< why there is no `hot`; empty where there is one
};

/// Errors: an invalid schedule, Fault::Cancelled. What LLVM can't analyse is no error.
[[nodiscard]] Result<CodeCosts> code_costs(const CsrPattern& pattern, const CodeCostsRequest& request,
                                           const std::stop_token& stop = {});

/// Runs the kernel here, alone among this user's measurements. Errors (Fault::Environment): the system shows
/// no counters, with the reason; those of count_runs().
[[nodiscard]] Result<HardwareCounts> count_hardware_events(const CsrPattern& pattern,
                                                           const CodeCostsRequest& request,
                                                           Observer& observer,
                                                           const std::stop_token& stop = {});

/// Milliseconds and share before each line, and the sum below.
[[nodiscard]] std::string to_text(const CodeCosts& code);
[[nodiscard]] Json to_json(const CodeCosts& code);

} // namespace sparsight

// What loops cost on a processor by LLVM's machine-code analyser (instruction_cost.h), in the units of the
// mechanistic simulator: values to start from where nothing was measured, and for other processors.
//
// These parameters are replaced, each from the throughput of the innermost loop of a small kernel:
//   tiled_vector          slope of CSR's loop over k as the dense extent grows from 1 vector to 12; the loop
//                         over few vectors waits for its own sums: it is flat and its intercept is large
//   updated_vector        the same of a loop that updates C in memory
//   compressed_iteration  and
//   vector_start          share the first one's intercept as their typical values do, because throughput does
//                         not distinguish them; the former is at most half of the loop that updates a y in
//                         memory
//   dense_iteration       intercept of the same loop over an uncompressed k, less vector_start
//   tiled_scalar          SpMV's loop over k, less compressed_iteration
//   updated_scalar        the same of the loop that updates y in memory
// All other parameters stay: entering a loop costs mispredicted branches, which throughput does not show.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace sparsight {

[[nodiscard]] std::span<const MachineParameter> analysed_parameters();

struct AnalysedCosts {
    std::string cpu; ///< LLVM's name of it, that of this computer's where "native" was asked for
    std::map<MachineParameter, double> cycles;
};

/// Cycles on a processor by LLVM's name of it, or "native", within the ranges of parameter_info(). About a
/// second. Errors: as CodeAnalyser::make() and analyse().
[[nodiscard]] Result<AnalysedCosts> analysed_costs(std::string_view cpu);

/// Puts them in the place of what the machine's coefficients say, and returns LLVM's name of the processor.
/// Further errors (Fault::Input): the machine is known to have other vectors than the processor.
[[nodiscard]] Result<std::string> set_analysed_costs(MachineDescription& machine, std::string_view cpu);

} // namespace sparsight

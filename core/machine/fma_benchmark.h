// How fast the processor multiplies and adds: measured on the computer that runs this.
#pragma once

#include "base/error.h"
#include "base/quantity.h"

#include <stop_token>
#include <vector>

namespace sparsight {

/// One thread bound to each of the processors runs independent chains of float32 multiply-adds in the widest
/// vectors that the processor has (chosen at run time) and touches no memory. Each multiply-add counts two
/// operations. Where there is no fused instruction, separate ones are used.
[[nodiscard]] Result<GigaflopsPerSecond> measure_peak_fma(const std::vector<int>& processors, Seconds budget,
                                                          const std::stop_token& stop);

} // namespace sparsight

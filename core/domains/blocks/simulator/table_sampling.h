// Random parameters, from which a surrogate learns what a simulator makes of them.
#pragma once

#include "base/random.h"
#include "domains/blocks/simulator/simulator_table.h"

#include <vector>

namespace sparsight {

enum class TableSampling {
    /// The ranges of DiffTune (Renda, Chen, Mendis, Carbin: DiffTune: optimizing CPU simulator parameters
    /// using learned differentiable surrogates, MICRO 2020, section 5), whatever the table says: 1 to 10
    /// micro-operations, latencies and read advances of 0 to 5, up to 2 ports (no groups) for up to 2 cycles,
    /// a dispatch
    /// width of 1 to 10 and a reorder buffer of 50 to 250.
    Published,
    /// Half of the parameters as they are in the table, the others near.
    AroundTable,
};

[[nodiscard]] ProcessorValues sample_processor(const SimulatorTable& around, TableSampling sampling,
                                               Random& random);
/// `original` has the bounds. The values are repaired.
[[nodiscard]] std::vector<int> sample_class(const SimulatorTable& original, const SimulatorTable& around,
                                            std::size_t place, TableSampling sampling, Random& random);

} // namespace sparsight

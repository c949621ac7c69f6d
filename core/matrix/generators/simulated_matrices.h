// The "simulated matrices" of the meta-learning report: not one matrix but a whole collection. The report
// names what is set (how many, the most rows, the most columns). The ranges are those of the script it points
// to, simulate_matrices.py in github.com/cecnyb/WACO_with_ML: rows and columns uniform in 50 … 200, density
// uniform in 0.01 … 0.05, 2000 matrices named matrix0, matrix1, …; round(density · rows · cols) entries,
// every set of places equally likely.
#pragma once

#include "matrix/generators/generator.h"

namespace sparsight {

struct NamedPattern {
    std::string name;
    CsrPattern pattern;
};

/// "count", "minimum-rows", "maximum-rows", "minimum-cols", "maximum-cols", "minimum-density",
/// "maximum-density"; in a collection these take the place of a generator's parameters.
[[nodiscard]] std::span<const Parameter> simulated_matrices_parameters();

/// Matrix i depends on the seed, the ranges and i only: a larger count adds matrices and changes none.
/// Errors: Input for a bad name or value or a minimum above its maximum, Limit for too many entries,
/// Cancelled.
[[nodiscard]] Result<std::vector<NamedPattern>>
simulate_matrices(const ParameterValues& values, std::uint64_t seed, const std::stop_token& stop = {});

} // namespace sparsight

// Matrices, schedules and expected results that the kernel tests share.
#pragma once

#include "base/random.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"

#include <string>
#include <vector>

namespace sparsight::testing {

struct NamedPattern {
    std::string name;
    CsrPattern pattern;
};

/// Every shape that a loop bound could get wrong: empty, 1×1, one row, one column, empty rows, extents that
/// no split divides, more rows than columns and the reverse.
[[nodiscard]] std::vector<NamedPattern> awkward_patterns();

/// Each entry present with the given probability; values around 1, both signs.
[[nodiscard]] CsrPattern random_pattern(std::int64_t rows, std::int64_t cols, double density, Random& random);

/// Any valid schedule, loops in any order, splits that need not divide anything; wilder than the samplers.
[[nodiscard]] SuperSchedule random_schedule(Operator op, Random& random);

/// Dense operands and what Eigen says the result is: C for SpMM and SpMV in row-major order, for SDDMM one
/// value for each entry in CSR order.
struct ExpectedResult {
    FloatBuffer b;
    FloatBuffer d;
    std::vector<double> c;
    std::vector<double> magnitude; ///< Σ |products|: what rounding errors are relative to
};
[[nodiscard]] ExpectedResult expected_by_eigen(Operator op, const CsrPattern& pattern, std::int64_t dense,
                                               Random& random);

/// The kernel's C in the order of ExpectedResult::c.
[[nodiscard]] std::vector<float> in_expected_order(Operator op, const PackedMatrix& packed,
                                                   const FloatBuffer& c);

/// Empty when every element agrees to 1e-4 of its magnitude; otherwise which one does not.
[[nodiscard]] std::string first_difference(const std::vector<float>& result, const ExpectedResult& expected);

} // namespace sparsight::testing

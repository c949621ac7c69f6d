// What a kernel reads and writes. Shapes, row-major float32:
//   SpMM   B: cols × dense, C: rows × dense.   SpMV   B (x): cols, C (y): rows.
//   SDDMM  B: rows × dense, D: cols × dense (that is D(k,j) stored by columns), C: one for each position of
//   A.
#pragma once

#include "kernel/packed_matrix.h"
#include "schedule/operator.h"

#include <cstdint>
#include <span>

namespace sparsight {

/// C must begin at a multiple of 64 bytes, as a FloatBuffer does.
struct KernelOperands {
    const PackedMatrix& a;
    std::span<const float> b;
    std::span<const float> d; ///< empty but for SDDMM
    std::span<float> c;
};

struct OperandSizes {
    std::int64_t b = 0;
    std::int64_t d = 0;
    std::int64_t c = 0;
};

/// In floats; `positions` is the number of values that A stores (used by SDDMM only).
[[nodiscard]] OperandSizes operand_sizes(Operator op, const Extents& extents, std::int64_t positions);

} // namespace sparsight

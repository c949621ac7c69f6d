// The loop nest as readable C, for people: what the window shows is what the machine code does. It also
// compiles, and a test compiles and runs it.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <string>

namespace sparsight {

/// A C99 function named after the operator, for instance
///   void spmm(const int32_t* k_pos, const int32_t* k_crd, const float* A, const float* B, float* C)
/// with one pos/crd pair for each compressed level (outermost first), then A, B, D (SDDMM only), C. OpenMP
/// pragmas say what runs in parallel.
[[nodiscard]] std::string print_c(const LoopNest& nest);

} // namespace sparsight

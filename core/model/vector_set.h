// The vector instructions that the convolution kernels are compiled for; chosen while the program runs.
#pragma once

#include <string_view>
#include <vector>

namespace sparsight {

enum class VectorSet {
    Portable, ///< 128 bits: what every x86-64 and 64-bit ARM has
    Avx2,     ///< 256 bits with fused multiply-add
    Avx512,   ///< 512 bits (AVX-512F)
};

[[nodiscard]] std::string_view name_of(VectorSet set);

/// What this processor can run, narrowest first; never empty. Tests run all of them.
[[nodiscard]] std::vector<VectorSet> supported_vector_sets();

[[nodiscard]] VectorSet widest_vector_set();

} // namespace sparsight

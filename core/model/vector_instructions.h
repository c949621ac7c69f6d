// The vector instructions that the convolution kernels are compiled for, chosen while the program runs, and
// vectors of floats of a chosen width.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sparsight {

enum class VectorInstructions {
    Portable, ///< 128 bits: what every x86-64 and 64-bit ARM has
    Avx2,     ///< 256 bits with fused multiply-add
    Avx512,   ///< 512 bits (AVX-512F)
};

[[nodiscard]] std::string_view name_of(VectorInstructions set);

/// The instruction sets that this processor supports, narrowest first; never empty. Tests run all of them.
[[nodiscard]] std::vector<VectorInstructions> supported_vector_instructions();

[[nodiscard]] VectorInstructions widest_vector_instructions();

// Vectors of floats of a chosen width, as GCC and Clang have them: ordinary operators, compiled to the
// instructions of the function's target.

template <std::size_t Lanes>
struct FloatVectors;
template <>
struct FloatVectors<4> {
    using Vector [[gnu::vector_size(16)]] = float;
};
template <>
struct FloatVectors<8> {
    using Vector [[gnu::vector_size(32)]] = float;
};
template <>
struct FloatVectors<16> {
    using Vector [[gnu::vector_size(64)]] = float;
};
template <std::size_t Lanes>
using FloatVector = typename FloatVectors<Lanes>::Vector;

/// A vector at any address.
template <std::size_t Lanes>
struct [[gnu::packed, gnu::may_alias]] UnalignedVector {
    FloatVector<Lanes> value;
};

template <std::size_t Lanes>
[[gnu::always_inline]] inline UnalignedVector<Lanes>* as_vectors(float* memory) {
    return reinterpret_cast<UnalignedVector<Lanes>*>(memory);
}
template <std::size_t Lanes>
[[gnu::always_inline]] inline const UnalignedVector<Lanes>* as_vectors(const float* memory) {
    return reinterpret_cast<const UnalignedVector<Lanes>*>(memory);
}

} // namespace sparsight

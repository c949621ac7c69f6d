// Vectors of floats of a chosen width, as GCC and Clang have them: ordinary operators, and the instructions
// that the function's target has.
#pragma once

#include <cstddef>

namespace sparsight {

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

/// A vector anywhere in memory.
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

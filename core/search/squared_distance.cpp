#include "search/proximity_graph.h"

#include "model/vector_instructions.h"

namespace sparsight {
namespace {

/// Two sums, so that one addition need not wait for the last.
template <std::size_t Lanes>
[[gnu::always_inline]] inline float squared_distance(const float* a, const float* b, std::size_t count) {
    FloatVector<Lanes> even{};
    FloatVector<Lanes> odd{};
    std::size_t at = 0;
    for (; at + 2 * Lanes <= count; at += 2 * Lanes) {
        const FloatVector<Lanes> first =
            as_vectors<Lanes>(a + at)[0].value - as_vectors<Lanes>(b + at)[0].value;
        const FloatVector<Lanes> second =
            as_vectors<Lanes>(a + at)[1].value - as_vectors<Lanes>(b + at)[1].value;
        even += first * first;
        odd += second * second;
    }
    even += odd;
    float sum = 0;
    for (std::size_t lane = 0; lane < Lanes; ++lane)
        sum += even[lane];
    for (; at < count; ++at)
        sum += (a[at] - b[at]) * (a[at] - b[at]);
    return sum;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] float squared_distance_avx512(const float* a, const float* b, std::size_t count) {
    return squared_distance<16>(a, b, count);
}
[[gnu::target("avx2,fma")]] float squared_distance_avx2(const float* a, const float* b, std::size_t count) {
    return squared_distance<8>(a, b, count);
}
#endif
float squared_distance_128(const float* a, const float* b, std::size_t count) {
    return squared_distance<4>(a, b, count);
}

} // namespace

SquaredDistance squared_distance_kernel(VectorInstructions set) {
    switch (set) {
#if defined(__x86_64__)
    case VectorInstructions::Avx512:
        return squared_distance_avx512;
    case VectorInstructions::Avx2:
        return squared_distance_avx2;
#endif
    default:
        return squared_distance_128;
    }
}

} // namespace sparsight

#include "model/convolution/pair_kernels.h"

#include "model/convolution/pair_kernel_loops.h"

namespace sparsight {

namespace {

// A group has 16 accumulators of 32 registers, or 12 of 16; the other vectors of a step need the rest.
#if defined(__x86_64__)
[[gnu::target("avx512f")]] void add_products_avx512(const PairList& pairs, Channels channels,
                                                    const float* neighbours, const float* weight,
                                                    float* centres) {
    add_products<16, 8>(pairs, channels, neighbours, weight, centres);
}
[[gnu::target("avx512f")]] void add_outer_products_avx512(const PairList& pairs, Channels channels,
                                                          const float* neighbours, const float* centres,
                                                          float* weight) {
    add_outer_products<16, 8>(pairs, channels, neighbours, centres, weight);
}
[[gnu::target("avx512f")]] void weighted_sum_avx512(int count, const float* scales, const float* const* rows,
                                                    std::int64_t channels, float* sum) {
    weighted_sum<16>(count, scales, rows, channels, sum, Accumulators<16, 1>());
}
[[gnu::target("avx512f")]] void add_to_each_avx512(int count, const float* row, float* const* rows,
                                                   std::int64_t channels) {
    add_to_each<16>(count, row, rows, channels, Accumulators<16, 1>());
}
[[gnu::target("avx2,fma")]] void add_products_avx2(const PairList& pairs, Channels channels,
                                                   const float* neighbours, const float* weight,
                                                   float* centres) {
    add_products<8, 3>(pairs, channels, neighbours, weight, centres);
}
[[gnu::target("avx2,fma")]] void add_outer_products_avx2(const PairList& pairs, Channels channels,
                                                         const float* neighbours, const float* centres,
                                                         float* weight) {
    add_outer_products<8, 2>(pairs, channels, neighbours, centres, weight);
}
[[gnu::target("avx2,fma")]] void weighted_sum_avx2(int count, const float* scales, const float* const* rows,
                                                   std::int64_t channels, float* sum) {
    weighted_sum<8>(count, scales, rows, channels, sum, Accumulators<8, 1>());
}
[[gnu::target("avx2,fma")]] void add_to_each_avx2(int count, const float* row, float* const* rows,
                                                  std::int64_t channels) {
    add_to_each<8>(count, row, rows, channels, Accumulators<8, 1>());
}
#endif
void add_products_128(const PairList& pairs, Channels channels, const float* neighbours, const float* weight,
                      float* centres) {
    add_products<4, 1>(pairs, channels, neighbours, weight, centres);
}
void add_outer_products_128(const PairList& pairs, Channels channels, const float* neighbours,
                            const float* centres, float* weight) {
    add_outer_products<4, 1>(pairs, channels, neighbours, centres, weight);
}

void weighted_sum_128(int count, const float* scales, const float* const* rows, std::int64_t channels,
                      float* sum) {
    weighted_sum<4>(count, scales, rows, channels, sum, Accumulators<4, 1>());
}
void add_to_each_128(int count, const float* row, float* const* rows, std::int64_t channels) {
    add_to_each<4>(count, row, rows, channels, Accumulators<4, 1>());
}
} // namespace

PairKernels<float> pair_kernels(Channels channels, VectorInstructions set, float) {
    if (channels.out % channel_block != 0)
        return {add_products_portable<float>, add_outer_products_portable<float>,
                weighted_sum_portable<float>, add_to_each_portable<float>};
    switch (set) {
#if defined(__x86_64__)
    case VectorInstructions::Avx512:
        return {add_products_avx512, add_outer_products_avx512, weighted_sum_avx512, add_to_each_avx512};
    case VectorInstructions::Avx2:
        return {add_products_avx2, add_outer_products_avx2, weighted_sum_avx2, add_to_each_avx2};
#endif
    default:
        return {add_products_128, add_outer_products_128, weighted_sum_128, add_to_each_128};
    }
}

PairKernels<double> pair_kernels(Channels, VectorInstructions, double) {
    return {add_products_portable<double>, add_outer_products_portable<double>, weighted_sum_portable<double>,
            add_to_each_portable<double>};
}

} // namespace sparsight

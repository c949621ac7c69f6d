// The pair kernels as plain loops: any number of channels, any floating type.
#pragma once

#include "model/pair_kernels.h"

#include <algorithm>

namespace sparsight {

template <typename T>
void add_products_portable(const PairList& pairs, Channels channels, const T* neighbours, const T* weight,
                           T* centres) {
    for (int pair = 0; pair < pairs.count; ++pair) {
        const T* row = neighbours + pairs.neighbours[pair] * channels.in;
        T* sums = centres + pairs.centres[pair] * channels.out;
        for (std::int64_t in = 0; in < channels.in; ++in)
            for (std::int64_t out = 0; out < channels.out; ++out)
                sums[out] += row[in] * weight[in * channels.out + out];
    }
}

template <typename T>
void add_outer_products_portable(const PairList& pairs, Channels channels, const T* neighbours,
                                 const T* centres, T* weight) {
    for (int pair = 0; pair < pairs.count; ++pair) {
        const T* row = neighbours + pairs.neighbours[pair] * channels.in;
        const T* gradient = centres + pairs.centres[pair] * channels.out;
        for (std::int64_t in = 0; in < channels.in; ++in)
            for (std::int64_t out = 0; out < channels.out; ++out)
                weight[in * channels.out + out] += row[in] * gradient[out];
    }
}

template <typename T>
void weighted_sum_portable(int count, const T* scales, const T* const* rows, std::int64_t channels, T* sum) {
    std::fill_n(sum, channels, T{});
    for (int i = 0; i < count; ++i)
        for (std::int64_t channel = 0; channel < channels; ++channel)
            sum[channel] += scales[i] * rows[i][channel];
}

template <typename T>
void add_to_each_portable(int count, const T* row, T* const* rows, std::int64_t channels) {
    for (int i = 0; i < count; ++i)
        for (std::int64_t channel = 0; channel < channels; ++channel)
            rows[i][channel] += row[channel];
}

} // namespace sparsight

// The loops of the pair kernels: plain ones for any number of channels and any floating type, and ones on
// blocks of 32 channels in vectors of any width.
#pragma once

#include "model/convolution/pair_kernels.h"
#include "model/vector_instructions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

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

// The kernels on blocks of 32 channels are inlined into functions for different instruction sets, where the
// compiler fuses multiply and add if it can. Accumulators are written out by folds, because GCC keeps an
// array that a loop walks over in memory.

template <std::size_t Lanes>
constexpr std::size_t vectors_a_block = static_cast<std::size_t>(channel_block) / Lanes;

/// Computes one block of output channels for as many pairs as fit: accumulator i belongs to pair i / N,
/// vector i % N.
template <std::size_t Lanes, std::size_t... I>
[[gnu::always_inline]] inline void product_group(const PairList& pairs, int first, Channels channels,
                                                 const float* neighbours, const float* weight, float* centres,
                                                 std::index_sequence<I...>) {
    using Vector = FloatVector<Lanes>;
    constexpr std::size_t N = vectors_a_block<Lanes>;
    const float* rows[] = {(neighbours + pairs.neighbours[first + static_cast<int>(I / N)] * channels.in)...};
    Vector sums[] = {(static_cast<void>(I), Vector{})...};
    for (std::int64_t in = 0; in < channels.in; ++in, weight += channels.out) {
        const auto* row = as_vectors<Lanes>(weight);
        ((sums[I] += row[I % N].value * rows[I][in]), ...);
    }
    ((as_vectors<Lanes>(centres + pairs.centres[first + static_cast<int>(I / N)] * channels.out)[I % N]
          .value += sums[I]),
     ...);
}

template <std::size_t Lanes, std::size_t Pairs>
using Accumulators = std::make_index_sequence<Pairs * vectors_a_block<Lanes>>;

/// Prefetches the rows of up to `count` pairs from `first` on: where rows are far apart, loads would
/// otherwise wait for memory.
[[gnu::always_inline]] inline void prefetch_rows(const PairList& pairs, int first, int count,
                                                 Channels channels, const float* neighbours) {
    constexpr std::int64_t floats_a_line = 16;
    const int end = std::min(first + count, pairs.count);
    for (int pair = first; pair < end; ++pair) {
        const float* row = neighbours + pairs.neighbours[pair] * channels.in;
        for (std::int64_t in = 0; in < channels.in; in += floats_a_line)
            __builtin_prefetch(row + in);
    }
}

/// Computes the last pairs, fewer than a group.
template <std::size_t Lanes, std::size_t Pairs>
[[gnu::always_inline]] inline void product_rest(const PairList& pairs, int first, Channels channels,
                                                const float* neighbours, const float* weight,
                                                float* centres) {
    if constexpr (Pairs > 0) {
        if (pairs.count - first == static_cast<int>(Pairs))
            product_group<Lanes>(pairs, first, channels, neighbours, weight, centres,
                                 Accumulators<Lanes, Pairs>());
        else
            product_rest<Lanes, Pairs - 1>(pairs, first, channels, neighbours, weight, centres);
    }
}

template <std::size_t Lanes, std::size_t Group>
[[gnu::always_inline]] inline void add_products(const PairList& pairs, Channels channels,
                                                const float* neighbours, const float* weight,
                                                float* centres) {
    for (std::int64_t block = 0; block < channels.out; block += channel_block) {
        int first = 0;
        for (; first + static_cast<int>(Group) <= pairs.count; first += static_cast<int>(Group)) {
            prefetch_rows(pairs, first + static_cast<int>(Group), static_cast<int>(Group), channels,
                          neighbours);
            product_group<Lanes>(pairs, first, channels, neighbours, weight + block, centres + block,
                                 Accumulators<Lanes, Group>());
        }
        product_rest<Lanes, Group - 1>(pairs, first, channels, neighbours, weight + block, centres + block);
    }
}

/// Computes one block of output channels for as many input channels as fit: accumulator i belongs to input
/// channel i / N.
template <std::size_t Lanes, std::size_t... I>
[[gnu::always_inline]] inline void outer_group(const PairList& pairs, Channels channels,
                                               const float* neighbours, const float* centres, float* weight,
                                               std::index_sequence<I...>) {
    using Vector = FloatVector<Lanes>;
    constexpr std::size_t N = vectors_a_block<Lanes>;
    Vector sums[] = {(static_cast<void>(I), Vector{})...};
    for (int pair = 0; pair < pairs.count; ++pair) {
        const float* row = neighbours + pairs.neighbours[pair] * channels.in;
        const auto* gradient = as_vectors<Lanes>(centres + pairs.centres[pair] * channels.out);
        ((sums[I] += gradient[I % N].value * row[I / N]), ...);
    }
    ((as_vectors<Lanes>(weight + static_cast<std::int64_t>(I / N) * channels.out)[I % N].value += sums[I]),
     ...);
}

template <std::size_t Lanes, std::size_t Group>
[[gnu::always_inline]] inline void add_outer_products(const PairList& pairs, Channels channels,
                                                      const float* neighbours, const float* centres,
                                                      float* weight) {
    for (std::int64_t block = 0; block < channels.out; block += channel_block) {
        std::int64_t in = 0;
        for (; in + static_cast<std::int64_t>(Group) <= channels.in; in += static_cast<std::int64_t>(Group))
            outer_group<Lanes>(pairs, channels, neighbours + in, centres + block,
                               weight + in * channels.out + block, Accumulators<Lanes, Group>());
        for (; in < channels.in; ++in)
            outer_group<Lanes>(pairs, channels, neighbours + in, centres + block,
                               weight + in * channels.out + block, Accumulators<Lanes, 1>());
    }
}

template <std::size_t Lanes, std::size_t... I>
[[gnu::always_inline]] inline void weighted_sum(int count, const float* scales, const float* const* rows,
                                                std::int64_t channels, float* sum,
                                                std::index_sequence<I...>) {
    using Vector = FloatVector<Lanes>;
    for (std::int64_t block = 0; block < channels; block += channel_block) {
        Vector sums[] = {(static_cast<void>(I), Vector{})...};
        for (int i = 0; i < count; ++i) {
            const auto* row = as_vectors<Lanes>(rows[i] + block);
            ((sums[I] += row[I].value * scales[i]), ...);
        }
        ((as_vectors<Lanes>(sum + block)[I].value = sums[I]), ...);
    }
}

template <std::size_t Lanes, std::size_t... I>
[[gnu::always_inline]] inline void add_to_each(int count, const float* row, float* const* rows,
                                               std::int64_t channels, std::index_sequence<I...>) {
    for (std::int64_t block = 0; block < channels; block += channel_block) {
        const auto* from = as_vectors<Lanes>(row + block);
        const FloatVector<Lanes> added[] = {from[I].value...};
        for (int i = 0; i < count; ++i) {
            auto* to = as_vectors<Lanes>(rows[i] + block);
            ((to[I].value += added[I]), ...);
        }
    }
}

} // namespace sparsight

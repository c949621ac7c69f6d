#include "model/row_blocks.h"

#include "model/float_vectors.h"

#include <cstddef>
#include <utility>

namespace sparsight {

namespace {

/// 128 bits, which need no choice at run time: this work is bound by memory.
constexpr std::size_t lanes = 4;
using Vector = FloatVector<lanes>;
constexpr std::int64_t block = 32;
constexpr auto vectors_of_block = std::make_index_sequence<block / lanes>();

template <std::size_t... I>
void rectify_block(float* rows, std::int64_t count, std::int64_t channels, double* sums,
                   std::index_sequence<I...>) {
    Vector partial[] = {(static_cast<void>(I), Vector{})...};
    for (std::int64_t row = 0; row < count; ++row) {
        auto* values = as_vectors<lanes>(rows + row * channels);
        const Vector rectified[] = {(values[I].value < 0 ? Vector{} : values[I].value)...};
        ((values[I].value = rectified[I]), ...);
        ((partial[I] += rectified[I]), ...);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(block); ++i)
        sums[i] += double{partial[i / lanes][i % lanes]};
}

template <std::size_t... I>
void mask_block(float* gradient, const float* activation, const float* shared, std::int64_t count,
                std::int64_t channels, std::index_sequence<I...>) {
    const Vector added[] = {as_vectors<lanes>(shared)[I].value...};
    for (std::int64_t row = 0; row < count; ++row) {
        auto* values = as_vectors<lanes>(gradient + row * channels);
        const auto* outputs = as_vectors<lanes>(activation + row * channels);
        ((values[I].value = outputs[I].value <= 0 ? Vector{} : values[I].value + added[I]), ...);
    }
}

template <std::size_t... I>
void add_block(const float* rows, std::int64_t count, std::int64_t channels, float* sum,
               std::index_sequence<I...>) {
    auto* total = as_vectors<lanes>(sum);
    Vector sums[] = {total[I].value...};
    for (std::int64_t row = 0; row < count; ++row) {
        const auto* values = as_vectors<lanes>(rows + row * channels);
        ((sums[I] += values[I].value), ...);
    }
    ((total[I].value = sums[I]), ...);
}

} // namespace

void rectify_and_sum(float* rows, std::int64_t count, std::int64_t channels, double* sums) {
    std::int64_t first = 0;
    for (; first + block <= channels; first += block)
        rectify_block(rows + first, count, channels, sums + first, vectors_of_block);
    for (; first < channels; ++first)
        for (std::int64_t row = 0; row < count; ++row) {
            float& value = rows[row * channels + first];
            value = value < 0 ? 0 : value;
            sums[first] += double{value};
        }
}

void add_and_mask(float* gradient, const float* activation, const float* shared, std::int64_t count,
                  std::int64_t channels) {
    std::int64_t first = 0;
    for (; first + block <= channels; first += block)
        mask_block(gradient + first, activation + first, shared + first, count, channels, vectors_of_block);
    for (; first < channels; ++first)
        for (std::int64_t at = first; at < count * channels; at += channels)
            gradient[at] = activation[at] <= 0 ? 0 : gradient[at] + shared[first];
}

void add_rows(const float* rows, std::int64_t count, std::int64_t channels, float* sum) {
    std::int64_t first = 0;
    for (; first + block <= channels; first += block)
        add_block(rows + first, count, channels, sum + first, vectors_of_block);
    for (; first < channels; ++first)
        for (std::int64_t at = first; at < count * channels; at += channels)
            sum[first] += rows[at];
}

} // namespace sparsight

#include "search/predictor_head.h"

#include "model/vector_instructions.h"

#include <array>
#include <utility>

namespace sparsight {
namespace {

// Vectors are passed by reference: by value they would ask for one calling convention in all functions.

/// Negative numbers become zero; what is no number stays so.
template <typename Vector>
[[gnu::always_inline]] inline void rectify(Vector& vector) {
    vector = vector < Vector{} ? Vector{} : vector;
}

template <std::size_t Lanes>
[[gnu::always_inline]] inline float sum_of(const FloatVector<Lanes>& vector) {
    float sum = 0;
    for (std::size_t lane = 0; lane < Lanes; ++lane)
        sum += vector[lane];
    return sum;
}

template <std::size_t Lanes>
[[gnu::always_inline]] inline void first_layer(const PredictorArrays& arrays, const float* row,
                                               float* hidden) {
    for (std::size_t at = 0; at < first_layer_width; at += Lanes) {
        FloatVector<Lanes> sum =
            as_vectors<Lanes>(row + at)->value + as_vectors<Lanes>(arrays.shared + at)->value;
        rectify(sum);
        as_vectors<Lanes>(hidden + at)->value = sum;
    }
}

/// The second layer in strips of Vectors · Lanes outputs, each reduced to its share of the last one at once.
/// Accumulator i belongs to row i / Vectors, vector i % Vectors; they are written out by folds, because GCC
/// keeps an array that a loop walks over in memory.
template <std::size_t Lanes, std::size_t Vectors, std::size_t... I>
[[gnu::always_inline]] inline void add_strip(const PredictorArrays& arrays, std::size_t strip,
                                             const float* hidden, FloatVector<Lanes>* totals,
                                             std::index_sequence<I...>) {
    using Vector = FloatVector<Lanes>;
    Vector sums[] = {as_vectors<Lanes>(arrays.bias + strip)[I % Vectors].value...};
    const float* weight = arrays.weight + strip;
    for (std::size_t in = 0; in < first_layer_width; ++in, weight += second_layer_width) {
        const auto* outputs = as_vectors<Lanes>(weight);
        ((sums[I] += outputs[I % Vectors].value * hidden[(I / Vectors) * first_layer_width + in]), ...);
    }
    const auto* last = as_vectors<Lanes>(arrays.last + strip);
    (rectify(sums[I]), ...);
    ((totals[I / Vectors] += sums[I] * last[I % Vectors].value), ...);
}

template <std::size_t Lanes, std::size_t Rows, std::size_t Vectors>
[[gnu::always_inline]] inline void score_rows(const PredictorArrays& arrays, const float* rows,
                                              const std::uint32_t* numbers, std::size_t count,
                                              float* scores) {
    static_assert(second_layer_width % (Lanes * Vectors) == 0);
    alignas(64) std::array<float, Rows * first_layer_width> hidden{};
    const auto row = [&](std::size_t at) {
        return rows + (numbers != nullptr ? numbers[at] : at) * first_layer_width;
    };
    for (std::size_t first = 0; first < count; first += Rows) {
        const std::size_t here = count - first < Rows ? count - first : Rows;
        if (numbers != nullptr)
            for (std::size_t next = first + here; next < count && next < first + here + Rows; ++next)
                for (std::size_t at = 0; at < first_layer_width; at += 16) // a line of the cache
                    __builtin_prefetch(row(next) + at);
        for (std::size_t i = 0; i < here; ++i)
            first_layer<Lanes>(arrays, row(first + i), hidden.data() + i * first_layer_width);
        // Of a last block that is not full the other rows are computed and forgotten.
        FloatVector<Lanes> totals[Rows] = {};
        for (std::size_t strip = 0; strip < second_layer_width; strip += Lanes * Vectors)
            add_strip<Lanes, Vectors>(arrays, strip, hidden.data(), totals,
                                      std::make_index_sequence<Rows * Vectors>());
        for (std::size_t i = 0; i < here; ++i)
            scores[first + i] = sum_of<Lanes>(totals[i]) + arrays.last_bias;
    }
}

// As many accumulators as the registers allow: 24 of 32, 12 or 8 of 16.
#if defined(__x86_64__)
[[gnu::target("avx512f")]] void score_rows_avx512(const PredictorArrays& arrays, const float* rows,
                                                  const std::uint32_t* numbers, std::size_t count,
                                                  float* scores) {
    score_rows<16, 6, 4>(arrays, rows, numbers, count, scores);
}
[[gnu::target("avx2,fma")]] void score_rows_avx2(const PredictorArrays& arrays, const float* rows,
                                                 const std::uint32_t* numbers, std::size_t count,
                                                 float* scores) {
    score_rows<8, 6, 2>(arrays, rows, numbers, count, scores);
}
#endif
void score_rows_128(const PredictorArrays& arrays, const float* rows, const std::uint32_t* numbers,
                    std::size_t count, float* scores) {
    score_rows<4, 4, 2>(arrays, rows, numbers, count, scores);
}

} // namespace

ScoreRows score_rows_kernel(VectorInstructions set) {
    switch (set) {
#if defined(__x86_64__)
    case VectorInstructions::Avx512:
        return score_rows_avx512;
    case VectorInstructions::Avx2:
        return score_rows_avx2;
#endif
    default:
        return score_rows_128;
    }
}

} // namespace sparsight

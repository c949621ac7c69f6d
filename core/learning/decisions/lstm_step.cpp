#include "learning/decisions/lstm_step.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t gates = 4;
constexpr std::size_t token_width = 2 * lstm_width;

std::size_t lanes_of(VectorInstructions instructions) {
    switch (instructions) {
    case VectorInstructions::Portable:
        return 4;
    case VectorInstructions::Avx2:
        return 8;
    case VectorInstructions::Avx512:
        break;
    }
    return 16;
}

template <std::size_t Lanes>
struct Whole {
    using Numbers [[gnu::vector_size(4 * Lanes)]] = std::int32_t;
};

/// Replaces each by e to its power, by 2^n · 2^f with a polynomial on −½ ≤ f ≤ ½ (Cephes' coefficients of
/// exp2f): off by less than 2 · 10⁻⁷ of it. Beyond ±30 nothing changes: the gates are 0 or 1 there.
template <std::size_t Lanes>
[[gnu::always_inline]] inline void raise_e_to(FloatVector<Lanes>& x) {
    using Vector = FloatVector<Lanes>;
    using Numbers = typename Whole<Lanes>::Numbers;
    constexpr float limit = 30;
    constexpr float to_binary = 1.44269504F;
    constexpr float rounding = 12'582'912; // 1.5 · 2²³: what is added to it is rounded to a whole number
    x = x < -limit ? Vector{} - limit : x;
    x = x > limit ? Vector{} + limit : x;
    const Vector power = x * to_binary;
    const Vector shifted = power + rounding;
    const Vector f = power - (shifted - rounding);
    Vector p = f * 1.535336188319500e-4F + 1.339887440266574e-3F;
    p = p * f + 9.618437357674640e-3F;
    p = p * f + 5.550332471162809e-2F;
    p = p * f + 2.402264791363012e-1F;
    p = p * f + 6.931472028550421e-1F;
    p = p * f + 1.0F;
    const Numbers n = reinterpret_cast<Numbers>(shifted) << 23;
    x = reinterpret_cast<Vector>(reinterpret_cast<Numbers>(p) + n);
}

/// Turns the sums of a row into its new cell and state.
template <std::size_t Lanes>
[[gnu::always_inline]] inline void open_gates(FloatVector<Lanes>& input, FloatVector<Lanes>& forget,
                                              FloatVector<Lanes>& fresh, FloatVector<Lanes>& output,
                                              const LstmRows& rows, std::size_t row, std::size_t offset) {
    using Vector = FloatVector<Lanes>;
    input = -input;
    fresh = -2 * fresh;
    output = -output;
    raise_e_to<Lanes>(input);
    raise_e_to<Lanes>(fresh);
    raise_e_to<Lanes>(output);
    Vector cell = (1 - fresh) / ((1 + input) * (1 + fresh)); // σ(i) tanh(g), with one division
    if (!rows.cells.empty()) {
        forget = -forget;
        raise_e_to<Lanes>(forget);
        cell += as_vectors<Lanes>(rows.cells[row] + offset)->value / (1 + forget);
    }
    as_vectors<Lanes>(rows.new_cells[row] + offset)->value = cell;
    cell = -2 * cell;
    raise_e_to<Lanes>(cell);
    as_vectors<Lanes>(rows.new_states[row] + offset)->value = (1 - cell) / ((1 + output) * (1 + cell));
}

/// Accumulator i belongs to row i / gates and gate i % gates.
template <std::size_t Lanes, std::size_t... I, std::size_t... R>
[[gnu::always_inline]] inline void step_of_rows(const LstmRows& rows, std::size_t first, std::size_t part,
                                                std::size_t inputs, const float* weights,
                                                std::index_sequence<I...>, std::index_sequence<R...>) {
    using Vector = FloatVector<Lanes>;
    const std::size_t offset = part * Lanes;
    Vector sums[] = {
        as_vectors<Lanes>(rows.starts[first + I / gates] + I % gates * lstm_width + offset)->value...};
    if (!rows.others.empty())
        ((sums[I] +=
          as_vectors<Lanes>(rows.others[first + I / gates] + I % gates * lstm_width + offset)->value),
         ...);
    if (inputs > 0) {
        const float* const read[] = {rows.inputs[first + I / gates]...};
        for (std::size_t k = 0; k < inputs; ++k, weights += gates * Lanes) {
            const auto* const row = as_vectors<Lanes>(weights);
            ((sums[I] += row[I % gates].value * read[I][k]), ...);
        }
    }
    if (!rows.states.empty()) {
        const float* const read[] = {rows.states[first + I / gates]...};
        for (std::size_t k = 0; k < lstm_width; ++k, weights += gates * Lanes) {
            const auto* const row = as_vectors<Lanes>(weights);
            ((sums[I] += row[I % gates].value * read[I][k]), ...);
        }
    }
    (open_gates<Lanes>(sums[R * gates], sums[R * gates + 1], sums[R * gates + 2], sums[R * gates + 3], rows,
                       first + R, offset),
     ...);
}

/// `Rows` rows at a time: their sums fill the registers.
template <std::size_t Lanes, std::size_t Rows>
[[gnu::always_inline]] inline void step(const LstmWeights& weights, const LstmRows& rows) {
    const std::size_t part_size = (weights.inputs() + lstm_width) * gates * Lanes;
    const std::size_t count = rows.starts.size();
    for (std::size_t part = 0; part < lstm_width / Lanes; ++part) {
        const float* const of_part = weights.packed() + part * part_size;
        std::size_t row = 0;
        for (; row + Rows <= count; row += Rows)
            step_of_rows<Lanes>(rows, row, part, weights.inputs(), of_part,
                                std::make_index_sequence<Rows * gates>(), std::make_index_sequence<Rows>());
        for (; row < count; ++row)
            step_of_rows<Lanes>(rows, row, part, weights.inputs(), of_part, std::make_index_sequence<gates>(),
                                std::make_index_sequence<1>());
    }
}

template <std::size_t Lanes, std::size_t... I>
[[gnu::always_inline]] inline float product(const float* one, const float* other, std::index_sequence<I...>) {
    const FloatVector<Lanes> sums =
        ((as_vectors<Lanes>(one)[I].value * as_vectors<Lanes>(other)[I].value) + ...);
    float sum = 0;
    for (std::size_t lane = 0; lane < Lanes; ++lane)
        sum += sums[lane];
    return sum;
}

template <std::size_t Lanes>
[[gnu::always_inline]] inline void attend(const float* tokens, const float* queries, std::size_t count,
                                          std::size_t token_count, float* means) {
    constexpr std::size_t heads = 2;
    constexpr std::size_t vectors = token_width / Lanes;
    std::vector<float> shares(token_count);
    for (std::size_t row = 0; row < count; ++row, tokens += token_count * token_width)
        for (std::size_t head = 0; head < heads; ++head, queries += token_width, means += token_width) {
            float highest = std::numeric_limits<float>::lowest();
            for (std::size_t token = 0; token < token_count; ++token) {
                shares[token] = product<Lanes>(tokens + token * token_width, queries,
                                               std::make_index_sequence<vectors>());
                highest = std::max(highest, shares[token]);
            }
            float sum = 0;
            for (float& share : shares) {
                share = std::exp(share - highest);
                sum += share;
            }
            for (std::size_t part = 0; part < vectors; ++part) {
                FloatVector<Lanes> mean{};
                for (std::size_t token = 0; token < token_count; ++token)
                    mean += as_vectors<Lanes>(tokens + token * token_width)[part].value * shares[token];
                as_vectors<Lanes>(means)[part].value = mean / sum;
            }
        }
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] void step_avx512(const LstmWeights& weights, const LstmRows& rows) {
    step<16, 6>(weights, rows);
}
[[gnu::target("avx2,fma")]] void step_avx2(const LstmWeights& weights, const LstmRows& rows) {
    step<8, 2>(weights, rows);
}
[[gnu::target("avx512f")]] void attend_avx512(const float* tokens, const float* queries, std::size_t count,
                                              std::size_t token_count, float* means) {
    attend<16>(tokens, queries, count, token_count, means);
}
[[gnu::target("avx2,fma")]] void attend_avx2(const float* tokens, const float* queries, std::size_t count,
                                             std::size_t token_count, float* means) {
    attend<8>(tokens, queries, count, token_count, means);
}
#endif

} // namespace

LstmWeights::LstmWeights(const at::Tensor& of_input, const at::Tensor& of_state,
                         VectorInstructions instructions)
    : inputs_(of_input.defined() ? static_cast<std::size_t>(of_input.size(1)) : 0)
    , instructions_(instructions) {
    const std::size_t lanes = lanes_of(instructions);
    const at::Tensor input = of_input.defined() ? of_input.contiguous() : of_input;
    const at::Tensor state = of_state.contiguous();
    packed_.reserve((inputs_ + lstm_width) * gates * lstm_width);
    for (std::size_t part = 0; part < lstm_width / lanes; ++part)
        for (std::size_t k = 0; k < inputs_ + lstm_width; ++k)
            for (std::size_t gate = 0; gate < gates; ++gate)
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    const std::size_t row = gate * lstm_width + part * lanes + lane;
                    packed_.push_back(k < inputs_ ? input.data_ptr<float>()[row * inputs_ + k]
                                                  : state.data_ptr<float>()[row * lstm_width + k - inputs_]);
                }
}

void lstm_step(const LstmWeights& weights, const LstmRows& rows) {
#if defined(__x86_64__)
    if (weights.instructions() == VectorInstructions::Avx512)
        return step_avx512(weights, rows);
    if (weights.instructions() == VectorInstructions::Avx2)
        return step_avx2(weights, rows);
#endif
    step<4, 2>(weights, rows);
}

void attend_to_tokens(const float* tokens, const float* queries, std::size_t count, std::size_t token_count,
                      float* means, VectorInstructions instructions) {
#if defined(__x86_64__)
    if (instructions == VectorInstructions::Avx512)
        return attend_avx512(tokens, queries, count, token_count, means);
    if (instructions == VectorInstructions::Avx2)
        return attend_avx2(tokens, queries, count, token_count, means);
#endif
    attend<4>(tokens, queries, count, token_count, means);
}

} // namespace sparsight

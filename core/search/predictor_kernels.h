// The arithmetic of the predictor behind its first layer, for many schedules at once.
#pragma once

#include "model/vector_set.h"

#include <cstddef>
#include <cstdint>

namespace sparsight {

inline constexpr std::size_t first_layer_width = 128;
inline constexpr std::size_t second_layer_width = 64;

/// relu(relu(row + shared) · weight + bias) · last + last_bias
struct PredictorArrays {
    const float* shared = nullptr; ///< [first_layer_width]: bias and matrix half of the first layer
    const float* weight = nullptr; ///< [first_layer_width, second_layer_width], row-major
    const float* bias = nullptr;   ///< [second_layer_width]
    const float* last = nullptr;   ///< [second_layer_width]
    float last_bias = 0;
};

/// rows [·, first_layer_width]; scores[i] is that of row numbers[i], or of row i where numbers is nullptr.
/// A row's score does not depend on the other rows.
using ScoreRows = void (*)(const PredictorArrays&, const float* rows, const std::uint32_t* numbers,
                           std::size_t count, float* scores);

/// `set` must be one that this processor supports.
[[nodiscard]] ScoreRows score_rows_kernel(VectorSet set);

} // namespace sparsight

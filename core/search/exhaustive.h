// The reference of every search: the predictor's score of all schedules.
#pragma once

#include "search/predictor_head.h"
#include "search/ranking.h"

#include <span>
#include <vector>

namespace sparsight {

/// Of all rows of PredictorHead::project(), in their order; the same for every number of threads.
[[nodiscard]] std::vector<float> score_all(const MatrixPredictor& predictor, std::span<const float> rows,
                                           int threads);

/// The first k by score, in their order; all where there are fewer.
[[nodiscard]] std::vector<Ranked> best_of(std::span<const float> scores, std::size_t k);

} // namespace sparsight

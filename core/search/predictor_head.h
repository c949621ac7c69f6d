// The predictor of a network (model/cost_network.h: predict) without LibTorch, for very many schedules.
//
// Its first layer reads [matrix embedding, schedule embedding], so it is the sum of two products. That of the
// schedule knows nothing of the matrix: it is taken once for a set of schedules (project()) and serves every
// matrix. That of the matrix is the same for all schedules: it is folded into the bias (for_matrix()). What
// remains for a schedule and a matrix is a third of the work.
#pragma once

#include "base/aligned_buffer.h"
#include "base/error.h"
#include "model/checkpoint.h"
#include "model/vector_set.h"
#include "search/predictor_kernels.h"

#include <memory>
#include <span>
#include <vector>

namespace sparsight {

/// What the second and the last layer hold.
struct PredictorTail {
    FloatBuffer weight; ///< [first_layer_width, second_layer_width]
    std::vector<float> bias;
    std::vector<float> last;
    float last_bias = 0;
};

/// The predictor with a matrix folded in. Usable from several threads at once.
class MatrixPredictor {
public:
    MatrixPredictor(std::shared_ptr<const PredictorTail> tail, std::vector<float> shared, VectorSet set);

    /// Of rows of PredictorHead::project(); scores[i] is that of row numbers[i]. Lower is faster.
    void score(std::span<const float> rows, std::span<const std::uint32_t> numbers,
               std::span<float> scores) const;
    /// Of all rows, in their order.
    void score(std::span<const float> rows, std::span<float> scores) const;

private:
    [[nodiscard]] PredictorArrays arrays() const;

    std::shared_ptr<const PredictorTail> tail_;
    std::vector<float> shared_;
    ScoreRows score_rows_;
};

class PredictorHead {
public:
    /// Trees, and weights that do not fit, are errors of Fault::Input.
    [[nodiscard]] static Result<PredictorHead> of(const Checkpoint& checkpoint,
                                                  VectorSet set = widest_vector_set());

    /// The schedules' share of the first layer.   embeddings [n, embedding_width] → [n, first_layer_width]
    [[nodiscard]] FloatBuffer project(std::span<const float> embeddings, int threads) const;

    /// Of PatternScorer::embedding(); an error where its length is not the one that the weights expect.
    [[nodiscard]] Result<MatrixPredictor> for_matrix(std::span<const float> matrix_embedding) const;

private:
    PredictorHead() = default;

    VectorSet set_ = VectorSet::Portable;
    std::size_t matrix_width_ = 0;
    FloatBuffer matrix_weight_;     ///< [matrix_width_, first_layer_width]
    std::vector<float> first_bias_; ///< [first_layer_width]
    FloatBuffer schedule_weight_;   ///< [embedding_width, first_layer_width]
    std::shared_ptr<const PredictorTail> tail_;
};

} // namespace sparsight

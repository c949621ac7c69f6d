// The layers of the predictor after its first one, for many configurations at once.
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "model/checkpoints/checkpoint.h"
#include "model/vector_instructions.h"
#include "search/ranking.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sparsight {

inline constexpr std::size_t first_layer_width = 128;
inline constexpr std::size_t second_layer_width = 64;

/// relu(relu(row + shared) · weight + bias) · last + last_bias
struct PredictorArrays {
    const float* shared = nullptr; ///< [first_layer_width]: bias and workload half of the first layer
    const float* weight = nullptr; ///< [first_layer_width, second_layer_width], row-major
    const float* bias = nullptr;   ///< [second_layer_width]
    const float* last = nullptr;   ///< [second_layer_width]
    float last_bias = 0;
};

/// rows [·, first_layer_width]. scores[i] is the score of row numbers[i], or of row i where numbers is
/// nullptr. A row's score does not depend on the other rows.
using ScoreRows = void (*)(const PredictorArrays&, const float* rows, const std::uint32_t* numbers,
                           std::size_t count, float* scores);

/// `set` must be one that this processor supports.
[[nodiscard]] ScoreRows score_rows_kernel(VectorInstructions set);

// The predictor of a network (model/networks/encoder.h: predict) without LibTorch, for very many
// configurations.
//
// Its first layer reads [workload embedding, configuration embedding], so it is the sum of two products. The
// configuration's product does not depend on the workload: project() computes it once for a set of
// configurations, for all workloads. The workload's product is the same for all configurations:
// for_workload() adds it to the bias. The remaining work for one configuration and workload is a third of the
// whole.

/// The weights of the second and the last layer.
struct PredictorTail {
    FloatBuffer weight; ///< [first_layer_width, second_layer_width]
    std::vector<float> bias;
    std::vector<float> last;
    float last_bias = 0;
};

/// The predictor for one workload. Several threads may use it at once.
class WorkloadPredictor {
public:
    WorkloadPredictor(std::shared_ptr<const PredictorTail> tail, std::vector<float> shared,
                      VectorInstructions set);

    /// Scores rows of PredictorHead::project(); scores[i] is the score of row numbers[i]. Lower is faster.
    void score(std::span<const float> rows, std::span<const std::uint32_t> numbers,
               std::span<float> scores) const;
    /// Scores all rows, in their order.
    void score(std::span<const float> rows, std::span<float> scores) const;

private:
    [[nodiscard]] PredictorArrays arrays() const;

    std::shared_ptr<const PredictorTail> tail_;
    std::vector<float> shared_;
    ScoreRows score_rows_;
};

class PredictorHead {
public:
    /// Errors (Fault::Input): the model is boosted trees; its weights do not fit.
    [[nodiscard]] static Result<PredictorHead> of(const Checkpoint& checkpoint,
                                                  VectorInstructions set = widest_vector_instructions());

    /// The configurations' part of the first layer: embeddings [n, embedding_width] → [n, first_layer_width].
    [[nodiscard]] FloatBuffer project(std::span<const float> embeddings, int threads) const;

    /// The predictor for a workload, from WorkloadScorer::embedding(). Error: the embedding's length is not
    /// the one that the weights expect.
    [[nodiscard]] Result<WorkloadPredictor> for_workload(std::span<const float> workload_embedding) const;

private:
    PredictorHead() = default;

    VectorInstructions set_ = VectorInstructions::Portable;
    std::size_t workload_width_ = 0;
    FloatBuffer workload_weight_;      ///< [workload_width_, first_layer_width]
    std::vector<float> first_bias_;    ///< [first_layer_width]
    FloatBuffer configuration_weight_; ///< [embedding_width, first_layer_width]
    std::shared_ptr<const PredictorTail> tail_;
};

// The reference for every search: the predictor's score of all configurations.

/// Scores all rows of PredictorHead::project(), in their order; the same for every number of threads.
[[nodiscard]] std::vector<float> score_all(const WorkloadPredictor& predictor, std::span<const float> rows,
                                           int threads);

/// The first k by score, the best first; all where there are fewer.
[[nodiscard]] std::vector<Ranked> best_of(std::span<const float> scores, std::size_t k);

} // namespace sparsight

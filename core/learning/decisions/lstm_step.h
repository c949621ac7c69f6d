// One step of an LSTM for many rows at once, as fast as the processor can: products, gates and the new state
// in one go, without a tensor between them. It is used where nothing is differentiated.
#pragma once

#include "model/vector_instructions.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <vector>

namespace sparsight {

inline constexpr std::size_t lstm_width = 32; ///< of a state

/// The weights of one direction of one layer, in the order in which the step reads them.
class LstmWeights {
public:
    /// `of_input` is [4 · lstm_width, inputs] or undefined, `of_state` [4 · lstm_width, lstm_width]; float32
    /// on the processor. Gates stand in the order of input, forget, new and output.
    LstmWeights(const at::Tensor& of_input, const at::Tensor& of_state,
                VectorInstructions instructions = widest_vector_instructions());

    [[nodiscard]] std::size_t inputs() const { return inputs_; }
    [[nodiscard]] VectorInstructions instructions() const { return instructions_; }
    [[nodiscard]] const float* packed() const { return packed_.data(); }

private:
    std::size_t inputs_ = 0;
    VectorInstructions instructions_;
    std::vector<float> packed_; ///< [vectors of a state][inputs, then lstm_width][4 gates][lanes]
};

/// The rows of a step. A row may be read by several others, so that each has addresses of its own.
struct LstmRows {
    std::vector<const float*> starts{}; ///< [4 · lstm_width]: what is added to the products
    std::vector<const float*> others{}; ///< added as well; empty: nothing
    std::vector<const float*> inputs{}; ///< [LstmWeights::inputs()]; empty where there are none
    std::vector<const float*> states{}; ///< before the step; empty in the first one
    std::vector<const float*> cells{};  ///< likewise
    std::vector<float*> new_states{};   ///< not a row of `states`
    std::vector<float*> new_cells{};
};

void lstm_step(const LstmWeights& weights, const LstmRows& rows);

/// For each of `count` rows and two heads, the mean of its `tokens` tokens, weighted by the softmax of their
/// products with the query of the head. A token is [2 · lstm_width], as are queries and means: queries and
/// means are [count, 2 heads, 2 · lstm_width].
void attend_to_tokens(const float* tokens, const float* queries, std::size_t count, std::size_t token_count,
                      float* means, VectorInstructions instructions = widest_vector_instructions());

} // namespace sparsight

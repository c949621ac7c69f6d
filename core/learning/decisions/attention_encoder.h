// The tuner of Verma et al., "Transfer Learning Across Heterogeneous Features For Efficient Tensor Program
// Generation", 2023, section 3.3 and Table 4, as a network of a domain without networks of its own.
#pragma once

#include "learning/decisions/decision_input.h"
#include "model/networks/encoder.h"

#include <memory>
#include <string_view>

namespace sparsight {

inline constexpr std::string_view attention_architecture = "attention";

/// Three layers of a bidirectional LSTM read the decisions one after the other, each as an embedding of its
/// value, its number and an embedding of its place. Two heads look at what the LSTM found and unroll two
/// steps: what the first one saw decides where the second one looks. Workload and machine are read as by
/// perceptron_encoder(). The codec must be the one of the input's setting.
[[nodiscard]] std::shared_ptr<const Encoder>
attention_encoder(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec);

} // namespace sparsight

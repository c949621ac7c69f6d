// A network of a domain without networks of its own that reads all decisions at once.
#pragma once

#include "learning/decisions/decision_input.h"
#include "model/networks/encoder.h"

#include <memory>
#include <string_view>

namespace sparsight {

inline constexpr std::string_view perceptron_architecture = "perceptron";
/// What checkpoints of earlier versions call it.
inline constexpr std::string_view earlier_perceptron_architecture = "statistics";

/// Three perceptrons: one reads the facts, each with a flag that says whether it is known; one reads the
/// machine and its facts; one reads the decisions, each as an embedding of its value and, where values are
/// numbers, the number. An unknown value has a zero embedding and keeps its number. The codec must be the one
/// of the input's setting.
[[nodiscard]] std::shared_ptr<const Encoder>
perceptron_encoder(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec);

} // namespace sparsight

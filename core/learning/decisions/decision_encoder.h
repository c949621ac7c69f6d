// A network and features for trees over the facts of a workload and the decisions of a configuration, for
// every domain that brings none of its own. Workloads are NamedFacts.
#pragma once

#include "learning/decisions/decision_input.h"
#include "model/networks/encoder.h"

#include <memory>
#include <string_view>

namespace sparsight {

inline constexpr std::string_view decision_architecture = "statistics";

/// A perceptron over the facts, each with a flag that says whether it is known, another one over the machine,
/// and a third one over the decisions: an embedding of the value of each, and the number where values are
/// numbers. An unknown value has an embedding of zeros, and its number. The codec is that of the input's
/// setting.
[[nodiscard]] std::shared_ptr<const Encoder>
decision_encoder(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec);

/// Facts and decisions as numbers: a value that is none is its place among those that were seen. They do not
/// read the machine.
[[nodiscard]] std::shared_ptr<const TreeFeatures>
decision_features(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec);

} // namespace sparsight

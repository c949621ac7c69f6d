// Facts and decisions as a table for boosted trees.
#pragma once

#include "learning/decisions/decision_input.h"
#include "model/networks/encoder.h"

#include <memory>

namespace sparsight {

/// Facts and decisions as numbers for boosted trees: a value that is not a number is replaced by its place
/// among the values that were seen. Machines are read through the facts of their sheets. The codec must be
/// the one of the input's setting.
[[nodiscard]] std::shared_ptr<const TreeFeatures>
decision_features(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec);

} // namespace sparsight

// The bidirectional LSTM of attention_encoder.h as it scores spaces of configurations, which share most of
// their decisions. The first layer computes the state behind each sequence of decisions once, in either
// direction, however many configurations begin or end with it. The second layer reads products of these
// states alone. Results are those of the formulas that it is trained with, but for rounding.
#pragma once

#include "learning/decisions/decision_network.h"
#include "model/tensors/named_tensors.h"
#include "model/vector_instructions.h"

#include <ATen/core/Tensor.h>

namespace sparsight {

/// [n, 2 · lstm_width]: what the heads saw. Nothing is differentiated; all are float32 on the processor.
[[nodiscard]] at::Tensor
read_shared_decisions(const NamedTensors& parameters, const DecisionTensors& decisions,
                      VectorInstructions instructions = widest_vector_instructions());

} // namespace sparsight

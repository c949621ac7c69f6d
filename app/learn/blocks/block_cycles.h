// The cycles that a loaded model predicts for machine code.
#pragma once

#include "domains/blocks/code/decoder_process.h"
#include "model/cost_model.h"
#include "workflow/learning/models/model_storage.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// Error (Input): the model has not learned from this machine, or none is named; those that it knows are
/// listed.
[[nodiscard]] Result<void> check_learned_machine(const StoredModel& model, const std::string& machine);

/// Of one iteration each, with the code in an endless loop; an error where a block can't be decoded. Errors:
/// those of the decoder and of the model.
[[nodiscard]] Result<std::vector<Result<double>>> predict_cycles(const CostModel& model,
                                                                 const std::string& machine,
                                                                 std::span<const MachineCode> codes,
                                                                 DecoderProcess& decoder, int threads);

} // namespace sparsight

// How sparsight-cli and sparsight-learn answer with the predicted cycles of blocks.
#pragma once

#include "command/session.h"
#include "domains/blocks/exchange/prediction_table.h"

#include <string>

namespace sparsight {

/// Writes the predictions to the file `csv`, where it is named, and tells the errors; otherwise tells both.
/// `model` is the name that the user gave.
[[nodiscard]] ExitCode answer_predictions(Session& session, const PredictionTable& table,
                                          const std::string& model, const std::string& csv);

} // namespace sparsight

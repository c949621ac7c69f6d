// How sparsight-cli and sparsight-learn answer with the predicted cycles of blocks.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "command/session.h"
#include "domains/blocks/exchange/prediction_table.h"

#include <string>

namespace sparsight {

struct PredictionAnswer {
    Json json;
    std::string text;
};

/// Writes the predictions to the file `csv`, where it is named; otherwise they are a part of the text. Tells
/// what of the table could not be read. `model` is the name that the user gave. Error: the file can't be
/// written.
[[nodiscard]] Result<PredictionAnswer> prediction_answer(const Session& session, const PredictionTable& table,
                                                         const std::string& model, const std::string& csv);

[[nodiscard]] ExitCode exit_code_of(const PredictionTable& table);

} // namespace sparsight

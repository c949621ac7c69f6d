// A model's reasons as `sparsight-learn reasons` tells them: as JSON, which the window reads, too, and as
// lines for a terminal.
#pragma once

#include "base/error.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"

#include <nlohmann/json.hpp>
#include <string>

namespace sparsight {

/// See `sparsight-learn reasons --help`.
[[nodiscard]] nlohmann::ordered_json model_reasons_json(const ModelReasons& reasons);

/// Reads the output of model_reasons_json(); unknown members are ignored. Errors (Fault::Input) name the
/// member that is missing or wrong.
[[nodiscard]] Result<ModelReasons> parse_model_reasons(const nlohmann::ordered_json& json);

/// What is preferred, and each part that was found or is missing.
[[nodiscard]] std::string model_reasons_text(const ModelReasons& reasons);

} // namespace sparsight

// A model's reasons as JSON: printed by `sparsight-learn reasons --json` and read by the window.
#pragma once

#include "base/error.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"

#include <nlohmann/json.hpp>

namespace sparsight {

/// See `sparsight-learn reasons --help`.
[[nodiscard]] nlohmann::ordered_json model_reasons_json(const ModelReasons& reasons);

/// Reads the output of model_reasons_json(); unknown members are ignored. Errors (Fault::Input) name the
/// member that is missing or wrong.
[[nodiscard]] Result<ModelReasons> parse_model_reasons(const nlohmann::ordered_json& json);

} // namespace sparsight

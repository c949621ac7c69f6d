// Reasons of a model for programs: what `sparsight-learn reasons --json` prints and the window reads.
#pragma once

#include "base/error.h"
#include "evaluation/model_reasons/model_reasons.h"

#include <nlohmann/json.hpp>

namespace sparsight {

/// See `sparsight-learn reasons --help`.
[[nodiscard]] nlohmann::ordered_json model_reasons_json(const ModelReasons& reasons);

/// What model_reasons_json() wrote; members that are not known are passed over. Errors (Fault::Input) name
/// the member that is missing or wrong.
[[nodiscard]] Result<ModelReasons> parse_model_reasons(const nlohmann::ordered_json& json);

} // namespace sparsight

// A model's reasons as lines for a terminal.
#pragma once

#include "domains/sparse/explanation/reasons/model_reasons.h"

#include <string>

namespace sparsight {

/// What is preferred, and each part that was found or is missing.
[[nodiscard]] std::string model_reasons_text(const ModelReasons& reasons);

} // namespace sparsight

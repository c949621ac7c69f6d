// Reasons of a model for people.
#pragma once

#include "evaluation/model_reasons/model_reasons.h"

#include <string>

namespace sparsight {

[[nodiscard]] std::string reasons_text(const ModelReasons& reasons);

} // namespace sparsight

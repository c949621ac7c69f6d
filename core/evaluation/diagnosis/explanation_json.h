// An explanation for programs: what `sparsight-cli explain --json` prints and reports carry.
#pragma once

#include "evaluation/diagnosis/explanation.h"

#include <nlohmann/json.hpp>

namespace sparsight {

/// See `sparsight-cli explain --help`.
[[nodiscard]] nlohmann::ordered_json explanation_json(const Explanation& explanation);

} // namespace sparsight

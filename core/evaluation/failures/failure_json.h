// Failure cases and stories for programs: what `sparsight-cli failures --json` prints.
#pragma once

#include "evaluation/failures/failure_groups.h"

#include <nlohmann/json.hpp>
#include <span>

namespace sparsight {

/// See `sparsight-cli failures --help`.
[[nodiscard]] nlohmann::ordered_json failure_case_json(const FailureCase& failure);
[[nodiscard]] nlohmann::ordered_json failure_group_json(const FailureGroup& story, Operator op,
                                                        std::span<const FailureCase> cases);

} // namespace sparsight

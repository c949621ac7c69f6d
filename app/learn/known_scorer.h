// A model that has looked at a known matrix.
#pragma once

#include "learn/reasons_data.h"

#include <memory>

namespace sparsight {

/// Of a model that reads statistics alone the pattern is not read.
[[nodiscard]] Result<std::unique_ptr<PatternScorer>> scorer_of(Workspace& workspace, const ReasonsData& data,
                                                               const KnownMatrix& matrix, int threads);

} // namespace sparsight

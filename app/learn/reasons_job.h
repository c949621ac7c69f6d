// All reasons of a model for one choice, part by part.
#pragma once

#include "base/progress.h"
#include "learn/reasons_request.h"

#include <stop_token>

namespace sparsight {

class Workspace;

/// The same for the same seed, but for parts that ended because their share of the budget was over. A part
/// that there is nothing to say of is told as missing. Errors: those of read_reasons_data(); patterns that
/// can't be read; Fault::Cancelled.
[[nodiscard]] Result<ModelReasons> find_model_reasons(Workspace& workspace, const ReasonsRequest& request,
                                                      const std::stop_token& stop,
                                                      const ProgressSink& progress);

} // namespace sparsight

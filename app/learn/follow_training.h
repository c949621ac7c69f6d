// What the processes after the first do when several train together: they work on their share of every step,
// and leave it to the first to tell and to keep what comes out.
#pragma once

#include "command/session.h"
#include "learn/train_request.h"
#include "learning/process_group.h"

#include <stop_token>

namespace sparsight {

/// The workspace is only read. Done and Interrupted as the first one ends; errors are remarks.
[[nodiscard]] ExitCode follow_training(Session& session, const TrainRequest& request, ProcessGroup& group,
                                       const std::stop_token& stop);

} // namespace sparsight

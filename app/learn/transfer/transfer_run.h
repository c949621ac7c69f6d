// The experiment on tasks: for every target, seed and source a model is meta-trained and adapted with few and
// with many matrices of the target, and tested with others.
#pragma once

#include "command/job.h"
#include "learn/transfer/transfer_request.h"

#include <stop_token>

namespace sparsight {

struct TransferOrder {
    RunSettings settings;
    TransferRequest request;
};

/// Tells its events. `stop` is requested by signals.
[[nodiscard]] ExitCode run_transfer(Session& session, JobEvents& events, const TransferOrder& order,
                                    const std::stop_token& stop);

} // namespace sparsight

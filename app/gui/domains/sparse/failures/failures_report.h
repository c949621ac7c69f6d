// The failures of schedules for others: groups, cases and a page for each of the greatest losses, as one
// file.
#pragma once

#include "gui/domains/sparse/failures/failure_reader.h"
#include "gui/failures/failure_exports.h"

namespace sparsight {

/// The gravest cases get a page of their own where the workspace has their pattern.
/// Takes its time: for another thread. Errors: those of the workspace, Fault::Cancelled.
[[nodiscard]] Result<WrittenFailures>
failures_report(const SparseFailures& read, const std::string& workspace, const std::stop_token& stop);

} // namespace sparsight

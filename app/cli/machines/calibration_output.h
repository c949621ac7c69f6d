// How true a simulated machine is, for people.
#pragma once

#include "command/session.h"
#include "command/terminal_text.h"
#include "domains/sparse/workflow/calibration/calibration_job.h"

#include <span>
#include <string>

namespace sparsight {

/// Columns of a table whose first column says of what.
[[nodiscard]] Table quality_table(std::string first_title);
void add_quality(Table& table, std::string of, const SimulationQuality& quality);

/// Remarks on the matrices and the runs that are no part of it; none where there are none.
void remark_on_left_out(const Session& session, std::span<const UnreadPattern> matrices,
                        const ExcludedRuns& runs);

/// What `machine calibrate` tells people.
void print_calibration(const Session& session, const CalibrationOutcome& outcome);

} // namespace sparsight

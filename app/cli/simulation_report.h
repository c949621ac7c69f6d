// How true a simulated machine is, for people and as JSON.
#pragma once

#include "collection/calibration_data.h"
#include "command/session.h"
#include "command/table.h"
#include "machine/calibration/simulator_validation.h"

#include <cstdint>
#include <span>
#include <string>

namespace sparsight {

/// {"kendall_tau", "ordered_pair_accuracy", "best_quarter": {…}, "regret": {"1", "5", "20"}, "median_error"}
[[nodiscard]] Json quality_json(const SimulationQuality& quality);

/// Columns of a table whose first column says of what.
[[nodiscard]] Table quality_table(std::string first_title);
void add_quality(Table& table, std::string of, const SimulationQuality& quality);

/// [{"matrix", "reason"}]
[[nodiscard]] Json without_pattern_json(std::span<const UnreadPattern> matrices);

/// {"gave up": 4, "too short": 3, …}: only those that there are.
[[nodiscard]] Json left_out_json(const LeftOutRuns& runs);

/// Remarks on the matrices and the runs that are no part of it; none where there are none.
void remark_on_left_out(const Session& session, std::span<const UnreadPattern> matrices,
                        const LeftOutRuns& runs);

} // namespace sparsight

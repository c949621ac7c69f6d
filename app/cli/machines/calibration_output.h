// How true a simulated machine is, for people and as JSON.
#pragma once

#include "collection/calibration_data.h"
#include "collection/machine_calibration.h"
#include "command/session.h"
#include "command/terminal_text.h"
#include "domains/sparse/simulator/simulator_validation.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// {"kendall_tau", "ordered_pair_accuracy", "best_quarter": {…}, "regret": {"1", "5", "20"}, "median_error"}
[[nodiscard]] Json quality_json(const SimulationQuality& quality);

/// Columns of a table whose first column says of what.
[[nodiscard]] Table quality_table(std::string first_title);
void add_quality(Table& table, std::string of, const SimulationQuality& quality);

/// [{"matrix", "reason"}]
[[nodiscard]] Json without_pattern_json(std::span<const UnreadPattern> matrices);

/// {"gave up": 4, "too short": 3, …}: only those that there are.
[[nodiscard]] Json left_out_json(const ExcludedRuns& runs);

/// Remarks on the matrices and the runs that are no part of it; none where there are none.
void remark_on_left_out(const Session& session, std::span<const UnreadPattern> matrices,
                        const ExcludedRuns& runs);

// What `machine calibrate` tells of a calibration, as JSON and for people.

/// What the machine has afterwards.
enum class Kept : std::uint8_t {
    Calibrated,
    AsItWas,      ///< it was to be tried alone, or its numbers are chosen
    TheBetterOne, ///< as it was, since the calibration chooses worse on other matrices
};

[[nodiscard]] Json calibration_json(const CalibrationData& data, const CheckedCalibration& checked,
                                    Kept kept);
void print_calibration(const Session& session, const CalibrationData& data, const CheckedCalibration& checked,
                       Kept kept);

/// Sentences about what its figures are worth: of how few matrices they are, what became worse.
[[nodiscard]] std::vector<std::string> calibration_remarks(const CheckedCalibration& checked, Kept kept);

} // namespace sparsight

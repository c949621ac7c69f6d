// What `machine calibrate` tells of a calibration, as JSON and for people.
#pragma once

#include "collection/machine_calibration.h"
#include "command/session.h"

#include <string>
#include <vector>

namespace sparsight {

[[nodiscard]] Json calibration_json(const CalibrationData& data, const CheckedCalibration& checked,
                                    bool is_stored);
void print_calibration(const Session& session, const CalibrationData& data, const CheckedCalibration& checked,
                       bool is_stored);

/// Sentences about what its figures are worth: of how few matrices they are, what became worse.
[[nodiscard]] std::vector<std::string> calibration_remarks(const CheckedCalibration& checked);

} // namespace sparsight

// What `machine calibrate` tells of a calibration, as JSON and for people.
#pragma once

#include "collection/machine_calibration.h"
#include "command/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

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

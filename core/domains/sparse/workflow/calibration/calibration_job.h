// A machine of the workspace calibrated to what was measured on it, or held against that.
#pragma once

#include "base/observer.h"
#include "domains/sparse/workflow/calibration/calibration_data.h"
#include "domains/sparse/workflow/calibration/machine_calibration.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct MachineCalibrationRequest {
    CalibrationRequest measured;    ///< to what it is calibrated; an empty machine: this computer
    std::int64_t most_matrices = 0; ///< 0: all that are not kept back
    int steps = CalibrationOptions{}.steps;
    bool is_trial = false; ///< the machine stays as it is
    bool even_if_worse = false;
    std::string code_of; ///< LLVM's name of a processor, or empty
    std::uint64_t seed = 1;
};

/// What the machine has afterwards.
enum class Kept : std::uint8_t {
    Calibrated,
    AsItWas,      ///< it was to be tried alone, or its numbers are chosen
    TheBetterOne, ///< as it was, since the calibration chooses worse on other matrices
};

struct CalibrationOutcome {
    CalibrationData data;
    CheckedCalibration checked;
    Kept kept = Kept::Calibrated;
};

/// Stores nothing yet. Errors: those of calibration_data() and calibrate_machine().
[[nodiscard]] Result<CalibrationOutcome> calibrate(Workspace& workspace,
                                                   const MachineCalibrationRequest& request,
                                                   Observer& observer, const std::stop_token& stop);
/// Where the calibration is kept.
[[nodiscard]] Result<void> store_calibration(Workspace& workspace, const CalibrationOutcome& outcome);

/// An empty machine means this computer.
[[nodiscard]] Result<MachineValidation> validate(Workspace& workspace, const CalibrationRequest& measured,
                                                 std::uint64_t seed, Observer& observer,
                                                 const std::stop_token& stop);

// Both as JSON: `sparsight-cli machine calibrate --help` and `machine validate --help` list the members.

[[nodiscard]] Json calibration_json(const CalibrationOutcome& outcome);
[[nodiscard]] Json validation_json(const MachineValidation& validation, bool held_out);

/// Sentences about what its figures are worth: of how few matrices they are, what became worse.
[[nodiscard]] std::vector<std::string> calibration_remarks(const CheckedCalibration& checked, Kept kept);

} // namespace sparsight

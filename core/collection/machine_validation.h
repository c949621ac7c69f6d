// The simulation of a machine of a workspace, held against what is stored of that machine: matrix by matrix,
// and as means. What `machine calibrate` and `machine validate` call by these names.
#pragma once

#include "collection/calibration_data.h"
#include "machine/calibration/simulator_validation.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct ValidatedMatrix {
    std::string name;
    std::vector<double> measured_ms;
    std::vector<double> simulated_ms; ///< one for each that was measured
    SimulationQuality quality;
    /// What measuring this matrix once more would reach; absent where the spread of its times is unknown.
    std::optional<SimulationQuality> ceiling;
};

struct MachineValidation {
    MachineRecord machine;
    RuntimeSource source; ///< the measurements
    std::int64_t runs = 0;
    // As in CalibrationData:
    std::vector<UnreadPattern> without_pattern;
    LeftOutRuns left_out;
    bool all_were_fitted = false;
    bool is_calibrated = false;

    std::vector<ValidatedMatrix> matrices; ///< those with an order (see validate_simulator())
    // Means over them; regrets and errors are geometric ones.
    SimulationQuality mean;
    /// Where all were fitted: what the calibration found on each when it was left out, if it is remembered.
    std::optional<SimulationQuality> cross_validated;
    /// By the machine's facts and typical values alone; absent where no calibration has changed them.
    std::optional<SimulationQuality> uncalibrated;
    std::optional<SimulationQuality> ceiling; ///< absent where it is for any matrix
    std::vector<SimulatorValidation::WithoutTerm> without;
};

/// Errors: those of calibration_data(); no matrix that was asked for has an order (Fault::Input);
/// Fault::Cancelled.
[[nodiscard]] Result<MachineValidation>
validate_machine(Workspace& workspace, const CalibrationRequest& request, std::uint64_t seed = 1,
                 const std::stop_token& stop = {}, const ProgressSink& progress = {});

/// The mean over matrices as validate_simulator() takes it; of none what a perfect simulation has.
[[nodiscard]] SimulationQuality mean_of(std::span<const SimulationQuality> qualities);

} // namespace sparsight

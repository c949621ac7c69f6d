// Calibrating and validating the simulation of a workspace's machine against the runtimes stored for that
// machine: `machine calibrate` and `machine validate`. A calibration is checked on matrices that it did not
// see.
#pragma once

#include "domains/sparse/simulator/simulator_validation.h"
#include "domains/sparse/workflow/calibration/calibration_data.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct ValidatedMatrix {
    std::string name;
    std::vector<double> measured_ms;
    std::vector<double> simulated_ms; ///< one for each measured time
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
    ExcludedRuns left_out;
    bool all_were_fitted = false;
    bool is_calibrated = false;

    std::vector<ValidatedMatrix> matrices; ///< those with an order (see validate_simulator())
    // Means over `matrices`; for regrets and errors, geometric means.
    SimulationQuality mean;
    /// Where all were fitted: the quality on each matrix when it was left out, if it is stored.
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

/// The mean over matrices as validate_simulator() takes it; for no matrix, the quality of a perfect
/// simulation.
[[nodiscard]] SimulationQuality mean_of(std::span<const SimulationQuality> qualities);

/// How the value of a calibration on other matrices was checked.
enum class HeldOutCheck : std::uint8_t {
    KeptBack,       ///< a third of the matrices was not fitted, see is_held_out()
    CrossValidated, ///< each was compared with a calibration to the others; the machine is fitted to all
    Impossible,     ///< there is one matrix alone, or none that was kept back has an order
};

/// "kept back", "cross-validated", "impossible".
[[nodiscard]] std::string_view name(HeldOutCheck check);

/// The quality of the simulation on the same matrices, by the machine's facts alone and as calibrated.
struct CalibrationEffect {
    SimulationQuality before;
    SimulationQuality after;
};

/// Whether schedules are better chosen without the calibration: fewer pairs are ordered correctly (0.02 of
/// Kendall's tau), or the first choice is slower by more than a tenth.
[[nodiscard]] bool chooses_worse(const CalibrationEffect& effect);

struct CheckedCalibration {
    Calibration calibration;
    std::vector<std::string> fitted{}; ///< names of the matrices
    HeldOutCheck check = HeldOutCheck::Impossible;
    std::size_t held_out = 0;                     ///< number of matrices behind `on_held_out`
    std::optional<CalibrationEffect> on_fitted{}; ///< absent where no matrix has an order
    std::optional<CalibrationEffect> on_held_out{};
    /// By the stems of their names, for CalibrationRecord::fitted_matrices: empty where some were kept back.
    std::vector<std::string> stems_of_all{};
};

/// The record that the machine keeps; absent where it was not cross-validated.
[[nodiscard]] std::optional<CrossValidation> cross_validation(const CalibrationData& data,
                                                              const CheckedCalibration& checked);

struct MachineCalibrationOptions {
    CalibrationOptions fitting{};
    std::size_t most_matrices = 0; ///< the most matrices to fit; 0: all that are not kept back
    int threads = 1;               ///< each fits to some of the matrices, where it is cross-validated
    /// LLVM's name of a processor whose machine code gives the initial costs of loops (analysed_costs.h);
    /// empty: from the machine's facts.
    std::string code_of{};
};

/// With fewer than fewest_families_to_keep_back matrices it is cross-validated, all forms of one matrix left
/// out at a time. Starts from uncalibrated_parameters(). Errors: those of calibrate() and
/// set_analysed_costs().
[[nodiscard]] Result<CheckedCalibration> calibrate_machine(const CalibrationData& data,
                                                           const MachineCalibrationOptions& options = {},
                                                           const std::stop_token& stop = {},
                                                           const ProgressSink& progress = {});

} // namespace sparsight

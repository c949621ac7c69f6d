// How true the mechanistic simulator is on a machine: its simulated runtimes beside those that were measured
// there, by what a searcher of schedules needs of it, and what each of its terms contributes.
#pragma once

#include "domains/sparse/simulator/calibration.h"
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_description.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct MatrixSimulation {
    std::string matrix;
    std::vector<double> simulated_ms; ///< as in CalibrationMatrix
    SimulationQuality quality;
};

struct SimulatorValidation {
    SimulationQuality mean;
    std::vector<MatrixSimulation> matrices; ///< those with an order
    /// The mean of remeasurement_quality(); absent where it is for any matrix. Nothing that predicts can do
    /// better.
    std::optional<SimulationQuality> ceiling;
    struct WithoutTerm {
        TimeTerm term{};
        SimulationQuality mean;
    };
    std::vector<WithoutTerm> without; ///< the mean with one term left out of every simulation
};

/// Matrices with fewer than five schedules, or without two different times, are left out. Error: all are
/// (Fault::Input).
[[nodiscard]] Result<SimulatorValidation> validate_simulator(const MachineParameters& machine,
                                                             std::span<const CalibrationMatrix> matrices,
                                                             std::uint64_t seed = 1);

/// The mean alone, without looking at what each term contributes. Absent where no matrix has an order.
[[nodiscard]] std::optional<SimulationQuality> mean_quality(const MachineParameters& machine,
                                                            std::span<const CalibrationMatrix> matrices);

/// What measuring a matrix once more would reach: the mean over several draws from the measurements' own
/// spreads, the same whatever other matrices are looked at. Absent where the spreads are unknown.
[[nodiscard]] std::optional<SimulationQuality> remeasurement_quality(const CalibrationMatrix& matrix,
                                                                     std::uint64_t seed);

/// Of predicted against measured milliseconds of one matrix.
[[nodiscard]] SimulationQuality simulation_quality(std::span<const double> predicted,
                                                   std::span<const double> measured);

} // namespace sparsight

// Fits the parameters of a machine to runtimes that were measured on it, by gradient descent through the
// simulator (the idea of DiffTune: Renda, Chen, Mendis and Carbin, MICRO 2020; here the simulator itself is
// differentiable and needs no surrogate).
//
// A fitted parameter is expressed as θ = log(value / prior value) / log(doubt): 0 where nothing is learned,
// and a standard normal prior says how far it may go (ParameterInfo::doubt).
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_parameters.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

using FittedCoordinates = std::array<double, fitted_parameter_count>;

/// The parameters at θ; a value outside its range is set to the nearest end.
[[nodiscard]] MachineParameters moved(const MachineParameters& prior, const FittedCoordinates& theta);

struct LogTime {
    double value = 0;             ///< of simulated milliseconds
    FittedCoordinates gradient{}; ///< by θ
    SimulatedTime time{};         ///< the milliseconds
};

/// A machine at θ, by whose parameters simulated times are differentiated. At an end of a parameter's range
/// the derivative is that of the inner side. Threads may share it.
class DifferentiatedMachine {
public:
    DifferentiatedMachine(const MachineParameters& prior, const FittedCoordinates& theta);
    DifferentiatedMachine(const DifferentiatedMachine&) = delete;
    DifferentiatedMachine& operator=(const DifferentiatedMachine&) = delete;
    ~DifferentiatedMachine();

    /// `instructions` are those of the profile on this machine; they depend on no fitted parameter.
    [[nodiscard]] LogTime log_time(const ScheduleProfile& profile,
                                   const InstructionCounts& instructions) const;

private:
    struct Parameters;
    std::unique_ptr<const Parameters> parameters_;
};

/// Of one schedule.
[[nodiscard]] LogTime log_simulated_time(const MachineParameters& prior, const FittedCoordinates& theta,
                                         const ScheduleProfile& profile,
                                         const InstructionCounts& instructions);

// What the calibration minimises:
//   loss = mean √(1 + (log(simulated / measured) / δ)²) − 1      how far off, robustly
//        + w/κ · mean log(1 + exp(−κ log(slower / faster)))      pairs of one matrix, as they were measured
//        + Σ θ² / 2n                                             the prior

/// Schedules of one matrix that were measured on the machine; no infinite times.
struct CalibrationMatrix {
    std::string name;
    std::vector<ScheduleProfile> profiles;
    std::vector<double> milliseconds; ///< one for each profile, above 0
    std::vector<double> spreads;      ///< of each median, or empty where near-ties are not known
    /// Equal for forms of one matrix; empty: only the stem of its name tells its family (name_stem()).
    std::string family{};
};

struct CalibrationOptions {
    std::uint64_t seed = 1;
    int steps = 600;
    int matrices_a_step = 24;
    int schedules_a_matrix = 24;
    double rate = 0.06;         ///< Adam's, in θ; falls to nothing by a cosine
    double ranking_weight = 1;  ///< w
    double robustness = 0.25;   ///< δ: beyond it an error counts linearly
    double order_sharpness = 4; ///< κ
};

struct FittedParameter {
    MachineParameter parameter{};
    double before = 0;
    double after = 0;
    /// What is left of the prior's uncertainty, 0 to 1 (Laplace's approximation): near 1 the measurements say
    /// nothing about it.
    double uncertainty = 1;
    /// The measurements push the parameter beyond its allowed range: they do not show what it stands for.
    bool is_at_limit = false;

    /// Whether the measurements determine it.
    [[nodiscard]] bool is_determined() const { return sparsight::is_determined(uncertainty); }
};

struct Calibration {
    MachineParameters before;
    MachineParameters after;
    std::vector<FittedParameter> parameters;
    double mean_error = 0; ///< mean |log(simulated / measured)| after it
};

/// Fits the parameters. For machines whose code updates C in memory it also determines whether the compiler
/// unrolled short loops. Errors: no matrix with two different times (Fault::Input); Fault::Cancelled.
[[nodiscard]] Result<Calibration> calibrate(const MachineParameters& prior,
                                            std::span<const CalibrationMatrix> matrices,
                                            const CalibrationOptions& options = {},
                                            const std::stop_token& stop = {},
                                            const ProgressSink& progress = {});

/// Writes the fitted values into a machine's description as coefficients, and their uncertainty as its
/// record.
void set_coefficients(MachineDescription& machine, const Calibration& calibration);

} // namespace sparsight

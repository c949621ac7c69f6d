#include "machine/calibration/simulation_gradient.h"

#include "machine/mechanistic/mechanistic_formula.h"

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

namespace sparsight {

namespace {

using Derivatives = Eigen::Matrix<double, fitted_parameter_count, 1>;
using Differentiated = Eigen::AutoDiffScalar<Derivatives>;

constexpr std::array<MachineParameter, fitted_parameter_count> fitted{MachineParameter::SmtGain,
                                                                      MachineParameter::LoneGain,
                                                                      MachineParameter::L1Bytes,
                                                                      MachineParameter::L2Bytes,
                                                                      MachineParameter::L3Bytes,
                                                                      MachineParameter::L2Bandwidth,
                                                                      MachineParameter::L3Bandwidth,
                                                                      MachineParameter::CoreBandwidth,
                                                                      MachineParameter::SocketBandwidth,
                                                                      MachineParameter::L3Latency,
                                                                      MachineParameter::MemoryLatency,
                                                                      MachineParameter::OutstandingMisses,
                                                                      MachineParameter::Overlap,
                                                                      MachineParameter::TeamStart,
                                                                      MachineParameter::RegionCost,
                                                                      MachineParameter::ChunkCost,
                                                                      MachineParameter::CompressedStart,
                                                                      MachineParameter::MispredictedExit,
                                                                      MachineParameter::CompressedIteration,
                                                                      MachineParameter::DenseStart,
                                                                      MachineParameter::DenseIteration,
                                                                      MachineParameter::VectorStart,
                                                                      MachineParameter::TiledVector,
                                                                      MachineParameter::UpdatedVector,
                                                                      MachineParameter::TiledScalar,
                                                                      MachineParameter::UpdatedScalar,
                                                                      MachineParameter::TileVector};

} // namespace

std::span<const MachineParameter> fitted_parameters() {
    return fitted;
}

MachineParameters moved(const MachineParameters& prior, const FittedCoordinates& theta) {
    MachineParameters result = prior;
    for (std::size_t f = 0; f < fitted.size(); ++f) {
        const ParameterInfo& info = parameter_info(fitted[f]);
        result[fitted[f]] =
            std::clamp(prior[fitted[f]] * std::pow(info.doubt, theta[f]), info.lowest, info.highest);
    }
    return result;
}

LogTime log_simulated_time(const MachineParameters& prior, const FittedCoordinates& theta,
                           const ScheduleProfile& profile, const InstructionCounts& instructions) {
    const MachineParameters values = moved(prior, theta);
    BasicMachineParameters<Differentiated> machine;
    for (const ParameterInfo& info : all_parameters()) {
        machine[info.parameter].value() = values[info.parameter];
        machine[info.parameter].derivatives().setZero();
    }
    for (std::size_t f = 0; f < fitted.size(); ++f) {
        const ParameterInfo& info = parameter_info(fitted[f]);
        machine[fitted[f]].derivatives()[static_cast<Eigen::Index>(f)] =
            values[fitted[f]] * std::log(info.doubt);
    }
    const Differentiated total =
        mechanistic::Formula<Differentiated>(machine, profile, instructions).run().total();
    LogTime result;
    result.value = std::log(total.value());
    for (std::size_t f = 0; f < fitted.size(); ++f)
        result.gradient[f] = total.derivatives()[static_cast<Eigen::Index>(f)] / total.value();
    return result;
}

} // namespace sparsight

#include "machine/parameter_origin.h"

#include "machine/machine_presets.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using P = MachineParameter;

MachineDescription probed_computer() {
    MachineDescription machine;
    machine.name = "here";
    machine.source = MachineSource::Probed;
    machine.cores = 4;
    machine.copy_bandwidth.one_thread = GigabytesPerSecond{20};
    return machine;
}

TEST(ParameterOrigin, OfAProbedComputerIsWhatWasReadMeasuredOrTaken) {
    const MachineDescription machine = probed_computer();
    EXPECT_EQ(origin_of(machine, P::Cores), ParameterOrigin::Stated);
    EXPECT_EQ(origin_of(machine, P::CoreBandwidth), ParameterOrigin::Measured);
    EXPECT_EQ(origin_of(machine, P::SocketBandwidth), ParameterOrigin::Typical)
        << "all threads were not measured";
    EXPECT_EQ(origin_of(machine, P::DenseIteration), ParameterOrigin::Typical);
}

TEST(ParameterOrigin, OfWhatACalibrationMovedIsTheCalibration) {
    MachineDescription machine = probed_computer();
    machine.coefficients[P::DenseIteration] = 0.9;
    machine.coefficients[P::CoreBandwidth] = 24;
    machine.coefficients[P::MemoryLatency] = parameter_info(P::MemoryLatency).typical;
    EXPECT_EQ(origin_of(machine, P::DenseIteration), ParameterOrigin::Fitted);
    EXPECT_EQ(origin_of(machine, P::CoreBandwidth), ParameterOrigin::Fitted);
    EXPECT_EQ(origin_of(machine, P::MemoryLatency), ParameterOrigin::Typical) << "it was left where it was";
}

TEST(ParameterOrigin, OfASimulatedMachineIsWhoeverChoseIt) {
    MachineDescription machine = find_machine_preset("laptop")->machine;
    machine.coefficients[P::DenseIteration] = 0.9;
    EXPECT_EQ(origin_of(machine, P::DenseIteration), ParameterOrigin::Stated);
    EXPECT_EQ(origin_of(machine, P::Cores), ParameterOrigin::Stated);
    EXPECT_EQ(origin_of(machine, P::DenseStart), ParameterOrigin::Typical);
    EXPECT_EQ(without_calibration(machine), machine);
}

TEST(WithoutCalibration, IsWhatTheFactsAloneTell) {
    MachineDescription machine = probed_computer();
    machine.coefficients[P::CoreBandwidth] = 24;
    machine.coefficients[P::Accumulators] = 0; // the shape of the code that was measured, which is not fitted
    const MachineDescription facts = without_calibration(machine);
    EXPECT_EQ(resolve_parameters(facts).values[P::CoreBandwidth], 20);
    EXPECT_TRUE(facts.coefficients.contains(P::Accumulators));
}

TEST(WithoutCalibration, IsWithoutWhatTheRuntimesToldOfCodeAndThreads) {
    MachineDescription machine;
    machine.source = MachineSource::Recorded;
    const MachineDescription unknown = machine;
    machine.coefficients = {{P::UnrolledExtent, 0}, {P::Threads, 48}, {P::Cores, 48}};
    EXPECT_EQ(without_calibration(machine), unknown);
}

} // namespace
} // namespace sparsight

#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using P = MachineParameter;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

/// Two sockets of four cores with two threads each.
MachineDescription server() {
    MachineDescription machine;
    machine.name = "server";
    machine.sockets = 2;
    machine.cores = 8;
    machine.threads = 16;
    machine.clock = Gigahertz{3.3};
    machine.float_lanes = 16;
    machine.caches = {{1, 32u << 10, 64, 2, 8}, {2, 1u << 20, 64, 2, 8}, {3, 11u << 20, 64, 8, 2}};
    machine.copy_bandwidth = {GigabytesPerSecond{13}, GigabytesPerSecond{150}};
    machine.memory_latency = Nanoseconds(88);
    return machine;
}

TEST(MachineParameters, AreListedInOrderWithKeysOfTheirOwnAndPlausibleNumbers) {
    const auto all = all_parameters();
    ASSERT_EQ(all.size(), machine_parameter_count);
    std::set<std::string_view> keys;
    for (std::size_t at = 0; at < all.size(); ++at) {
        const ParameterInfo& info = all[at];
        EXPECT_EQ(static_cast<std::size_t>(info.parameter), at) << info.key;
        EXPECT_EQ(&parameter_info(info.parameter), &info);
        EXPECT_EQ(parse_machine_parameter(info.key), info.parameter);
        EXPECT_TRUE(keys.insert(info.key).second) << info.key;
        EXPECT_LT(info.lowest, info.highest) << info.key;
        EXPECT_GE(info.typical, info.lowest) << info.key;
        EXPECT_LE(info.typical, info.highest) << info.key;
        EXPECT_GE(info.doubt, 1) << info.key;
    }
    EXPECT_EQ(parse_machine_parameter("speed"), std::nullopt);
}

TEST(MachineParameters, SayTheirRangeWithItsUnit) {
    EXPECT_EQ(range_text(parameter_info(P::SocketBandwidth)), "from 0.5 to 5000 GB/s");
    EXPECT_EQ(range_text(parameter_info(P::Cores)), "from 1 to 1024");
}

TEST(ResolvedParameters, AreTheFactsOfTheDescriptionInTheirUnits) {
    MachineDescription machine = server();
    machine.smt_gain = 1.3;
    machine.l3_bandwidth = GigabytesPerSecond{25};
    machine.outstanding_misses = 14;
    machine.remote_penalty = 1.7;
    machine.region_cost = Nanoseconds(7000);
    machine.chunk_cost = Nanoseconds(250);
    machine.noise = 0.07;
    const auto [values, assumed] = resolve_parameters(machine);
    EXPECT_EQ(values[P::Sockets], 2);
    EXPECT_EQ(values[P::Cores], 8);
    EXPECT_EQ(values[P::Threads], 16);
    EXPECT_EQ(values[P::SmtGain], 1.3);
    EXPECT_EQ(values[P::ClockRate], 3.3);
    EXPECT_EQ(values[P::Lanes], 16);
    EXPECT_EQ(values[P::L1Bytes], 32 << 10) << "both threads of a core share it";
    EXPECT_EQ(values[P::L2Bytes], 1 << 20);
    EXPECT_EQ(values[P::L3Bytes], 22 << 20) << "of both sockets";
    EXPECT_EQ(values[P::L3Bandwidth], 25);
    EXPECT_EQ(values[P::CoreBandwidth], 13);
    EXPECT_EQ(values[P::SocketBandwidth], 75) << "of each of the two";
    EXPECT_EQ(values[P::MemoryLatency], 88);
    EXPECT_EQ(values[P::OutstandingMisses], 14);
    EXPECT_EQ(values[P::RemotePenalty], 1.7);
    EXPECT_EQ(values[P::RegionCost], 7);
    EXPECT_EQ(values[P::ChunkCost], 0.25);
    EXPECT_EQ(values[P::Noise], 0.07);
    for (const P known : {P::Sockets, P::L1Bytes, P::L3Bytes, P::SocketBandwidth, P::RegionCost, P::Noise})
        EXPECT_THAT(assumed, Not(Contains(known))) << parameter_info(known).key;
    EXPECT_THAT(assumed, IsSupersetOf({P::Accumulators, P::L2Bandwidth, P::L3Latency, P::Overlap,
                                       P::CompressedStart, P::TileVector}));
}

TEST(ResolvedParameters, ShareACacheAmongTheCoresThatFillIt) {
    MachineDescription machine = server();
    machine.caches = {{1, 64u << 10, 64, 2, 8}, {2, 4u << 20, 64, 8, 2}};
    const auto [values, assumed] = resolve_parameters(machine);
    EXPECT_EQ(values[P::L2Bytes], 1 << 20) << "one for four cores";
    EXPECT_EQ(values[P::L3Bytes], 0) << "the caches are known, and there is no third level";
    EXPECT_THAT(assumed, Not(Contains(P::L3Bytes)));
}

TEST(ResolvedParameters, OfAnUnknownMachineAreTypicalAndAllAssumed) {
    MachineDescription machine;
    machine.name = "nothing is known of it";
    const auto [values, assumed] = resolve_parameters(machine);
    EXPECT_EQ(assumed.size(), machine_parameter_count);
    EXPECT_EQ(values[P::Cores], parameter_info(P::Cores).typical);
    EXPECT_EQ(values[P::ClockRate], parameter_info(P::ClockRate).typical);
    for (const ParameterInfo& info : all_parameters()) {
        EXPECT_GE(values[info.parameter], info.lowest) << info.key;
        EXPECT_LE(values[info.parameter], info.highest) << info.key;
    }
}

TEST(ResolvedParameters, LetThreadsWaitForEachOtherWhereTheyTakeChunksFromOneCounter) {
    const auto chunk_cost = [](int threads) {
        MachineDescription machine;
        machine.cores = machine.threads = threads;
        return resolve_parameters(machine).values[P::ChunkCost];
    };
    EXPECT_EQ(chunk_cost(1), parameter_info(P::ChunkCost).typical);
    EXPECT_EQ(chunk_cost(2), parameter_info(P::ChunkCost).typical);
    EXPECT_NEAR(chunk_cost(128), 2 * chunk_cost(64), 1e-9);
    EXPECT_NEAR(chunk_cost(104), 4.2, 0.1) << "as runtimes recorded on a machine of 104 threads say";
}

TEST(ResolvedParameters, TakeThreadsForCoresWhereThoseAloneAreKnown) {
    MachineDescription machine;
    machine.threads = 32;
    EXPECT_EQ(resolve_parameters(machine).values[P::Cores], 32);
}

TEST(ResolvedParameters, GrowTheAssumedCostOfARegionWithTheThreadsThatMeet) {
    MachineDescription small = server();
    small.sockets = small.cores = small.threads = 1;
    EXPECT_LT(resolve_parameters(small).values[P::RegionCost],
              resolve_parameters(server()).values[P::RegionCost]);
}

TEST(ResolvedParameters, PutCoefficientsBeforeFactsAndKeepThemInTheirRange) {
    MachineDescription machine = server();
    machine.coefficients = {{P::ClockRate, 2.1}, {P::SocketBandwidth, 40}, {P::TileVector, 1e9}};
    const auto [values, assumed] = resolve_parameters(machine);
    EXPECT_EQ(values[P::ClockRate], 2.1);
    EXPECT_EQ(values[P::SocketBandwidth], 40);
    EXPECT_EQ(values[P::TileVector], parameter_info(P::TileVector).highest);
    for (const P given : {P::ClockRate, P::SocketBandwidth, P::TileVector})
        EXPECT_THAT(assumed, Not(Contains(given)));
}

TEST(ResolvedParameters, SeeOnlyTheSocketsOfACoefficient) {
    MachineDescription machine = server();
    machine.coefficients[P::Sockets] = 1;
    EXPECT_EQ(resolve_parameters(machine).values[P::SocketBandwidth], 150);
}

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

// Parameters of a machine: where they come from, and how they are edited.
#include "machine/machine_description.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

using P = MachineParameter;

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

MachineDescription preset(std::string_view key) {
    return find_machine_preset(key).value().machine;
}

double value_of(const MachineDescription& machine, P parameter) {
    return resolve_parameters(machine).values[parameter];
}

TEST(MachineEdit, GivesEachParameterOfEachMachineTheValueThatIsAskedFor) {
    for (const MachinePreset& preset : machine_presets())
        for (const ParameterInfo& info : all_parameters())
            for (const double value : {info.lowest, info.typical, info.highest}) {
                const MachineDescription changed = with_parameter(preset.machine, info.parameter, value);
                EXPECT_NEAR(value_of(changed, info.parameter), value, 1e-6 * value) << preset.key << info.key;
                EXPECT_TRUE(validate(changed)) << preset.key << info.key << validate(changed).error().message;
                EXPECT_THAT(resolve_parameters(changed).assumed, Not(Contains(info.parameter)));
            }
}

TEST(MachineEdit, LeavesWhatElseIsKnownAsItWas) {
    for (const MachinePreset& preset : machine_presets()) {
        const auto [before, assumed] = resolve_parameters(preset.machine);
        for (const ParameterInfo& changed : all_parameters()) {
            const auto after = resolve_parameters(with_parameter(preset.machine, changed.parameter,
                                                                 2 * before[changed.parameter]))
                                   .values;
            for (const ParameterInfo& other : all_parameters()) {
                const bool is_neighbour = changed.parameter <= P::Threads && other.parameter <= P::Threads;
                if (other.parameter != changed.parameter && !is_neighbour &&
                    std::ranges::find(assumed, other.parameter) == assumed.end()) {
                    EXPECT_NEAR(after[other.parameter], before[other.parameter],
                                1e-6 * before[other.parameter])
                        << preset.key << ": " << changed.key << " changed " << other.key;
                }
            }
        }
    }
}

TEST(MachineEdit, ChangesFactsBecauseNetworksReadThem) {
    const MachineDescription machine = with_parameter(preset("epyc-7543"), P::Cores, 16);
    EXPECT_EQ(machine.cores, 16);
    EXPECT_EQ(machine.threads, 32) << "two threads a core, as before";
    EXPECT_EQ(machine.sockets, 2);
    EXPECT_EQ(machine.caches[0].instances, 16);
    EXPECT_EQ(machine.caches[2].shared_by_threads, 2);
    EXPECT_EQ(machine.coefficients, preset("epyc-7543").coefficients);
    EXPECT_EQ(with_parameter(machine, P::SocketBandwidth, 50).copy_bandwidth.all_threads,
              GigabytesPerSecond{100});
    EXPECT_EQ(with_parameter(machine, P::L2Bytes, 2 << 20).caches[1].bytes, 2u << 20);
    EXPECT_EQ(with_parameter(machine, P::ChunkCost, 0.5).chunk_cost, Nanoseconds(500));
    EXPECT_EQ(with_parameter(machine, P::L3Bytes, 0).caches.size(), 2);
}

TEST(MachineEdit, KeepsSocketsCoresAndThreadsInOrder) {
    const MachineDescription laptop = preset("laptop");
    EXPECT_EQ(with_parameter(laptop, P::Sockets, 8).cores, 8);
    EXPECT_EQ(with_parameter(laptop, P::Threads, 2).cores, 2);
    EXPECT_EQ(with_parameter(preset("epyc-7543"), P::Cores, 1).sockets, 1);
}

TEST(MachineEdit, GoesBeforeACoefficient) {
    MachineDescription machine = preset("laptop");
    machine.coefficients[P::ClockRate] = 2;
    EXPECT_EQ(value_of(with_parameter(machine, P::ClockRate, 4), P::ClockRate), 4);
    EXPECT_EQ(value_of(with_parameter(machine, P::DenseIteration, 4), P::ClockRate), 2);
}

TEST(MachineEdit, ForgetsAPeakThatWasMeasuredAtAnotherClock) {
    MachineDescription machine = preset("laptop");
    machine.peak_fma.one_thread = GigaflopsPerSecond{100};
    EXPECT_TRUE(with_parameter(machine, P::MemoryLatency, 70).peak_fma.one_thread);
    EXPECT_FALSE(with_parameter(machine, P::ClockRate, 1).peak_fma.one_thread);
}

TEST(MachineEdit, KeepsWithinTheRange) {
    EXPECT_EQ(value_of(with_parameter(preset("laptop"), P::Cores, 1e9), P::Cores), 1024);
    EXPECT_EQ(value_of(with_parameter(preset("laptop"), P::Cores, 6.4), P::Cores), 6);
}

Result<MachineDescription> with_setting(const MachineDescription& machine, const std::string& setting) {
    return with_settings(machine, std::span(&setting, 1));
}

TEST(MachineSetting, IsAKeyAndANumber) {
    const auto changed = with_setting(preset("laptop"), "clock_ghz=1.25");
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(changed->clock, Gigahertz{1.25});
}

TEST(MachineSetting, OfASizeMayHaveTheUnitThatItIsPrintedWith) {
    const std::vector<std::pair<const char*, double>> cases{
        {"l2_bytes=262144", 262144},  {"l2_bytes=512KiB", 524288}, {"l2_bytes=512 KiB", 524288},
        {"l2_bytes=1.5MiB", 1572864}, {"l2_bytes=200kB", 200000},
    };
    for (const auto& [setting, bytes] : cases) {
        const auto changed = with_setting(preset("laptop"), setting);
        ASSERT_TRUE(changed) << setting << ": " << changed.error().message;
        EXPECT_EQ(value_of(*changed, P::L2Bytes), bytes) << setting;
    }
    EXPECT_FALSE(with_setting(preset("laptop"), "cores=4K")) << "only sizes have such units";
    EXPECT_EQ(value_text(parameter_info(P::L2Bytes), 524288), "512 KiB");
    EXPECT_EQ(value_text(parameter_info(P::ClockRate), 3.14159), "3.142");
}

TEST(MachineSetting, SaysWhatIsWrongAndWhatWasExpected) {
    const std::vector<std::pair<const char*, const char*>> cases{
        {"cores", "'cores' sets nothing: expected KEY=VALUE"},
        {"speed=3", "there is no parameter 'speed': expected one of sockets, cores, threads"},
        {"cores=many", "cores is 'many': expected a whole number from 1 to 1024"},
        {"cores=2.5", "cores is '2.5': expected a whole number from 1 to 1024"},
        {"clock_ghz=", "clock_ghz is '': expected a number from 0.1 to 10 GHz"},
        {"clock_ghz=11", "clock_ghz is '11': expected a number from 0.1 to 10 GHz"},
        {"clock_ghz=3 GHz", "clock_ghz is '3 GHz'"},
        {"noise=nan", "noise is 'nan': expected a number from 0 to 2"},
    };
    for (const auto& [setting, message] : cases) {
        const auto changed = with_setting(preset("laptop"), setting);
        ASSERT_FALSE(changed) << setting;
        EXPECT_EQ(changed.error().fault, Fault::Input);
        EXPECT_THAT(changed.error().message, HasSubstr(message));
    }
}

TEST(MachineEdit, KeepsSocketsEvenWhereThatIsAskedFor) {
    const MachineDescription server = preset("epyc-7543"); // two sockets, 64 cores
    EXPECT_EQ(value_of(with_even_parameter(server, P::Cores, 33), P::Cores), 34);
    EXPECT_EQ(value_of(with_even_parameter(server, P::Cores, 33), P::Sockets), 2);
    const MachineDescription three = with_even_parameter(server, P::Sockets, 3);
    EXPECT_EQ(value_of(three, P::Sockets), 3);
    EXPECT_EQ(value_of(three, P::Cores), 63);
    EXPECT_EQ(with_even_parameter(server, P::ClockRate, 2), with_parameter(server, P::ClockRate, 2));
    for (const double cores : {1.0, 5.0, 7.0, 1023.0})
        EXPECT_TRUE(require_consistent(with_even_parameter(server, P::Cores, cores))) << cores;
    const MachineDescription largest = with_parameter(server, P::Cores, parameter_info(P::Cores).highest);
    for (double sockets = 1; sockets <= parameter_info(P::Sockets).highest; ++sockets) {
        const MachineDescription uneven = with_even_parameter(largest, P::Sockets, sockets);
        EXPECT_TRUE(require_consistent(uneven)) << sockets << " sockets of the most cores that there may be";
        EXPECT_TRUE(validate(uneven)) << sockets;
    }
}

TEST(MachineSettings, HoldTogetherOrSayWhatDoesNot) {
    const std::vector<std::string> larger{"sockets=2", "cores=16", "threads=32"};
    const auto changed = with_settings(preset("laptop"), larger);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(value_of(*changed, P::Cores), 16);
    EXPECT_EQ(value_of(*changed, P::Threads), 32);
    const std::vector<std::pair<std::vector<std::string>, const char*>> cases{
        {{"sockets=2", "cores=7"}, "cores is 7 and sockets is 2: expected as many cores on each socket"},
        {{"cores=2", "sockets=3"}, "cores=2 contradicts later settings, which make it 3"},
        {{"threads=2", "cores=8"}, "threads=2 contradicts later settings"},
        {{"core_gb_per_s=90", "socket_gb_per_s=40"},
         "core_gb_per_s is 90: expected at most the 40 of its socket"},
        {{"cores=many"}, "expected a whole number"},
    };
    for (const auto& [settings, message] : cases) {
        const auto refused = with_settings(preset("laptop"), settings);
        ASSERT_FALSE(refused) << message;
        EXPECT_EQ(refused.error().fault, Fault::Input);
        EXPECT_THAT(refused.error().message, HasSubstr(message));
    }
}

TEST(MachineSettings, SayWhatElseChanges) {
    const MachineDescription before = preset("laptop");
    const std::vector<std::string> fewer{"threads=2"};
    const auto after = with_settings(before, fewer);
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_THAT(unrequested_changes(before, *after, fewer),
                testing::ElementsAre(HasSubstr("cores is 2 instead of")));
    const std::vector<std::string> clock{"clock_ghz=1"};
    EXPECT_TRUE(unrequested_changes(before, *with_settings(before, clock), clock).empty());
}

TEST(ConsistentMachines, AreAllPresetsAndAllOfTheFamily) {
    for (const MachinePreset& preset : machine_presets())
        EXPECT_TRUE(require_consistent(preset.machine)) << preset.key;
    for (const MachineDescription& machine : sample_machines(1, 300))
        EXPECT_TRUE(require_consistent(machine)) << machine.name;
}

TEST(ConsistentMachines, HaveEvenSocketsAndNoCoreFasterThanAll) {
    MachineDescription machine = preset("epyc-7543");
    machine.cores = 63;
    machine.threads = 126;
    EXPECT_THAT(require_consistent(machine).error().message, HasSubstr("cores is 63 and sockets is 2"));
    machine.source = MachineSource::Probed;
    EXPECT_TRUE(require_consistent(machine)) << "a process may be allowed a part of a computer";
    MachineDescription fitted = preset("laptop");
    fitted.source = MachineSource::Recorded;
    fitted.coefficients[P::CoreBandwidth] = 40;
    fitted.coefficients[P::SocketBandwidth] = 30;
    EXPECT_TRUE(require_consistent(fitted)) << "what a calibration found nobody chose";
    MachineDescription fast = preset("laptop");
    fast.copy_bandwidth = {GigabytesPerSecond{80}, GigabytesPerSecond{40}};
    EXPECT_THAT(require_consistent(fast).error().message,
                HasSubstr("one core is 80 GB/s: expected at most that of all, 40 GB/s"));
}

TEST(ImaginedMachines, LikeACalibratedOneAreReadAgainFromTheirFile) {
    MachineDescription fitted = preset("laptop");
    fitted.source = MachineSource::Recorded;
    fitted.coefficients[P::CoreBandwidth] = 40;
    fitted.coefficients[P::SocketBandwidth] = 30;
    fitted.calibration.doubt_left[P::CoreBandwidth] = 0.1;
    const MachineDescription copy = simulated_copy(fitted);
    EXPECT_EQ(copy.source, MachineSource::Simulated);
    EXPECT_EQ(copy.calibration, CalibrationRecord{});
    EXPECT_EQ(value_of(copy, P::SocketBandwidth), 30);
    EXPECT_EQ(value_of(copy, P::CoreBandwidth), 30) << "no core was ever faster than what all have";
    const auto read = machine_from_text(machine_to_text(copy));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(require_consistent(*read));
    EXPECT_EQ(*read, copy);
}

TEST(ImaginedMachines, LikeAPartOfAComputerHaveEvenSockets) {
    MachineDescription part = preset("epyc-7543");
    part.source = MachineSource::Probed;
    part.cores = 63;
    part.threads = 126;
    const MachineDescription copy = simulated_copy(part);
    EXPECT_TRUE(require_consistent(copy));
    EXPECT_EQ(value_of(copy, P::Cores), 64);
    EXPECT_EQ(simulated_copy(copy), copy);
}

TEST(ImaginedMachines, LikeOneThatCouldBeChosenHaveAllItsNumbers) {
    for (const MachinePreset& preset : machine_presets())
        EXPECT_EQ(simulated_copy(preset.machine), preset.machine) << preset.key;
}

} // namespace
} // namespace sparsight

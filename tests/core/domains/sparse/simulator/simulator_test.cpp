#include "base/random.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "machine/machine_family.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <vector>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

constexpr double never = std::numeric_limits<double>::infinity();

const Setting spmm_256 = setting_of(Operator::SpMM, 256);
const Configuration csr = configuration_of(fixed_csr(Operator::SpMM, 8));

Result<std::vector<double>> simulate(const MachineDescription& machine, const std::vector<double>& recorded) {
    const std::vector schedules(recorded.size(), csr);
    const auto profile =
        PaperFormula().profile({.setting = spmm_256, .configurations = schedules, .recorded_ms = recorded});
    auto times = profile.value()->times(machine);
    if (!times)
        return std::unexpected(times.error());
    return times->milliseconds;
}

TEST(PaperFormula, IsTheReports) {
    const auto on_a = simulate(report_machine_a(), {120, never});
    ASSERT_TRUE(on_a);
    EXPECT_DOUBLE_EQ((*on_a)[0], 0.36) << "the report's own example";
    EXPECT_EQ((*on_a)[1], never);
    EXPECT_DOUBLE_EQ(simulate(report_machine_b(), {120})->front(), 120.0 / (16 * 80));
}

TEST(PaperFormula, CantChangeAnOrder) {
    Random random(1);
    std::vector<double> recorded;
    for (int i = 0; i < 200; ++i)
        recorded.push_back(i % 20 == 0 ? never : std::exp(10 * random.normal()));
    MachineDescription odd = report_machine_a();
    odd.cores = 7;
    odd.copy_bandwidth.all_threads = GigabytesPerSecond{0.3};
    odd.memory_latency = Nanoseconds(271);
    for (const MachineDescription& machine : {report_machine_a(), report_machine_b(), odd}) {
        const auto simulated = simulate(machine, recorded).value();
        for (std::size_t i = 0; i < recorded.size(); ++i)
            for (std::size_t j = 0; j < recorded.size(); ++j)
                EXPECT_EQ(simulated[i] < simulated[j], recorded[i] < recorded[j]);
    }
}

TEST(PaperFormula, SaysWhatItMisses) {
    MachineDescription machine;
    machine.name = "box";
    EXPECT_THAT(simulate(machine, {1}).error().message,
                HasSubstr("needs the number of cores, which is not known of the machine box"));
    machine = report_machine_a();
    machine.copy_bandwidth.all_threads.reset();
    EXPECT_THAT(simulate(machine, {1}).error().message, HasSubstr("the bandwidth of memory"));
    machine = report_machine_a();
    machine.memory_latency = Nanoseconds(0);
    EXPECT_THAT(simulate(machine, {1}).error().message, HasSubstr("the latency of memory"));
    EXPECT_THAT(PaperFormula().profile({.setting = spmm_256, .configurations = {&csr, 1}}).error().message,
                HasSubstr("there are 0 for 1 schedules"));
}

using P = MachineParameter;

MachineParameters a_server() {
    MachineDescription machine;
    machine.name = "server";
    machine.cores = 16;
    machine.threads = 16;
    return resolve_parameters(machine).values;
}

class Simulated : public testing::Test {
protected:
    Simulated() {
        Random random(11);
        const Extents extents = sparsight::extents(Operator::SpMM, pattern_.rows, pattern_.cols, 256);
        for (const SuperSchedule& schedule : sample_waco(Operator::SpMM, extents, 60, 16, random))
            profiles_.push_back(*profiled_.profile(schedule, 256));
        csr_ = *profiled_.profile(fixed_csr(Operator::SpMM, 16), 256);
    }
    [[nodiscard]] std::size_t winner(const MachineParameters& machine) const {
        std::vector<double> times;
        for (const ScheduleProfile& profile : profiles_)
            times.push_back(simulate(machine, profile).total());
        return static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
    }

    CsrPattern pattern_ =
        *generate_matrix("uniform", {{"rows", 4000}, {"cols", 4000}, {"density", 0.003}}, 2);
    ProfiledPattern profiled_{pattern_};
    std::vector<ScheduleProfile> profiles_;
    ScheduleProfile csr_;
};

TEST_F(Simulated, PartsAreNeverNegativeAndAddUp) {
    for (const ScheduleProfile& profile : profiles_) {
        const SimulatedTime time = simulate(a_server(), profile);
        EXPECT_THAT(time.parts, testing::Each(testing::Ge(0)));
        EXPECT_GT(time.total(), 0);
        EXPECT_TRUE(std::isfinite(time.total()));
    }
}

TEST_F(Simulated, TimesFallWithTheClockWhereInstructionsAreWhatTakesTime) {
    MachineParameters machine = a_server();
    machine[P::L2Bandwidth] = 1e3;
    machine[P::L3Bandwidth] = 1e3;
    machine[P::CoreBandwidth] = machine[P::SocketBandwidth] = 5e3;
    machine[P::TeamStart] = machine[P::RegionCost] = machine[P::ChunkCost] = 1e-6;
    machine[P::OutstandingMisses] = 1e9;
    const double before = simulate(machine, csr_).total();
    machine[P::ClockRate] *= 2;
    EXPECT_NEAR(simulate(machine, csr_).total() / before, 0.5, 0.02);
}

TEST_F(Simulated, MoreBandwidthNeverHurtsAndLessCacheNeverHelps) {
    for (const ScheduleProfile& profile : profiles_) {
        MachineParameters machine = a_server();
        const double before = simulate(machine, profile).total();
        machine[P::SocketBandwidth] *= 4;
        machine[P::CoreBandwidth] *= 4;
        EXPECT_LE(simulate(machine, profile).total(), before * (1 + 1e-9));
        machine = a_server();
        machine[P::L3Bytes] /= 64;
        machine[P::L2Bytes] /= 8;
        EXPECT_GE(simulate(machine, profile).total(), before * (1 - 1e-9));
    }
}

TEST_F(Simulated, ARunWhoseDataStayInTheCachesWaitsForNoMemory) {
    MachineParameters machine = a_server();
    machine[P::L3Bytes] = 4e9;
    const double cached = simulate(machine, csr_)[TimeTerm::MemoryTraffic];
    machine[P::L3Bytes] = 1e6;
    const double streamed = simulate(machine, csr_)[TimeTerm::MemoryTraffic];
    EXPECT_LT(cached, 0.01 * streamed);
}

TEST_F(Simulated, WhatIsLargerThanAllCachesTogetherIsStreamedOnAnyNumberOfCores) {
    const ScheduleProfile spmv = *profiled_.profile(fixed_csr(Operator::SpMV, 16), 1);
    const auto stored = static_cast<double>(spmv.storage.bytes);
    MachineParameters machine = a_server();
    machine[P::Overlap] = 1;
    for (const double cores : {1.0, 16.0, 64.0}) {
        machine[P::Cores] = machine[P::Threads] = cores;
        machine[P::L2Bytes] = stored / 100 / cores;
        machine[P::L3Bytes] = stored / 6;
        const double per_ms = 1e6 * std::min(machine[P::SocketBandwidth], cores * machine[P::CoreBandwidth]);
        EXPECT_GT(simulate(machine, spmv)[TimeTerm::MemoryTraffic], 0.9 * stored / per_ms) << cores;
    }
}

TEST_F(Simulated, RowsOfDifferentLengthsAreSlowerThanAsManyEntriesInEqualRows) {
    const auto rows_of = [](std::int64_t even, std::int64_t odd) {
        CsrPattern pattern;
        pattern.rows = pattern.cols = 1000;
        for (std::int64_t row = 0; row < pattern.rows; ++row) {
            for (std::int64_t at = 0; at < (row % 2 == 0 ? even : odd); ++at)
                pattern.column_ids.push_back(static_cast<std::int32_t>(at));
            pattern.row_pointers.push_back(pattern.nnz());
        }
        return pattern;
    };
    const CsrPattern equal = rows_of(4, 4);
    const CsrPattern different = rows_of(3, 5);
    const auto of_csr = [](const CsrPattern& pattern) {
        return *ProfiledPattern(pattern).profile(fixed_csr(Operator::SpMV, 1), 1);
    };
    MachineParameters machine = a_server();
    machine[P::Overlap] = 1;
    machine[P::Cores] = machine[P::Threads] = 1;
    const double seldom = simulate(machine, of_csr(equal))[TimeTerm::Compute];
    const double always = simulate(machine, of_csr(different))[TimeTerm::Compute];
    const double exits = 999 * machine[P::MispredictedExit] / machine[P::ClockRate] * 1e-6;
    EXPECT_NEAR(always - seldom, exits, 0.001 * exits);
}

TEST_F(Simulated, WithoutAThirdCacheMemoryIsBehindTheSecond) {
    MachineParameters machine = a_server();
    machine[P::L3Bytes] = 0;
    const SimulatedTime time = simulate(machine, csr_);
    EXPECT_LT(time[TimeTerm::L3Traffic], 1e-9);
    EXPECT_GT(time[TimeTerm::MemoryTraffic], 0);
}

TEST_F(Simulated, AThreadThatAllOthersWaitForIsNotSlowerThanAlone) {
    SuperSchedule serial = fixed_csr(Operator::SpMM, 16);
    serial.chunk = 4096;
    const ScheduleProfile profile = *profiled_.profile(serial, 256);
    MachineParameters alone = a_server();
    alone[P::Cores] = alone[P::Threads] = 1;
    MachineParameters shared = a_server();
    shared[P::Threads] = 2 * shared[P::Cores];
    shared[P::LoneGain] = 1;
    // Its own caches differ in what they hold of the others' lines; instructions alone are compared.
    for (MachineParameters* machine : {&alone, &shared}) {
        (*machine)[P::L2Bandwidth] = 1e9;
        (*machine)[P::L3Bandwidth] = 1e9;
        (*machine)[P::CoreBandwidth] = (*machine)[P::SocketBandwidth] = 1e9;
        (*machine)[P::OutstandingMisses] = 1e9;
        (*machine)[P::RegionCost] = (*machine)[P::ChunkCost] = 1e-9;
    }
    EXPECT_NEAR(simulate(shared, profile).total() / simulate(alone, profile).total(), 1, 0.01);
}

TEST_F(Simulated, OnOneThreadNobodyWaitsForAnother) {
    MachineParameters alone = a_server();
    alone[P::Cores] = alone[P::Threads] = 1;
    EXPECT_EQ(simulate(alone, csr_)[TimeTerm::Imbalance], 0);
}

TEST_F(Simulated, AChunkOfAllRowsKeepsTheOtherCoresWaiting) {
    SuperSchedule serial = fixed_csr(Operator::SpMM, 16);
    serial.chunk = 4096;
    const SimulatedTime time = simulate(a_server(), *profiled_.profile(serial, 256));
    EXPECT_GT(time[TimeTerm::Imbalance], 0.8 * time.total());
}

TEST_F(Simulated, ACoreIsFasterWhileTheOthersWait) {
    SuperSchedule serial = fixed_csr(Operator::SpMM, 16);
    serial.chunk = 4096;
    const ScheduleProfile profile = *profiled_.profile(serial, 256);
    MachineParameters machine = a_server();
    const double before = simulate(machine, profile).total();
    machine[P::LoneGain] *= 2;
    EXPECT_LT(simulate(machine, profile).total(), 0.8 * before);
    EXPECT_NEAR(simulate(machine, csr_).total(), simulate(a_server(), csr_).total(), 0.05 * before);
}

TEST_F(Simulated, OnlyOpenMpOpensARegionForOneChunk) {
    SuperSchedule serial = fixed_csr(Operator::SpMM, 16);
    serial.chunk = 4096;
    const ScheduleProfile profile = *profiled_.profile(serial, 256);
    MachineParameters machine = a_server();
    EXPECT_EQ(simulate(machine, profile)[TimeTerm::Regions], 0);
    machine[P::Accumulators] = 0; // TACO's code
    EXPECT_GT(simulate(machine, profile)[TimeTerm::Regions], 0);
}

TEST_F(Simulated, OneThreadOpensNoRegionsAndKeepsNobodyWaiting) {
    MachineParameters machine = a_server();
    machine[P::Threads] = 1;
    for (const ScheduleProfile& profile : profiles_) {
        const SimulatedTime time = simulate(machine, profile);
        EXPECT_EQ(time[TimeTerm::Regions], 0);
        EXPECT_EQ(time[TimeTerm::Chunks], 0);
        EXPECT_EQ(time[TimeTerm::Imbalance], 0);
    }
}

TEST_F(Simulated, ACoreAloneIsNeverFasterThanAllTogether) {
    MachineParameters machine = a_server();
    machine[P::Cores] = machine[P::Threads] = 2;
    machine[P::LoneGain] = 30;
    for (const ScheduleProfile& profile : profiles_)
        EXPECT_THAT(simulate(machine, profile).parts, testing::Each(testing::Ge(0)));
}

TEST_F(Simulated, ManySmallLastLevelCachesServeCommonDataWorseThanOneLargeOne) {
    MachineParameters one = a_server();
    one[P::L3Bytes] = 2e6;
    one[P::L2Bytes] = 16 << 10;
    MachineParameters many = one;
    many[P::L3Caches] = one[P::Cores];
    for (const ScheduleProfile& profile : profiles_)
        EXPECT_GE(simulate(many, profile)[TimeTerm::MemoryTraffic],
                  simulate(one, profile)[TimeTerm::MemoryTraffic] * (1 - 1e-9));
}

TEST_F(Simulated, MachinesOfAFamilyDisagreeAboutTheWinner) {
    std::set<std::size_t> winners;
    for (const MachineDescription& machine : sample_machines(1, 16))
        winners.insert(winner(resolve_parameters(machine).values));
    EXPECT_GE(winners.size(), 2U);
}

TEST_F(Simulated, TheSimulatorOfDescriptionsSaysTheSame) {
    MachineDescription machine;
    machine.name = "server";
    machine.cores = 16;
    machine.threads = 16;
    const auto data = payload_of(pattern_);
    const auto profile = MechanisticSimulator().profile(
        {.setting = spmm_256, .data = data.get(), .configurations = {&csr, 1}});
    const SimulatedTimes times = profile.value()->times(machine).value();
    const SimulatedTime expected = simulate(a_server(), csr_);
    EXPECT_THAT(times.milliseconds, testing::ElementsAre(expected.total()));
    EXPECT_THAT(times.terms, testing::ElementsAreArray(expected.parts));
    EXPECT_EQ(MechanisticSimulator().terms()[static_cast<std::size_t>(TimeTerm::FillIn)], "fill_in");
}

TEST_F(Simulated, AProfileServesManyMachinesAndOutlivesItsLists) {
    const auto data = payload_of(pattern_);
    std::vector<Configuration> configurations{csr, csr};
    const auto profile =
        MechanisticSimulator()
            .profile({.setting = spmm_256, .data = data.get(), .configurations = configurations})
            .value();
    configurations.clear();
    std::set<double> different;
    for (const MachineDescription& machine : sample_machines(1, 4)) {
        const SimulatedTimes times = profile->times(machine).value();
        ASSERT_EQ(times.milliseconds.size(), 2U);
        EXPECT_EQ(times.milliseconds[0], times.milliseconds[1]);
        different.insert(times.milliseconds[0]);
    }
    EXPECT_EQ(different.size(), 4U);
}

std::vector<double> drawn(double sigma, int count) {
    Random random(3);
    std::vector<double> times;
    for (int n = 0; n < count; ++n)
        times.push_back(noisy_runtime(2.0, sigma, random));
    std::ranges::sort(times);
    return times;
}

TEST(RuntimeNoise, OfNothingIsTheTimeItself) {
    for (const double time : drawn(0, 100))
        EXPECT_EQ(time, 2.0);
}

TEST(RuntimeNoise, LeavesTheMedianNearTheTimeAndHasALongTailAbove) {
    const std::vector<double> times = drawn(0.1, 20'001);
    EXPECT_NEAR(times[10'000], 2.0, 0.05);
    const double below = 2.0 / times[200];    // a hundredth below
    const double above = times[19'800] / 2.0; // and above
    EXPECT_LT(below, 1.4);
    EXPECT_GT(above, 1.8);
    EXPECT_GT(times.front(), 0);
}

} // namespace
} // namespace sparsight

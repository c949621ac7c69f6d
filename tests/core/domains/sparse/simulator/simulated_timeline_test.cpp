#include "domains/sparse/simulator/simulated_timeline.h"

#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "machine/machine_presets.h"
#include "support/timelines.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

class SimulatedTimeline : public ::testing::Test {
protected:
    ThreadTimeline timeline(const char* schedule, int threads = 8) {
        machine[MachineParameter::Threads] = threads;
        machine[MachineParameter::Cores] = threads;
        auto made =
            simulated_timeline(profiled, parse_schedule(Operator::SpMM, schedule).value(), 32, machine);
        EXPECT_TRUE(made) << made.error().text();
        return made.value_or(ThreadTimeline{});
    }
    double simulated_ms(const char* schedule) {
        return simulate(machine,
                        profiled.profile(parse_schedule(Operator::SpMM, schedule).value(), 32).value())
            .total();
    }

    static constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 32";
    static constexpr const char* coarse = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 512";
    static constexpr const char* many_regions = "1 1 1 k1 k0 i1 i0 j1 j0 1 1 1 1 i1 8 32";

    CsrPattern pattern = generate_matrix("power-law", {{"scale", 12}}, 1).value();
    ProfiledPattern profiled{pattern};
    MachineParameters machine = resolve_parameters(find_machine_preset("epyc-7543")->machine).values;
};

TEST_F(SimulatedTimeline, TakesAsLongAsTheSimulationSays) {
    for (const char* schedule : {csr, coarse, many_regions}) {
        const ThreadTimeline made = timeline(schedule);
        expect_whole(made);
        EXPECT_NEAR(static_cast<double>(made.total_ns) * 1e-6, simulated_ms(schedule), 2e-6);
        std::int64_t last = 0;
        for (const ChunkInterval& each : made.intervals)
            last = std::max(last, each.end_ns);
        EXPECT_NEAR(static_cast<double>(last), static_cast<double>(made.total_ns), 2)
            << "the last thread ends with the run";
    }
}

TEST_F(SimulatedTimeline, HasTheImbalanceOfTheSimulatedChunks) {
    const ThreadTimeline made = timeline(coarse);
    const ScheduleProfile profile =
        profiled.profile(parse_schedule(Operator::SpMM, coarse).value(), 32).value();
    EXPECT_NEAR(load_balance(made).imbalance.value(), 1 + profile.balance.excess(8), 1e-3);
    EXPECT_FALSE(load_balance(made).is_even());
    EXPECT_LT(load_balance(timeline(csr)).imbalance.value(), load_balance(made).imbalance.value());
}

TEST_F(SimulatedTimeline, OfSeveralRegionsDoesNotKnowHowLongThreadsWait) {
    const ThreadTimeline made = timeline(many_regions);
    EXPECT_GT(made.regions, 1);
    EXPECT_FALSE(load_balance(made).waiting_ms) << "the simulator knows their chunks together only";
    EXPECT_FALSE(load_balance(made).imbalance);
    const ThreadTimeline one = timeline("1 1 1 k1 k0 i1 i0 j1 j0 1 1 1 1 i1 8 4096");
    EXPECT_GT(one.regions, 1);
    EXPECT_NEAR(load_balance(one).imbalance.value(), 8, 1e-9) << "all chunks are on one thread";
}

TEST_F(SimulatedTimeline, HoldsEveryRowOnce) {
    const ThreadTimeline made = timeline(csr);
    EXPECT_EQ(made.iterations, pattern.rows);
    EXPECT_EQ(made.chunks, (pattern.rows + 31) / 32);
    EXPECT_EQ(place_of(made, made.intervals.front()), (ChunkPlace{1, 32}));
}

TEST_F(SimulatedTimeline, OfOneChunkIsOneThreadThatTheOthersWaitFor) {
    const ThreadTimeline made = timeline("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 4096");
    ASSERT_EQ(made.intervals.size(), 1);
    EXPECT_EQ(made.threads, 8);
    EXPECT_NEAR(load_balance(made).imbalance.value(), 8, 1e-9);
    EXPECT_DOUBLE_EQ(load_balance(made).waiting_ms.value(), load_balance(made).busiest_ms);
}

TEST_F(SimulatedTimeline, MergesChunksWhereThereAreTooManyToDraw) {
    const ThreadTimeline one = timeline("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 1", 3);
    EXPECT_FALSE(one.is_merged()) << "4096 chunks are drawn as they are";
    pattern = generate_matrix("power-law", {{"scale", 14}}, 1).value();
    auto many =
        simulated_timeline(ProfiledPattern(pattern),
                           parse_schedule(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 1").value(),
                           32, machine)
            .value();
    EXPECT_TRUE(many.is_merged());
    EXPECT_LE(std::ssize(many.intervals), most_intervals + many.threads);
    expect_whole(many);
}

TEST(HandOut, GivesEachChunkToTheThreadThatIsFreeFirst) {
    const std::vector<double> work{3, 1, 1, 4};
    const std::vector<ChunkShare> shares = hand_out(work, 2);
    ASSERT_EQ(shares.size(), 4);
    EXPECT_EQ(shares[1].core, shares[2].core);
    EXPECT_EQ(shares[2].begin, 1);
    EXPECT_EQ(shares[3].core, shares[1].core);
    EXPECT_EQ(shares[3].end, 6);
}

} // namespace
} // namespace sparsight

#include "core/domains/sparse/schedule/print_schedule.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <unordered_set>

namespace sparsight {
namespace {

TEST(UniformSampler, DrawsDistinctValidCanonicalSchedules) {
    for (const Operator op : all_operators) {
        Random random(5);
        const auto schedules = sample_uniform(op, extents(op, 4096, 8192, 256), 500, 12, random);
        ASSERT_EQ(schedules.size(), 500U);
        for (const SuperSchedule& schedule : schedules) {
            EXPECT_TRUE(check(schedule)) << to_text(schedule);
            EXPECT_EQ(schedule, canonical(schedule));
            EXPECT_EQ(schedule.threads, 12);
        }
        EXPECT_EQ(std::unordered_set<SuperSchedule>(schedules.begin(), schedules.end()).size(), 500U);
    }
}

TEST(UniformSampler, RepeatsItselfForTheSameSeedOnly) {
    const auto draw = [](std::uint64_t seed) {
        Random random(seed);
        return sample_uniform(Operator::SpMM, extents(Operator::SpMM, 100, 100, 256), 20, 4, random);
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_NE(draw(1), draw(2));
}

TEST(UniformSampler, DrawsTheSameOnEveryMachine) {
    Random random(1);
    const auto schedules =
        sample_uniform(Operator::SpMM, extents(Operator::SpMM, 4096, 8191, 256), 100, 48, random);
    EXPECT_EQ(to_text(schedules.back()), "128 2 64 i1 i0 k1 j1 k0 j0 1 1 0 0 i1 48 8");
}

TEST(UniformSampler, DrawsEveryScheduleEquallyOften) {
    const Extents one_by_one = extents(Operator::SpMV, 1, 1, 1);
    Random random(11);
    std::map<SuperSchedule, int> drawn;
    for (int i = 0; i < 7200; ++i) // five of 72 schedules each time
        for (const SuperSchedule& schedule : sample_uniform(Operator::SpMV, one_by_one, 5, 4, random))
            ++drawn[schedule];
    EXPECT_EQ(drawn.size(), 72U);
    for (const auto& [schedule, times] : drawn)
        EXPECT_NEAR(times, 500, 5 * 22) << to_text(schedule); // five standard deviations
}

TEST(UniformSampler, GivesAllThereIsWhenMoreIsAskedFor) {
    Random random(1);
    const Extents one_by_one = extents(Operator::SpMV, 1, 1, 1);
    const auto schedules = sample_uniform(Operator::SpMV, one_by_one, 1000, 4, random);
    EXPECT_EQ(std::unordered_set<SuperSchedule>(schedules.begin(), schedules.end()).size(), 72U);
    EXPECT_EQ(schedules.size(), 72U);
}

TEST(UniformSampler, GivesNothingWhenNothingIsAskedFor) {
    Random random(1);
    EXPECT_TRUE(sample_uniform(Operator::SpMV, extents(Operator::SpMV, 9, 9, 1), 0, 4, random).empty());
    EXPECT_TRUE(sample_uniform(Operator::SpMV, extents(Operator::SpMV, 9, 9, 1), -3, 4, random).empty());
}

using ::testing::Contains;
using ::testing::IsSubsetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

const Extents square = extents(Operator::SpMM, 64, 64, 256);

TEST(NearSampler, GivesTheNeighboursFirst) {
    const SuperSchedule start = fixed_csr(Operator::SpMM, 4);
    const auto one_step = neighbours(start, square);
    Random random(1);
    const int count = static_cast<int>(one_step.size());
    EXPECT_THAT(sample_near(start, square, count, random), UnorderedElementsAreArray(one_step));
    EXPECT_THAT(sample_near(start, square, 5, random), IsSubsetOf(one_step));
}

TEST(NearSampler, GoesOnWithTheNeighboursOfNeighbours) {
    const SuperSchedule start = fixed_csr(Operator::SpMM, 4);
    const auto one_step = neighbours(start, square);
    Random random(1);
    const auto near = sample_near(start, square, static_cast<int>(one_step.size()) + 10, random);
    EXPECT_THAT(near, Not(Contains(start)));
    for (auto farther = near.begin() + static_cast<std::ptrdiff_t>(one_step.size()); farther != near.end();
         ++farther) {
        EXPECT_THAT(one_step, Not(Contains(*farther)));
        EXPECT_TRUE(std::ranges::any_of(one_step, [&](const SuperSchedule& between) {
            return std::ranges::count(neighbours(between, square), *farther) == 1;
        })) << to_text(*farther);
    }
}

TEST(NearSampler, ReachesTheWholeSpaceAndEnds) {
    Random random(1);
    const auto all =
        sample_near(fixed_csr(Operator::SpMV, 4), extents(Operator::SpMV, 1, 1, 1), 1000, random);
    EXPECT_EQ(all.size(), 71U); // 2 orders, 4 formats, 9 chunks, without the start
    EXPECT_EQ(std::unordered_set<SuperSchedule>(all.begin(), all.end()).size(), all.size());
}

TEST(RandomWalk, TakesOneStepAtATime) {
    Random random(2);
    SuperSchedule here = fixed_csr(Operator::SpMM, 4);
    const auto walk = random_walk(here, square, 200, random);
    ASSERT_EQ(walk.size(), 200U);
    for (const SuperSchedule& next : walk) {
        EXPECT_THAT(neighbours(here, square), Contains(next));
        EXPECT_TRUE(check(next));
        here = next;
    }
}

TEST(RandomWalk, RepeatsItselfForTheSameSeedOnly) {
    const auto walk = [](std::uint64_t seed) {
        Random random(seed);
        return random_walk(fixed_csr(Operator::SpMM, 4), square, 20, random);
    };
    EXPECT_EQ(walk(1), walk(1));
    EXPECT_NE(walk(1), walk(2));
}

} // namespace
} // namespace sparsight

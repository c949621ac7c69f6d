#include "schedule/sampler.h"

#include "core/schedule/print_schedule.h"
#include "schedule/hash.h"
#include "schedule/search_space.h"
#include "schedule/text.h"
#include "schedule/validity.h"

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

} // namespace
} // namespace sparsight

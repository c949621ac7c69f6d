#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_choice.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

const Extents large_extents = extents(Operator::SpMM, 1000, 1000, 256);

TEST(ScheduleChoice, PutsFixedCsrFirstAndOnce) {
    const auto schedules =
        schedules_for(ListedSchedules{{fixed_csr(Operator::SpMM, 48), fixed_csr(Operator::SpMM, 48)}},
                      Operator::SpMM, "a", large_extents, 2);
    EXPECT_EQ(schedules, std::vector{fixed_csr(Operator::SpMM, 2)});
}

TEST(ScheduleChoice, ReplacesTheThreadsOfTheMachineThatTheListWasMadeFor) {
    const auto listed = *parse_schedule(Operator::SpMM, "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8");
    const auto schedules = schedules_for(ListedSchedules{{listed}}, Operator::SpMM, "a", large_extents, 2);
    ASSERT_EQ(schedules.size(), 2U);
    EXPECT_EQ(schedules[1].threads, 2);
}

TEST(ScheduleChoice, DropsSchedulesThatMeanTheSame) {
    const auto one = *parse_schedule(Operator::SpMM, "1 4 16 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 48 8");
    const auto same = *parse_schedule(Operator::SpMM, "1 4 16 i1 k1 j1 k0 i0 j0 1 0 0 1 i1 48 8");
    EXPECT_EQ(schedules_for(ListedSchedules{{one, same}}, Operator::SpMM, "a", large_extents, 2).size(), 2U);
}

TEST(ScheduleChoice, DrawsTheSameForTheSameMatrixAndSeedAndOtherwiseDifferent) {
    const auto draw = [&](std::uint64_t seed, const char* matrix) {
        return schedules_for(SampledSchedules{Sampler::Waco, 100, seed}, Operator::SpMM, matrix, large_extents, 2);
    };
    EXPECT_EQ(draw(1, "a").size(), 101U);
    EXPECT_EQ(draw(1, "a"), draw(1, "a"));
    EXPECT_NE(draw(1, "a"), draw(2, "a"));
    EXPECT_NE(draw(1, "a"), draw(1, "b"));
}

TEST(SamplerNames, RoundTrip) {
    EXPECT_EQ(parse_sampler("waco"), Sampler::Waco);
    EXPECT_EQ(parse_sampler("uniform"), Sampler::Uniform);
    EXPECT_EQ(parse_sampler("random"), std::nullopt);
}

} // namespace
} // namespace sparsight

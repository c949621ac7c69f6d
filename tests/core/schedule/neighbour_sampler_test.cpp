#include "schedule/sampler.h"

#include "core/schedule/print_schedule.h"
#include "schedule/hash.h"
#include "schedule/neighbours.h"
#include "schedule/text.h"
#include "schedule/validity.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <unordered_set>

namespace sparsight {
namespace {

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

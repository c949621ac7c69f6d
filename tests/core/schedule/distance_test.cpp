#include "schedule/distance.h"

#include "schedule/neighbours.h"
#include "schedule/sampler.h"
#include "schedule/text.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

SuperSchedule csr() {
    return canonical(fixed_csr(Operator::SpMM, 2));
}

TEST(DecisionDistance, IsZeroOfTheSameAndTheSameBothWays) {
    Random random(1);
    const auto schedules =
        sample_uniform(Operator::SpMM, extents(Operator::SpMM, 500, 500, 64), 30, 2, random);
    for (const SuperSchedule& one : schedules)
        for (const SuperSchedule& other : schedules) {
            EXPECT_EQ(decision_distance(one, other), decision_distance(other, one));
            EXPECT_EQ(decision_distance(one, other) == 0, one == other);
        }
}

TEST(DecisionDistance, CountsAChunkOrSplitByItsFactorUpToAWholeDecision) {
    SuperSchedule other = csr();
    other.chunk = csr().chunk * 2;
    EXPECT_EQ(decision_distance(csr(), other), 0.25);
    other.chunk = csr().chunk * 16;
    EXPECT_EQ(decision_distance(csr(), other), 1);
    other.chunk = 1;
    EXPECT_EQ(decision_distance(csr(), other), 1) << "32 times apart is no more than another one";
}

TEST(DecisionDistance, CountsLoopsThatStandInAnotherOrderUpToTwoPairs) {
    const auto in_order = [](const char* loops) {
        return *parse_schedule(Operator::SpMM, std::string("1 1 1 ") + loops + " 1 0 0 1 i1 2 32");
    };
    const SuperSchedule ikj = in_order("i1 i0 k1 k0 j1 j0");
    EXPECT_EQ(decision_distance(ikj, in_order("i1 i0 j1 j0 k1 k0")), 1);
    EXPECT_EQ(decision_distance(ikj, in_order("j1 j0 i1 i0 k1 k0")), 2);
    EXPECT_EQ(decision_distance(ikj, in_order("j1 j0 k1 k0 i1 i0")), 2) << "three pairs count as two";
}

TEST(DecisionDistance, OfANeighbourIsLessThanThatOfAStranger) {
    const Extents extents = sparsight::extents(Operator::SpMM, 500, 500, 64);
    Random random(2);
    double near = 0;
    double far = 0;
    for (const SuperSchedule& each : sample_uniform(Operator::SpMM, extents, 20, 2, random)) {
        const auto around = neighbours(each, extents);
        near += decision_distance(each, random.pick(std::span(around)));
        far += decision_distance(each, sample_uniform(Operator::SpMM, extents, 1, 2, random).front());
    }
    EXPECT_LT(near, far / 2);
}

} // namespace
} // namespace sparsight

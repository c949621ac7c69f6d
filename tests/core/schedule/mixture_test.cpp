#include "schedule/mixture.h"
#include "schedule/sampler.h"
#include "schedule/validity.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(Mixture, IsValidAndCanonicalForEveryOperator) {
    for (const Operator op : all_operators) {
        Random random(1);
        const auto parents = sample_uniform(op, extents(op, 500, 300, 64), 40, 2, random);
        int children = 0;
        for (std::size_t at = 0; at + 1 < parents.size(); ++at)
            if (const auto child = mixture(parents[at], parents[at + 1], random)) {
                ++children;
                EXPECT_TRUE(check(*child).has_value());
                EXPECT_EQ(*child, canonical(*child));
            }
        EXPECT_GT(children, 5) << name(op);
    }
}

TEST(Mixture, HasEachSplitAndTheChunkFromOneOfTheTwo) {
    Random random(2);
    const auto parents = sample_uniform(Operator::SpMV, extents(Operator::SpMV, 500, 300, 1), 60, 2, random);
    for (std::size_t at = 0; at + 1 < parents.size(); ++at) {
        const SuperSchedule& one = parents[at];
        const SuperSchedule& other = parents[at + 1];
        const auto child = mixture(one, other, random);
        if (!child)
            continue;
        for (std::size_t index = 0; index < index_count; ++index)
            EXPECT_TRUE(child->splits[index] == one.splits[index] ||
                        child->splits[index] == other.splits[index]);
        EXPECT_TRUE(child->chunk == one.chunk || child->chunk == other.chunk);
    }
}

TEST(Mixture, OfOneScheduleWithItselfIsThatSchedule) {
    Random random(3);
    const SuperSchedule fixed = canonical(fixed_csr(Operator::SpMM, 2));
    EXPECT_EQ(mixture(fixed, fixed, random), fixed);
}

} // namespace
} // namespace sparsight

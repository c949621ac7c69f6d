#include "schedule/designed.h"

#include "schedule/hash.h"
#include "schedule/text.h"
#include "schedule/validity.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <unordered_set>

namespace sparsight {
namespace {

bool has(const std::vector<SuperSchedule>& designs, Operator op, const char* text) {
    const SuperSchedule schedule = canonical(*parse_schedule(op, text));
    return std::ranges::find(designs, schedule) != designs.end();
}

TEST(DesignedSchedules, AreValidCanonicalAndEachMeansSomethingElse) {
    for (const Operator op : all_operators) {
        const auto designs = designed_schedules(op, extents(op, 5000, 3000, 256), 2);
        EXPECT_GT(designs.size(), 100U) << name(op);
        EXPECT_LT(designs.size(), 3000U) << name(op);
        EXPECT_EQ(std::unordered_set(designs.begin(), designs.end()).size(), designs.size());
        for (const SuperSchedule& design : designs) {
            EXPECT_TRUE(check(design).has_value()) << to_text(design);
            EXPECT_EQ(canonical(design), design) << to_text(design);
            EXPECT_FALSE(is_fixed_csr(design));
            EXPECT_EQ(design.threads, 2);
        }
    }
}

TEST(DesignedSchedules, KnowRowPanelsRegisterBlocksAndCacheBlocks) {
    const auto designs = designed_schedules(Operator::SpMM, extents(Operator::SpMM, 5000, 3000, 256), 2);
    EXPECT_TRUE(has(designs, Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 128")) << "larger chunks";
    EXPECT_TRUE(has(designs, Operator::SpMM, "4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 2 8")) << "rows innermost";
    EXPECT_TRUE(has(designs, Operator::SpMM, "4 4 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 2 8")) << "dense blocks";
    EXPECT_TRUE(has(designs, Operator::SpMM, "256 128 1 i1 k1 i0 k0 j1 j0 1 1 1 0 i1 2 2")) << "panels";
    EXPECT_TRUE(has(designs, Operator::SpMM, "16 1 64 i1 j1 i0 k1 k0 j0 1 1 0 1 i1 2 8")) << "strips";
}

TEST(DesignedSchedules, SplitNothingThatASmallerSplitCovers) {
    for (const SuperSchedule& design :
         designed_schedules(Operator::SpMM, extents(Operator::SpMM, 20, 10, 32), 2)) {
        EXPECT_LT(design.split(Index::I), 20);
        EXPECT_LT(design.split(Index::K), 10);
        EXPECT_LT(design.split(Index::J), 32);
    }
}

} // namespace
} // namespace sparsight

#include "schedule/super_schedule.h"

#include "core/schedule/print_schedule.h"
#include "schedule/text.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

SuperSchedule schedule(Operator op, std::string_view text) {
    return parse_schedule(op, text).value();
}

std::string canonical_text(Operator op, std::string_view text) {
    return to_text(canonical(schedule(op, text)));
}

TEST(SuperSchedule, LoopsAreNamedByIndexAndPart) {
    EXPECT_EQ(name(LoopIndex{Index::I, Part::Outer}), "i1");
    EXPECT_EQ(name(LoopIndex{Index::K, Part::Inner}), "k0");
}

TEST(SuperSchedule, HasNoInnerLoopWhereTheIndexIsNotSplit) {
    const SuperSchedule spmm = schedule(Operator::SpMM, "4 1 2 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 32");
    EXPECT_TRUE(spmm.has({Index::I, Part::Inner}));
    EXPECT_FALSE(spmm.has({Index::K, Part::Inner}));
    EXPECT_TRUE(spmm.has({Index::K, Part::Outer}));
}

TEST(Canonical, PutsTheInnerLoopOfAnUnsplitIndexDirectlyInsideItsOuterLoopAndUncompressed) {
    EXPECT_EQ(canonical_text(Operator::SpMM, "4 1 2 k0 i1 k1 j1 i0 j0 1 1 0 0 i1 48 32"),
              "4 1 2 i1 k1 k0 j1 i0 j0 1 1 0 1 i1 48 32");
    EXPECT_EQ(canonical_text(Operator::SpMV, "1 1 k1 i1 i0 k0 1 0 0 0 i1 48 32"),
              "1 1 k1 k0 i1 i0 1 1 0 1 i1 48 32");
    EXPECT_EQ(canonical_text(Operator::SDDMM, "2 1 1 i1 j1 k1 i0 j0 k0 1 0 0 0 j1 48 32"),
              "2 1 1 i1 j1 j0 k1 k0 i0 1 0 0 1 j1 48 32");
}

TEST(Canonical, LeavesAScheduleAloneThatSplitsEveryIndex) {
    const std::string text = "4 2 8 i1 k1 j1 i0 k0 j0 0 0 0 0 i1 48 32";
    EXPECT_EQ(canonical_text(Operator::SpMM, text), text);
}

TEST(Canonical, IsEqualExactlyWhereOnlyAnUnsplitIndexsInnerNameDiffers) {
    const auto base = schedule(Operator::SpMM, "4 1 2 i1 k1 k0 j1 i0 j0 1 1 0 1 i1 48 32");
    const auto same = schedule(Operator::SpMM, "4 1 2 i1 k1 j1 i0 k0 j0 1 1 0 0 i1 48 32");
    const auto other = schedule(Operator::SpMM, "4 1 2 i1 j1 k1 i0 k0 j0 1 1 0 0 i1 48 32");
    EXPECT_NE(base, same);
    EXPECT_EQ(canonical(base), canonical(same));
    EXPECT_NE(canonical(base), canonical(other));
}

TEST(Canonical, ForgetsWhatStandsBehindTheLoopsOfAnOperatorThatHasFewer) {
    SuperSchedule left = fixed_csr(Operator::SpMV, 4);
    const SuperSchedule right = left;
    left.order[5] = {Index::J, Part::Inner};
    EXPECT_EQ(canonical(left), canonical(right));
}

TEST(FixedCsr, IsWacosBaseline) {
    EXPECT_EQ(to_text(fixed_csr(Operator::SpMM, 48)), "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32");
    EXPECT_EQ(to_text(fixed_csr(Operator::SpMV, 2)), "1 1 i1 i0 k1 k0 1 1 0 1 i1 2 32");
    EXPECT_EQ(to_text(fixed_csr(Operator::SDDMM, 2)), "1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 2 32");
}

TEST(FixedCsr, IsCanonical) {
    for (const Operator op : all_operators)
        EXPECT_EQ(canonical(fixed_csr(op, 8)), fixed_csr(op, 8));
}

} // namespace
} // namespace sparsight

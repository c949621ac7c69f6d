#include "drafts.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::order_of;
using testing::spmm_draft;

TEST(ScheduleDraft, CountsHowOftenALoopRuns) {
    const ScheduleDraft draft = spmm_draft();
    EXPECT_EQ(iterations(draft, QStringLiteral("i1")), 250);
    EXPECT_EQ(iterations(draft, QStringLiteral("i0")), 4);
    EXPECT_EQ(iterations(draft, QStringLiteral("k1")), 2000);
    EXPECT_EQ(iterations(draft, QStringLiteral("x1")), 0);
    ScheduleDraft uneven = draft;
    set_split(uneven, u'i', 3);
    EXPECT_EQ(iterations(uneven, QStringLiteral("i1")), 334);
}

TEST(ScheduleDraft, HasTheInnerLoopOfSplitIndicesOnly) {
    const ScheduleDraft draft = spmm_draft();
    EXPECT_TRUE(has_loop(draft, QStringLiteral("i0")));
    EXPECT_TRUE(has_loop(draft, QStringLiteral("k1")));
    EXPECT_FALSE(has_loop(draft, QStringLiteral("k0")));
    EXPECT_FALSE(has_loop(draft, QStringLiteral("z1")));
}

TEST(ScheduleDraft, MovesALoopToAPlaceCountedWithoutIt) {
    ScheduleDraft draft = spmm_draft();
    move_loop(draft, QStringLiteral("i1"), 2);
    EXPECT_EQ(order_of(draft), "k1 i0 i1 k0 j1 j0");
    move_loop(draft, QStringLiteral("j0"), 0);
    EXPECT_EQ(order_of(draft), "j0 k1 i0 i1 k0 j1");
    move_loop(draft, QStringLiteral("j0"), 99);
    EXPECT_EQ(order_of(draft), "k1 i0 i1 k0 j1 j0");
}

TEST(ScheduleDraft, PutsAnInnerLoopThatAppearsInsideItsOuterLoop) {
    ScheduleDraft draft = spmm_draft();
    move_loop(draft, QStringLiteral("k0"), 0);
    EXPECT_EQ(order_of(draft), "k0 i1 k1 i0 j1 j0");
    set_split(draft, u'k', 16);
    EXPECT_EQ(order_of(draft), "i1 k1 k0 i0 j1 j0");
    EXPECT_TRUE(has_loop(draft, QStringLiteral("k0")));
}

TEST(ScheduleDraft, KeepsAnInnerLoopThatAlreadyStandsInside) {
    ScheduleDraft draft = spmm_draft();
    set_split(draft, u'k', 16);
    EXPECT_EQ(order_of(draft), "i1 k1 i0 k0 j1 j0");
}

TEST(ScheduleDraft, FlipsTheFormatsOfLevelsOnly) {
    ScheduleDraft draft = spmm_draft();
    flip_format(draft, QStringLiteral("k1"));
    EXPECT_EQ(draft.formats[QStringLiteral("k1")], DraftFormat::Uncompressed);
    flip_format(draft, QStringLiteral("j1"));
    EXPECT_FALSE(draft.formats.contains(QStringLiteral("j1")));
}

TEST(ScheduleDraft, SaysWhatALoopWalksOver) {
    const ScheduleDraft draft = spmm_draft();
    EXPECT_EQ(loop_meaning(draft, QStringLiteral("i1")), QStringLiteral("row blocks"));
    EXPECT_EQ(loop_meaning(draft, QStringLiteral("i0")), QStringLiteral("within a block"));
    EXPECT_EQ(loop_meaning(draft, QStringLiteral("k1")), QStringLiteral("columns"));
    EXPECT_EQ(loop_meaning(draft, QStringLiteral("k0")), QStringLiteral("not split"));
}

} // namespace
} // namespace sparsight

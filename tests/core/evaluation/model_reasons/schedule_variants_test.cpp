#include "evaluation/model_reasons/schedule_variants.h"

#include "schedule/text.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

SuperSchedule spmm(const char* text) {
    return canonical(*parse_schedule(Operator::SpMM, text));
}

TEST(ScheduleVariants, ASplitThatAppearsChangesNothingElse) {
    const SuperSchedule schedule = spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32");
    // Others split k, too, and keep its inner loop elsewhere, in other formats.
    const std::vector others{spmm("1 8 1 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 2 32"),
                             spmm("1 64 1 i1 k1 i0 j1 k0 j0 1 1 1 0 i1 2 8")};
    const ScheduleVariants variants(schedule, others, ReasonSubject::Schedule);
    const auto curve = variants.one_changed({DecisionKind::Split, {Index::K, Part::Outer}});
    ASSERT_EQ(curve.size(), 3U);
    EXPECT_EQ(curve[0], schedule);
    EXPECT_EQ(curve[1], spmm("1 8 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    EXPECT_EQ(curve[2], spmm("1 64 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
}

} // namespace
} // namespace sparsight

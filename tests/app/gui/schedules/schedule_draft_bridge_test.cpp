#include "gui/schedules/schedule_draft_bridge.h"

#include "base/random.h"
#include "schedule/sampler.h"
#include "schedule/text.h"
#include "schedule/validity.h"
#include "support/shared_data.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

TEST(ScheduleDraftBridge, BringsSchedulesOfEveryOperatorBackAsTheyWere) {
    Random random(3);
    for (const Operator op : all_operators) {
        const Extents size = extents(op, 1000, 3000, 256);
        for (const SuperSchedule& schedule :
             sample_waco(op, size, 200, 12, random, FreeSplits::UpToDimension)) {
            const auto back = written_schedule(draft_of(schedule, size));
            ASSERT_TRUE(back) << back.error().text();
            EXPECT_EQ(*back, schedule) << to_text(schedule);
            const auto valid = valid_schedule(draft_of(schedule, size));
            ASSERT_TRUE(valid) << valid.error().text();
            EXPECT_EQ(*valid, canonical(schedule));
        }
    }
}

TEST(ScheduleDraftBridge, BringsRecordedSchedulesBack) {
    SPARSIGHT_NEEDS_SHARED("waco/original/SpMM/Trec6_16x16_9.txt");
    const auto schedules =
        read_schedules(Operator::SpMM, testing::shared_path("waco/original/SpMM/Trec6_16x16_9.txt"));
    ASSERT_TRUE(schedules) << schedules.error().text();
    const ScheduleKnowledge knowledge = schedule_knowledge();
    for (const SuperSchedule& schedule : *schedules) {
        const ScheduleDraft draft = draft_of(schedule, extents(schedule.op, 100, 100, 256));
        EXPECT_EQ(knowledge.to_text(draft).toStdString(), to_text(schedule));
        EXPECT_EQ(knowledge.reason_against(draft), QString());
        EXPECT_FALSE(knowledge.describe(draft).isEmpty());
    }
}

TEST(ScheduleDraftBridge, NamesWhatEachIndexCounts) {
    const ScheduleDraft draft = draft_of(fixed_csr(Operator::SpMM, 4), extents(Operator::SpMM, 10, 20, 30));
    ASSERT_EQ(draft.indices.size(), 3U);
    EXPECT_EQ(draft.indices[0], (DraftIndex{u'i', QStringLiteral("row"), QStringLiteral("rows"), 1, 10}));
    EXPECT_EQ(draft.indices[1].extent, 20);
    EXPECT_EQ(draft.indices[2].extent, 30);
    EXPECT_EQ(draft.formats.size(), 4U) << "the dense index has no format";
    EXPECT_FALSE(draft.formats.contains(QStringLiteral("j1")));
    EXPECT_EQ(draft.may_be_parallel, QStringList{QStringLiteral("i1")});
    EXPECT_EQ(draft_of(fixed_csr(Operator::SDDMM, 4), {}).may_be_parallel,
              (QStringList{QStringLiteral("i1"), QStringLiteral("j1")}));
}

TEST(ScheduleDraftBridge, GivesTheEnginesReasonAgainstADraft) {
    const ScheduleKnowledge knowledge = schedule_knowledge();
    ScheduleDraft draft = draft_of(fixed_csr(Operator::SpMV, 4), extents(Operator::SpMV, 10, 20, 1));
    set_split(draft, u'i', 4);
    move_loop(draft, QStringLiteral("i0"), 0);
    EXPECT_THAT(knowledge.reason_against(draft).toStdString(), HasSubstr("i0 stands before i1"));
    EXPECT_EQ(knowledge.describe(draft), QString());
    EXPECT_FALSE(valid_schedule(draft));
    EXPECT_TRUE(written_schedule(draft)) << "what is not valid can still be written";
    EXPECT_EQ(knowledge.to_text(draft), QStringLiteral("4 1 i0 i1 k1 k0 1 1 0 1 i1 4 32"));
}

TEST(ScheduleDraftBridge, RefusesADraftOfNoOperatorOrWithForeignLoops) {
    EXPECT_FALSE(written_schedule({}));
    ScheduleDraft draft = draft_of(fixed_csr(Operator::SpMV, 4), {});
    draft.order[0] = QStringLiteral("j1");
    const auto foreign = written_schedule(draft);
    ASSERT_FALSE(foreign);
    EXPECT_THAT(foreign.error().message, HasSubstr("spmv has no loop j1"));
    draft.order.removeFirst();
    EXPECT_FALSE(written_schedule(draft));
}

TEST(ScheduleDraftBridge, ReadsATextForTheSameMatrix) {
    const ScheduleKnowledge knowledge = schedule_knowledge();
    const ScheduleDraft like = draft_of(fixed_csr(Operator::SpMM, 4), extents(Operator::SpMM, 10, 20, 30));
    const auto read = knowledge.parse(like, QStringLiteral("4 2 8 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 8 16"));
    ASSERT_TRUE(read) << read.error().toStdString();
    EXPECT_EQ(read->indices[1].split, 2);
    EXPECT_EQ(read->indices[1].extent, 20);
    EXPECT_EQ(read->chunk, 16);
    const auto wrong = knowledge.parse(like, QStringLiteral("4 2 8 i1"));
    ASSERT_FALSE(wrong);
    EXPECT_FALSE(wrong.error().isEmpty());
}

} // namespace
} // namespace sparsight

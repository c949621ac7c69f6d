#include "store/rematches.h"

#include "store/sqlite.h"

#include "store_fixture.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using testing::numbered_schedule;

class RematchesTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    RunId run_ = must(start_run(workspace_, "evaluate", "{}"));
    MatrixId matrix_ = must(add_matrix_name(workspace_, "a", ""));
    const std::vector<RematchTime> times_{{numbered_schedule(1, Operator::SpMM), {2, 2.5, 0.5}},
                                          {numbered_schedule(2, Operator::SpMM), {1, 0.75, 9}}};
};

TEST_F(RematchesTest, AreListedWithTheTimeOfEveryTurnTheShortestMedianFirst) {
    EXPECT_THAT(must(list_rematch(workspace_, run_, matrix_)), IsEmpty());
    must(record_rematch(workspace_, run_, matrix_, times_));
    EXPECT_EQ(must(list_rematch(workspace_, run_, matrix_)), (std::vector{times_[1], times_[0]}));
}

TEST_F(RematchesTest, WhatHasNoTimeIsListedBehindAllOthersWithTheReason) {
    std::vector<RematchTime> times = times_;
    times.push_back({numbered_schedule(3, Operator::SpMM), {}, "7 GiB of memory are not there"});
    must(record_rematch(workspace_, run_, matrix_, times));
    EXPECT_EQ(must(list_rematch(workspace_, run_, matrix_)), (std::vector{times_[1], times_[0], times[2]}));
}

TEST_F(RematchesTest, ARematchReplacesTheOneBeforeIt) {
    must(record_rematch(workspace_, run_, matrix_, times_));
    must(record_rematch(workspace_, run_, matrix_, std::span(times_).first(1)));
    EXPECT_EQ(must(list_rematch(workspace_, run_, matrix_)), std::vector{times_[0]});
}

TEST_F(RematchesTest, BelongToTheirRunAndMatrix) {
    const RunId other_run = must(start_run(workspace_, "evaluate", "{}"));
    const MatrixId other_matrix = must(add_matrix_name(workspace_, "b", ""));
    must(record_rematch(workspace_, run_, matrix_, times_));
    EXPECT_THAT(must(list_rematch(workspace_, other_run, matrix_)), IsEmpty());
    EXPECT_THAT(must(list_rematch(workspace_, run_, other_matrix)), IsEmpty());
}

TEST_F(RematchesTest, AScheduleThatCantBeReadIsNamedWithItsFile) {
    must(record_rematch(workspace_, run_, matrix_, times_));
    must(workspace_.database().run("UPDATE schedules SET text = 'nonsense ' || id"));
    EXPECT_THAT(error_text(list_rematch(workspace_, run_, matrix_)), HasSubstr("nonsense"));
    EXPECT_THAT(error_text(list_rematch(workspace_, run_, matrix_)), HasSubstr(file().string()));
}

} // namespace
} // namespace sparsight

#include "domains/sparse/storage/schedules.h"
#include "store/sqlite.h"
#include "store_fixture.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using testing::numbered_schedule;

class ChoicesTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    RunId run_ = must(start_run(workspace_, "evaluate", "{}"));
    WorkloadId matrix_ = must(add_matrix_name(workspace_, "a", ""));
    ModelId model_ = must(add_model(workspace_, {"meta", {}, {}, "{}"}, {}));
    const std::vector<ChosenSchedule> chosen_{{numbered_schedule(1), -2.5},
                                              {numbered_schedule(2, Operator::SpMM), -1}};
};

TEST_F(ChoicesTest, AreKeptInTheirOrder) {
    EXPECT_THAT(must(list_choices(workspace_, run_, model_, matrix_)), IsEmpty());
    must(record_choices(workspace_, run_, model_, matrix_, chosen_));
    EXPECT_EQ(must(list_choices(workspace_, run_, model_, matrix_)), chosen_);
    EXPECT_EQ(must(list_choices(workspace_, run_)),
              (std::vector<ModelChoice>{{model_, matrix_, 1, chosen_[0]}, {model_, matrix_, 2, chosen_[1]}}));
}

TEST_F(ChoicesTest, ChoosingAgainReplacesAllOfThem) {
    must(record_choices(workspace_, run_, model_, matrix_, chosen_));
    const std::vector<ChosenSchedule> other{{numbered_schedule(3), 7}};
    must(record_choices(workspace_, run_, model_, matrix_, other));
    EXPECT_EQ(must(list_choices(workspace_, run_, model_, matrix_)), other);
}

TEST_F(ChoicesTest, AScoreMayBeMissing) {
    const std::vector<ChosenSchedule> fixed{
        {fixed_csr(Operator::SpMV, 2), std::numeric_limits<double>::quiet_NaN()}};
    must(record_choices(workspace_, run_, model_, matrix_, fixed));
    const auto stored = must(list_choices(workspace_, run_, model_, matrix_));
    ASSERT_EQ(stored.size(), 1U);
    EXPECT_EQ(stored[0].schedule, fixed[0].schedule);
    EXPECT_TRUE(std::isnan(stored[0].score));
}

TEST_F(ChoicesTest, BelongToTheirRunModelAndMatrix) {
    const RunId other_run = must(start_run(workspace_, "evaluate", "{}"));
    const ModelId trees = must(add_model(workspace_, {"trees", {}, {}, "{}"}, {}));
    const WorkloadId other_matrix = must(add_matrix_name(workspace_, "b", ""));
    must(record_choices(workspace_, run_, model_, matrix_, chosen_));
    must(record_choices(workspace_, run_, trees, matrix_, std::span(chosen_).first(1)));
    must(record_choices(workspace_, run_, model_, other_matrix, std::span(chosen_).last(1)));
    must(record_choices(workspace_, other_run, model_, matrix_, std::vector<ChosenSchedule>{}));
    EXPECT_EQ(must(list_choices(workspace_, run_)).size(), 4U);
    EXPECT_THAT(must(list_choices(workspace_, other_run)), IsEmpty());

    must(remove_model(workspace_, trees));
    EXPECT_EQ(must(list_choices(workspace_, run_)).size(), 3U);
    must(remove_workload(workspace_, other_matrix));
    EXPECT_EQ(must(list_choices(workspace_, run_)).size(), 2U);
}

TEST_F(ChoicesTest, AreNotKeptInPart) {
    EXPECT_THAT(error_text(record_choices(workspace_, run_, ModelId{99}, matrix_, chosen_)),
                HasSubstr("FOREIGN KEY"));
    EXPECT_THAT(must(list_choices(workspace_, run_)), IsEmpty());
}

class RematchesTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    RunId run_ = must(start_run(workspace_, "evaluate", "{}"));
    WorkloadId matrix_ = must(add_matrix_name(workspace_, "a", ""));
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
    const WorkloadId other_matrix = must(add_matrix_name(workspace_, "b", ""));
    must(record_rematch(workspace_, run_, matrix_, times_));
    EXPECT_THAT(must(list_rematch(workspace_, other_run, matrix_)), IsEmpty());
    EXPECT_THAT(must(list_rematch(workspace_, run_, other_matrix)), IsEmpty());
}

TEST_F(RematchesTest, AScheduleThatCantBeReadIsNamedWithItsFile) {
    must(record_rematch(workspace_, run_, matrix_, times_));
    must(workspace_.database().run("UPDATE configurations SET text = 'nonsense ' || id"));
    EXPECT_THAT(error_text(list_rematch(workspace_, run_, matrix_)), HasSubstr("nonsense"));
    EXPECT_THAT(error_text(list_rematch(workspace_, run_, matrix_)), HasSubstr(file().string()));
}

} // namespace
} // namespace sparsight

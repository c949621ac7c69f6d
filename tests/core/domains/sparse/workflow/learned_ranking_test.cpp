#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/explanation/what_if_study.h"
#include "workflow/explanation/learned_times.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PredictedTimes told_by(bool tells_times) {
    PredictedTime slow{.configuration = "a", .score = 1, .simulated_ms = 2, .learned_ms = 6};
    PredictedTime fast{.configuration = "b", .score = 0, .simulated_ms = 1, .learned_ms = 2};
    return {"gray", "here", tells_times, {{"cage8", true, {slow, fast}}}};
}

TEST(LearnedRanking, IsOfTimesWhereTheModelTellsThemElseOfItsScores) {
    const auto times = learned_ranking(told_by(true), 2);
    ASSERT_TRUE(times) << times.error().text();
    EXPECT_THAT(times->ranking.milliseconds, ElementsAre(6, 2));
    const auto scores = learned_ranking(told_by(false), 2);
    ASSERT_TRUE(scores) << scores.error().text();
    EXPECT_THAT(scores->ranking.milliseconds, ElementsAre(std::exp(1.0), 1));
}

TEST(LearnedRanking, NeedsATimeOfEachSchedule) {
    const auto fewer = learned_ranking(told_by(true), 3);
    ASSERT_FALSE(fewer);
    EXPECT_EQ(fewer.error().message, "gray was asked about 3 schedules, and the answer is about 2");
    for (const std::size_t matrices : {std::size_t{0}, std::size_t{2}}) {
        PredictedTimes told = told_by(true);
        told.workloads.resize(matrices, told.workloads.front());
        const auto ranked = learned_ranking(told, 2);
        ASSERT_FALSE(ranked);
        EXPECT_THAT(ranked.error().message, HasSubstr("asked about one matrix"));
    }
}

TEST(LearnedTimes, AreThoseThatWereAskedFor) {
    LearnedTimesQuestion question{
        .workspace = {}, .model = "gray", .machine = {}, .setting = {}, .pairs = {}};
    question.pairs = {{"cage8", "a"}, {"cage8", "b"}};
    EXPECT_TRUE(check_answer(question, told_by(true), sparse_words()));
    question.pairs.back().second = "c";
    const auto other = check_answer(question, told_by(true), sparse_words());
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message, "the answer of gray leaves out c on cage8");
    question.pairs.pop_back();
    const auto more = check_answer(question, told_by(true), sparse_words());
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().message, "gray was asked about 1 schedule, and the answer is about 2");
}

} // namespace
} // namespace sparsight

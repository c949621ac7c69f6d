#include "learn/serving/request_queue.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// "3 answer", "1 superseded_by 3", "null error: …"
std::string short_form(const Json& answer) {
    const std::string id = answer["id"].dump();
    EXPECT_EQ(answer["version"], serving_version);
    if (answer.contains("answer"))
        return id + " answer " + answer["answer"].dump();
    if (answer.contains("superseded_by"))
        return id + " superseded by " + answer["superseded_by"].dump();
    return fmt::format("{} {}: {}", id, answer["error"]["fault"].get<std::string>(),
                       answer["error"]["message"].get<std::string>());
}

class Queue : public ::testing::Test {
protected:
    void add(const std::string& members) { queue_.add(R"({"version": 1, )" + members + "}"); }
    std::vector<std::string> told() { return std::exchange(told_, {}); }

    std::vector<std::string> told_;
    RequestQueue queue_{[this](const Json& answer) { told_.push_back(short_form(answer)); }};
};

TEST_F(Queue, AnswersInTheOrderOfQuestions) {
    add(R"("id": 1, "ask": "load")");
    add(R"("id": "two", "ask": "predict")");
    for (const char* const expected : {"load", "predict"}) {
        const auto turn = queue_.next();
        ASSERT_TRUE(turn);
        EXPECT_EQ(turn->question.ask, expected);
        queue_.finish(Json(expected));
    }
    EXPECT_THAT(told(), ElementsAre(R"(1 answer "load")", R"("two" answer "predict")"));
}

TEST_F(Queue, RefusesALineThatIsNoQuestionAndGoesOn) {
    for (const char* const line :
         {"not JSON", "[1]", "{\"id\": 1}", R"({"version": 2, "id": 7, "ask": "load"})",
          R"({"version": 1, "ask": "load"})", R"({"version": 1, "id": 3, "ask": 4})"})
        queue_.add(line);
    queue_.add("  ");
    EXPECT_THAT(told(), ElementsAre("null input: the line is no JSON object, expected a question",
                                    "null input: the line is no JSON object, expected a question",
                                    "1 input: \"version\" is missing, expected 1",
                                    "7 input: \"version\" is 2, expected 1",
                                    "null input: \"id\" is missing, expected a whole number or text",
                                    "3 input: \"ask\" is 4, expected text"));
    add(R"("id": 8, "ask": "load")");
    EXPECT_EQ(queue_.next()->question.id, 8);
}

TEST_F(Queue, DropsAWaitingQuestionForANewerOneOfItsKey) {
    add(R"("id": 1, "ask": "predict", "key": "a")");
    add(R"("id": 2, "ask": "predict", "key": "b")");
    add(R"("id": 3, "ask": "predict", "key": "a")");
    EXPECT_THAT(told(), ElementsAre("1 superseded by 3"));
    EXPECT_EQ(queue_.next()->question.id, 2);
    queue_.finish(Json(0));
    EXPECT_EQ(queue_.next()->question.id, 3);
}

TEST_F(Queue, StopsTheQuestionInWorkForANewerOneAndDropsItsAnswer) {
    add(R"("id": 1, "ask": "predict", "key": "a")");
    const auto turn = queue_.next();
    EXPECT_FALSE(turn->stop.stop_requested());
    add(R"("id": 2, "ask": "predict", "key": "a")");
    EXPECT_TRUE(turn->stop.stop_requested());
    EXPECT_THAT(told(), IsEmpty());
    queue_.finish(Json("too late"));
    EXPECT_THAT(told(), ElementsAre("1 superseded by 2"));
    EXPECT_FALSE(queue_.next()->stop.stop_requested()) << "the newer one is answered";
}

TEST_F(Queue, QuestionsWithoutAKeyDoNotReplaceEachOther) {
    add(R"("id": 1, "ask": "predict")");
    add(R"("id": 2, "ask": "predict")");
    EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Queue, CancelsWhatWaitsWhatIsInWorkAndNothingElse) {
    add(R"("id": 1, "ask": "predict")");
    add(R"("id": 2, "ask": "predict")");
    const auto turn = queue_.next();
    add(R"("id": 3, "ask": "cancel", "request": 2)");
    EXPECT_THAT(told(), ElementsAre("2 cancelled: cancelled", R"(3 answer {"cancelled":true})"));
    add(R"("id": 4, "ask": "cancel", "request": 1)");
    EXPECT_TRUE(turn->stop.stop_requested());
    queue_.finish(Json("too late"));
    EXPECT_THAT(told(), ElementsAre(R"(4 answer {"cancelled":true})", "1 cancelled: cancelled"));
    add(R"("id": 5, "ask": "cancel", "request": 99)");
    add(R"("id": 6, "ask": "cancel")");
    EXPECT_THAT(told(), ElementsAre(R"(5 answer {"cancelled":false})",
                                    "6 input: \"request\" is missing, expected the id of a question"));
}

TEST_F(Queue, RefusesMoreThanAThousandThatWait) {
    for (int id = 0; id < 1000; ++id)
        add(fmt::format(R"("id": {}, "ask": "predict")", id));
    EXPECT_THAT(told(), IsEmpty());
    add(R"("id": 1000, "ask": "predict")");
    EXPECT_THAT(told(), ElementsAre(HasSubstr("1000 limit: 1000 questions wait already")));
}

TEST_F(Queue, AnswersWhatWasAskedBeforeTheInputEnded) {
    add(R"("id": 1, "ask": "predict")");
    queue_.close();
    EXPECT_TRUE(queue_.next());
    queue_.finish(Json(1));
    EXPECT_FALSE(queue_.next());
}

} // namespace
} // namespace sparsight

// Questions that come faster than answers.
#include "gui/workspace/newest_answer.h"

#include "support/wait_until.h"

#include <QCoreApplication>
#include <atomic>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::wait_until;

/// A question that is answered when the test says so, unless it is asked to stop.
class Gate {
public:
    void open() { opened_->store(true); }
    [[nodiscard]] bool is_begun() const { return begun_->load(); }
    [[nodiscard]] std::function<int(const std::stop_token&)> answering(int answer) const {
        return [opened = opened_, begun = begun_, answer](const std::stop_token& stop) {
            begun->store(true);
            while (!opened->load() && !stop.stop_requested())
                std::this_thread::yield();
            return stop.stop_requested() ? -answer : answer;
        };
    }

private:
    std::shared_ptr<std::atomic<bool>> opened_ = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<std::atomic<bool>> begun_ = std::make_shared<std::atomic<bool>>(false);
};

class NewestAnswerTest : public ::testing::Test {
protected:
    [[nodiscard]] std::function<void(int, bool)> note() {
        return [this](int answer, bool is_newest) {
            answers_.push_back(answer);
            newest_.push_back(is_newest);
        };
    }
    [[nodiscard]] bool is_settled() {
        return wait_until([this] { return !asked_.is_busy(); });
    }

    int argc_ = 0;
    QCoreApplication application_{argc_, nullptr};
    QObject receiver_;
    std::vector<int> answers_;
    std::vector<bool> newest_;
    NewestAnswer<int> asked_{&receiver_};
};

TEST_F(NewestAnswerTest, AWaitingQuestionCanBeDropped) {
    Gate first;
    Gate second;
    asked_.ask(first.answering(1), note());
    ASSERT_TRUE(wait_until([&] { return first.is_begun(); }));
    asked_.ask(second.answering(2), note());
    asked_.drop_waiting();
    first.open();
    ASSERT_TRUE(is_settled());
    EXPECT_EQ(answers_.size(), 1U);
    EXPECT_THAT(newest_, ElementsAre(true));
    EXPECT_FALSE(second.is_begun());
}

TEST_F(NewestAnswerTest, AnswersASingleQuestion) {
    EXPECT_FALSE(asked_.is_busy());
    asked_.ask([](const std::stop_token&) { return 7; }, note());
    EXPECT_TRUE(asked_.is_busy());
    ASSERT_TRUE(is_settled());
    EXPECT_THAT(answers_, ElementsAre(7));
    EXPECT_THAT(newest_, ElementsAre(true));
}

TEST_F(NewestAnswerTest, OfThoseThatWaitOnlyTheNewestIsAsked) {
    Gate first;
    asked_.ask(first.answering(1), note());
    ASSERT_TRUE(wait_until([&] { return first.is_begun(); }));
    for (const int question : {2, 3, 4})
        asked_.ask([question](const std::stop_token&) { return question; }, note());
    ASSERT_TRUE(is_settled());
    EXPECT_THAT(answers_, ElementsAre(-1, 4)) << "the first was asked to stop, two and three never begun";
    EXPECT_THAT(newest_, ElementsAre(false, true));
}

TEST_F(NewestAnswerTest, AnAnswerThatIsGivenAllTheSameIsToldAsAnOlderOne) {
    std::promise<void> go;
    asked_.ask(
        [ready = go.get_future().share()](const std::stop_token&) {
            ready.wait();
            return 1;
        },
        note());
    asked_.ask([](const std::stop_token&) { return 2; }, note());
    go.set_value();
    ASSERT_TRUE(is_settled());
    EXPECT_THAT(answers_, ElementsAre(1, 2));
    EXPECT_THAT(newest_, ElementsAre(false, true));
}

TEST_F(NewestAnswerTest, NobodyIsToldOfWhatWasCancelled) {
    Gate gate;
    asked_.ask(gate.answering(1), note());
    asked_.ask([](const std::stop_token&) { return 2; }, note());
    asked_.cancel();
    EXPECT_FALSE(asked_.is_busy());
    asked_.ask([](const std::stop_token&) { return 3; }, note());
    ASSERT_TRUE(is_settled());
    QTest::qWait(20); // the cancelled one would be told by now
    EXPECT_THAT(answers_, ElementsAre(3));
}

TEST_F(NewestAnswerTest, AQuestionAskedOnAnAnswerIsAnswered) {
    asked_.ask([](const std::stop_token&) { return 1; },
               [this](int answer, bool) {
                   answers_.push_back(answer);
                   asked_.ask([](const std::stop_token&) { return 2; }, note());
               });
    ASSERT_TRUE(is_settled());
    EXPECT_THAT(answers_, ElementsAre(1, 2));
}

TEST_F(NewestAnswerTest, WhoeverIsGoneStopsTheWorkAndIsNotTold) {
    std::atomic<bool> was_stopped = false;
    Gate never;
    {
        QObject gone;
        NewestAnswer<int> asked(&gone);
        asked.ask(
            [&, work = never.answering(1)](const std::stop_token& stop) {
                const int answer = work(stop);
                was_stopped = true;
                return answer;
            },
            note());
        ASSERT_TRUE(wait_until([&] { return never.is_begun(); }));
    }
    EXPECT_TRUE(wait_until([&] { return was_stopped.load(); }));
    QTest::qWait(20);
    EXPECT_THAT(answers_, IsEmpty());
}

} // namespace
} // namespace sparsight

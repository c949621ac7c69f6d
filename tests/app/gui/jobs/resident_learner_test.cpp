#include "gui/jobs/resident_learner.h"

#include "support/event_loop.h"
#include "support/test_files.h"

#include <QCoreApplication>
#include <QFile>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using State = ResidentLearner::State;

/// What it says, one line each.
struct HeardAnswers {
    explicit HeardAnswers(ResidentLearner& learner) {
        QObject::connect(&learner, &ResidentLearner::answered, &context,
                         [this](const QString& key, const nlohmann::ordered_json& answer) {
                             answers.push_back(key.toStdString() + ": " + answer.dump());
                             last = answer;
                         });
        QObject::connect(&learner, &ResidentLearner::refused, &context,
                         [this](const QString& key, const QString& reason) {
                             refusals.push_back(key.toStdString() + ": " + reason.toStdString());
                         });
    }
    [[nodiscard]] bool wait(std::size_t count) const {
        return wait_until([&] { return answers.size() + refusals.size() >= count; });
    }

    QObject context;
    std::vector<std::string> answers;
    std::vector<std::string> refusals;
    nlohmann::ordered_json last;
};

class ResidentLearnerTest : public ::testing::Test {
protected:
    /// A learner that is a script of the shell; it is given each question as $line.
    [[nodiscard]] ResidentLearnerOptions script(const std::string& at_start, const std::string& of_question) {
        const auto file = folder_ / "learner.sh";
        std::ofstream(file)
            << "echo started >> " << (folder_ / "starts").string() << "\n"
            << at_start << "\n"
            << "while read -r line; do\nid=$(echo \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n"
            << of_question << "\ndone\n";
        return {QStringLiteral("/bin/sh"), {QString::fromStdString(file.string())}, 3};
    }
    [[nodiscard]] std::size_t starts() const {
        std::ifstream file(folder_ / "starts");
        return static_cast<std::size_t>(
            std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n'));
    }
    static ResidentQuestion question(const char* model = "oak") {
        return {
            .workspace = QStringLiteral("w"), .model = QLatin1String(model), .code = {QStringLiteral("90")}};
    }

    int argc_ = 0;
    QCoreApplication application_{argc_, nullptr};
    TemporaryFolder folder_;
};

constexpr const char* says_ready = R"(echo '{"version": 1, "ready": "test"}')";
constexpr const char* answers_id = R"(echo "{\"version\": 1, \"id\": $id, \"answer\": $id}")";

TEST_F(ResidentLearnerTest, IsStartedByTheFirstQuestionAndStays) {
    ResidentLearner learner(script(says_ready, answers_id));
    const HeardAnswers heard(learner);
    EXPECT_EQ(learner.state(), State::Idle);
    EXPECT_EQ(starts(), 0U);
    learner.ask(QStringLiteral("a"), question());
    EXPECT_EQ(learner.state(), State::Starting);
    learner.ask(QStringLiteral("b"), question());
    ASSERT_TRUE(heard.wait(2));
    EXPECT_EQ(learner.state(), State::Ready);
    learner.ask(QStringLiteral("a"), question());
    ASSERT_TRUE(heard.wait(3));
    EXPECT_THAT(heard.answers, ElementsAre("a: 1", "b: 2", "a: 3"));
    EXPECT_EQ(starts(), 1U);
}

TEST_F(ResidentLearnerTest, DeliversTheNewestAnswerOfAKeyAlone) {
    ResidentLearner learner(script(says_ready, answers_id));
    const HeardAnswers heard(learner);
    learner.ask(QStringLiteral("a"), question());
    ASSERT_TRUE(heard.wait(1));
    for (int more = 0; more < 3; ++more)
        learner.ask(QStringLiteral("a"), question());
    learner.ask(QStringLiteral("b"), question());
    ASSERT_TRUE(wait_until([&] { return !learner.is_asked(QStringLiteral("b")); }));
    EXPECT_THAT(heard.answers, ElementsAre("a: 1", "a: 4", "b: 5"));
}

TEST_F(ResidentLearnerTest, DeliversNothingOfACancelledQuestion) {
    ResidentLearner learner(script(says_ready, answers_id));
    const HeardAnswers heard(learner);
    learner.ask(QStringLiteral("a"), question());
    learner.cancel(QStringLiteral("a"));
    learner.ask(QStringLiteral("b"), question());
    ASSERT_TRUE(heard.wait(1));
    EXPECT_THAT(heard.answers, ElementsAre("b: 2"));
}

TEST_F(ResidentLearnerTest, IsAskedAgainWhereItDiesBeforeItsAnswer) {
    const std::string dies_once =
        "if [ $(wc -l < " + (folder_ / "starts").string() + ") = 1 ]; then exit 7; fi\n";
    ResidentLearner learner(script(says_ready, dies_once + answers_id));
    const HeardAnswers heard(learner);
    learner.ask(QStringLiteral("a"), question());
    ASSERT_TRUE(heard.wait(1));
    EXPECT_THAT(heard.answers, ElementsAre("a: 1"));
    EXPECT_EQ(starts(), 2U);
}

TEST_F(ResidentLearnerTest, GivesUpWhereItDiesAgainAndAgainAndSaysWhy) {
    ResidentLearner learner(script(says_ready, "echo 'no room' >&2; exit 7"));
    const HeardAnswers heard(learner);
    learner.ask(QStringLiteral("a"), question());
    ASSERT_TRUE(heard.wait(1));
    EXPECT_EQ(learner.state(), State::Failed);
    EXPECT_THAT(heard.refusals, ElementsAre("a: The program that asks models has failed: no room"));
    EXPECT_EQ(starts(), 3U);
    learner.ask(QStringLiteral("a"), question());
    ASSERT_TRUE(heard.wait(2));
    EXPECT_EQ(starts(), 3U) << "it is left alone for some seconds";
}

TEST_F(ResidentLearnerTest, SaysThatAProgramIsMissing) {
    ResidentLearner learner({QStringLiteral("/nowhere/sparsight-learn"), {}, 3});
    const HeardAnswers heard(learner);
    learner.ask(QStringLiteral("a"), question());
    ASSERT_TRUE(heard.wait(1));
    EXPECT_EQ(learner.state(), State::Failed);
    EXPECT_THAT(heard.refusals.front(), HasSubstr("can’t be started"));
}

/// The program itself, on the workspace of the demo.
class RealLearnerTest : public ResidentLearnerTest {
protected:
    RealLearnerTest() {
        QFile::copy(QStringLiteral(SPARSIGHT_SOURCE_DIR "/resources/demo/demo.sparsight"), workspace());
        QFile::setPermissions(workspace(), QFile::ReadOwner | QFile::WriteOwner);
    }
    [[nodiscard]] QString workspace() const {
        return QString::fromStdString((folder_ / "demo.sparsight").string());
    }
    [[nodiscard]] ResidentQuestion about(const char* model, const char* schedule) const {
        ResidentQuestion question{.workspace = workspace(), .model = QLatin1String(model)};
        question.pairs.emplace_back("demo-mesh", schedule);
        return question;
    }
    static ResidentLearnerOptions program() {
        return {QStringLiteral(SPARSIGHT_LEARN),
                {QStringLiteral("serve"), QStringLiteral("--threads"), QStringLiteral("1")},
                3};
    }
};

constexpr const char* plain = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";

TEST_F(RealLearnerTest, PredictsAndRefusesInTheWordsOfTheProgram) {
    ResidentLearner learner(program());
    const HeardAnswers heard(learner);
    learner.ask(QStringLiteral("a"), about("demo-meta", plain));
    learner.ask(QStringLiteral("b"), about("oak", plain));
    ASSERT_TRUE(heard.wait(2));
    ASSERT_EQ(heard.answers.size(), 1U) << (heard.refusals.empty() ? "" : heard.refusals.front());
    EXPECT_EQ(heard.last["matrices"][0]["schedules"][0]["schedule"], plain);
    EXPECT_TRUE(heard.last["matrices"][0]["schedules"][0]["score"].is_number());
    ASSERT_EQ(heard.refusals.size(), 1U);
    EXPECT_THAT(heard.refusals.front(), HasSubstr("oak"));
}

TEST_F(RealLearnerTest, AnswersAgainAfterItWasKilled) {
    ResidentLearner learner(program());
    const HeardAnswers heard(learner);
    learner.ask(QStringLiteral("a"), about("demo-meta", plain));
    ASSERT_TRUE(heard.wait(1));
    ASSERT_GT(learner.process_id(), 0);
    ::kill(static_cast<pid_t>(learner.process_id()), SIGKILL);
    learner.ask(QStringLiteral("a"), about("demo-meta", plain));
    ASSERT_TRUE(heard.wait(2));
    ASSERT_EQ(heard.answers.size(), 2U);
    EXPECT_EQ(heard.answers[0], heard.answers[1]);
}

} // namespace
} // namespace sparsight::testing

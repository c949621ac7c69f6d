// Learning from a failure, in the real window with a worker that tells what a learner would.
#include "gui/failures/tuning_plan.h"

#include "failures_fixture.h"

#include <QLabel>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class TuningPlanTest : public FailuresTest {
protected:
    QPushButton* add() { return find<QPushButton>("add-measurements"); }
    QPushButton* tune() { return find<QPushButton>("tune-again"); }

    /// A learner that ends when the file "released" is there, or when it is asked to; an evaluation ends at
    /// once.
    void use_slow_learner() {
        use_worker("case \"$1\" in\n"
                   "finetune) trap 'echo \"{\\\"event\\\":\\\"end\\\",\\\"complete\\\":false,"
                   "\\\"stopped\\\":true}\"; exit 1' INT TERM\n"
                   "while [ ! -e " +
                   path("released").toStdString() +
                   " ]; do sleep 0.02; done\n"
                   "echo '{\"event\":\"end\",\"before\":{\"ordered_pair_accuracy\":0.6},\"after\":"
                   "{\"ordered_pair_accuracy\":0.8},\"seconds\":1,\"complete\":true,\"stopped\":false}';;\n"
                   "*) echo '{\"event\":\"end\",\"models\":[],\"seconds\":1,\"complete\":true,"
                   "\"stopped\":false}';;\nesac\n");
    }
    void release() { std::ofstream(path("released").toStdString()) << "now\n"; }
    [[nodiscard]] std::optional<Job> job_of(JobKind kind) {
        for (const Job& job : program_->jobs().jobs())
            if (job.kind == kind)
                return job;
        return std::nullopt;
    }
    [[nodiscard]] bool is_in(JobKind kind, JobState state) {
        const auto job = job_of(kind);
        return job && job->state == state;
    }
    [[nodiscard]] std::string words_of(JobKind kind) {
        const auto job = job_of(kind);
        return job ? job->arguments.join(u' ').toStdString() : std::string();
    }
    void start_tuning() {
        open_failures();
        click(add());
        use_slow_learner();
        click(tune());
        ASSERT_TRUE(wait_until([&] { return is_in(JobKind::FineTune, JobState::Running); }));
    }
};

TEST_F(TuningPlanTest, ACaseBecomesATrainingMatrixAndLeavesWhatIsHeldOut) {
    open_failures();
    EXPECT_FALSE(tune()->isEnabled());
    EXPECT_THAT(tune()->toolTip().toStdString(), HasSubstr("Add the measurements of a case first"));
    EXPECT_THAT(add()->toolTip().toStdString(), HasSubstr("held out no more"));
    click(add());
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("1 matrix for the next fine-tuning of first: m2"));
    EXPECT_THAT(text("waiting-for-tuning"),
                HasSubstr("compared on the 2 matrices of this evaluation that stay held out"))
        << "not on m2, nor on m3, which it has learned from before";
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("of which 2 of the same family (banded)"));
    EXPECT_FALSE(add()->isEnabled()) << "it is among them";
    EXPECT_TRUE(program_->jobs().jobs().empty())
        << "a recorded machine can't be measured: its times are there";
    ASSERT_TRUE(tune()->isEnabled()) << tune()->toolTip().toStdString();
    click(find<QPushButton>("clear-tuning"));
    EXPECT_FALSE(tune()->isEnabled());
}

TEST_F(TuningPlanTest, TheLastHeldOutMatrixStaysHeldOut) {
    open_failures();
    click(add());
    program_->selection().select_matrix(QStringLiteral("m1"));
    click(add());
    program_->selection().select_matrix(QStringLiteral("m0"));
    EXPECT_FALSE(add()->isEnabled());
    EXPECT_THAT(add()->toolTip().toStdString(), HasSubstr("the last held-out matrix"));
    EXPECT_TRUE(tune()->isEnabled());
}

TEST_F(TuningPlanTest, FineTunesWithThemAndWithWhatTheModelKnewThenComparesBoth) {
    start_tuning();
    EXPECT_THAT(words_of(JobKind::FineTune),
                AllOf(HasSubstr("--model=first"), HasSubstr("--name=first-mended"),
                      HasSubstr("--matrices=m2,m3"), HasSubstr("--machine=recorded:laptop")))
        << "m3 is what it has learned from before";
    release();
    ASSERT_TRUE(wait_until([&] { return is_in(JobKind::Evaluate, JobState::Finished); }));
    EXPECT_THAT(words_of(JobKind::Evaluate), HasSubstr("--dense=32")) << "as before";
    EXPECT_THAT(words_of(JobKind::Evaluate),
                AllOf(HasSubstr("--models=first,first-mended"), HasSubstr("--matrix=m0"),
                      HasSubstr("--matrix=m1"), HasSubstr("--matrix=m2"), Not(HasSubstr("--matrix=m3"))))
        << "on what neither has learned from, and on the case that it was asked for";
    EXPECT_TRUE(wait_until([&] { return text("tuning-outcome").find("60.0 %") != std::string::npos; }))
        << text("tuning-outcome");
}

TEST_F(TuningPlanTest, FollowsItsOwnJobWhateverElseStartsAndEnds) {
    start_tuning();
    EvaluateJob other;
    other.workspace = program_->session().path();
    other.models = QStringList{QStringLiteral("first")};
    other.machine = QStringLiteral("recorded:laptop");
    const auto beside = program_->jobs().start(other);
    ASSERT_TRUE(beside);
    EXPECT_EQ(program_->jobs().job(*beside)->state, JobState::Waiting) << "two would disturb each other";
    program_->jobs().stop(*beside);
    ASSERT_TRUE(wait_until([&] {
        const auto job = program_->jobs().job(*beside);
        return !job || is_over(job->state);
    }));
    EXPECT_FALSE(tune()->isEnabled()) << "its own is still under way";
    EXPECT_EQ(text("tuning-outcome"), "");
    release();
    EXPECT_TRUE(
        wait_until([&] { return is_in(JobKind::Evaluate, JobState::Finished) && no_job_is_under_way(); }));
    EXPECT_THAT(text("tuning-outcome"), HasSubstr("60.0 %"));
    EXPECT_THAT(words_of(JobKind::Evaluate), HasSubstr("--models=first,first-mended"));
}

TEST_F(TuningPlanTest, AFineTuningThatIsStoppedMakesNoModelAndCanBeStartedAgain) {
    start_tuning();
    program_->jobs().stop(job_of(JobKind::FineTune)->id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_THAT(text("tuning-outcome"), HasSubstr("made no model"));
    EXPECT_EQ(program_->jobs().jobs().size(), 1) << "there is nothing to compare";
    EXPECT_TRUE(tune()->isEnabled()) << tune()->toolTip().toStdString();
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("m2")) << "what was added stays";
}

TEST_F(TuningPlanTest, APauseIsNoEnd) {
    start_tuning();
    const JobId id = job_of(JobKind::FineTune)->id;
    program_->jobs().pause(id);
    ASSERT_TRUE(wait_until([&] { return is_in(JobKind::FineTune, JobState::Paused); }));
    EXPECT_EQ(text("tuning-outcome"), "");
    EXPECT_FALSE(tune()->isEnabled());
    release();
    program_->jobs().resume(id);
    EXPECT_TRUE(wait_until([&] { return is_in(JobKind::Evaluate, JobState::Finished); }));
}

TEST_F(TuningPlanTest, GoesOnWhenTheWindowWasClosedMeanwhile) {
    start_tuning();
    program_.reset();
    release();
    start();
    use_slow_learner();
    ASSERT_TRUE(wait_until([&] { return is_in(JobKind::Evaluate, JobState::Finished); }))
        << "what was to come behind it has come";
    EXPECT_THAT(words_of(JobKind::Evaluate), HasSubstr("--models=first,first-mended"));
    open(path("w.sparsight"));
    window().show_page(QStringLiteral("failures"));
    program_->selection().select_matrix(QStringLiteral("m2"));
    EXPECT_TRUE(wait_until([&] { return text("tuning-outcome").find("60.0 %") != std::string::npos; }))
        << text("tuning-outcome");
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("m2"));
}

TEST_F(TuningPlanTest, AFineTuningThatFailsSaysSo) {
    open_failures();
    click(add());
    use_worker("echo '{\"event\":\"error\",\"error\":\"no such luck\"}'\nexit 1\n");
    click(tune());
    ASSERT_TRUE(wait_until([&] { return !program_->jobs().jobs().empty() && no_job_is_under_way(); }));
    EXPECT_TRUE(wait_until([&] { return text("tuning-outcome").find("no such luck") != std::string::npos; }));
    EXPECT_EQ(program_->jobs().jobs().size(), 1) << "there is nothing to compare";
}

TEST_F(TuningPlanTest, AComparisonThatFailsSaysSoAndCanBeStartedAgain) {
    open_failures();
    click(add());
    use_worker("case \"$1\" in\nfinetune) echo '{\"event\":\"end\",\"before\":{},\"after\":{},\"seconds\":1,"
               "\"complete\":true,\"stopped\":false}';;\n"
               "*) echo '{\"event\":\"error\",\"error\":\"no such machine\"}'; exit 1;;\nesac\n");
    click(tune());
    ASSERT_TRUE(wait_until([&] { return is_in(JobKind::Evaluate, JobState::Failed); }));
    EXPECT_TRUE(
        wait_until([&] { return text("tuning-outcome").find("no such machine") != std::string::npos; }));
    use_slow_learner();
    click(find<QPushButton>("compare-again"));
    EXPECT_TRUE(wait_until([&] { return is_in(JobKind::Evaluate, JobState::Finished); }));
    EXPECT_EQ(program_->jobs().jobs().size(), 3) << "one fine-tuning, and two evaluations";
}

} // namespace
} // namespace sparsight::testing

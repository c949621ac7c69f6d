// Learning from a failure, in the real window with a worker that tells what a learner would.
#include "gui/failures/tuning_plan.h"

#include "failures_fixture.h"

#include <QLabel>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TuningPlanTest : public FailuresTest {
protected:
    QPushButton* add() { return find<QPushButton>("add-measurements"); }
    QPushButton* tune() { return find<QPushButton>("tune-again"); }
};

TEST_F(TuningPlanTest, ACaseWaitsForTheNextFineTuningOfTheModelThatFailed) {
    open_failures();
    EXPECT_FALSE(tune()->isEnabled());
    EXPECT_THAT(tune()->toolTip().toStdString(), HasSubstr("Add the measurements of a case first"));
    click(add());
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("1 matrix for the next fine-tuning of first: m2"));
    EXPECT_FALSE(add()->isEnabled()) << "it is among them";
    EXPECT_TRUE(program_->jobs().jobs().empty())
        << "a recorded machine can't be measured: its times are there";
    ASSERT_TRUE(tune()->isEnabled()) << tune()->toolTip().toStdString();
    click(find<QPushButton>("clear-tuning"));
    EXPECT_FALSE(tune()->isEnabled());
}

TEST_F(TuningPlanTest, FineTunesWithThemAndWithWhatTheModelKnewThenComparesBoth) {
    open_failures();
    click(add());
    use_worker(R"(case "$1" in
finetune) echo '{"event":"end","before":{"ordered_pair_accuracy":0.6},"after":{"ordered_pair_accuracy":0.8},"seconds":1,"complete":true,"stopped":false}';;
*) echo '{"event":"end","models":[],"seconds":1,"complete":true,"stopped":false}';;
esac
)");
    click(tune());
    ASSERT_TRUE(wait_until([&] { return program_->jobs().jobs().size() == 2 && no_job_is_under_way(); }));
    QStringList told;
    for (const Job& job : program_->jobs().jobs())
        told << job.arguments.join(u' ');
    const std::string words = told.join(u'\n').toStdString();
    EXPECT_THAT(words, AllOf(HasSubstr("--model=first"), HasSubstr("--name=first-mended"),
                             HasSubstr("--matrices=m2,m3"), HasSubstr("--machine=recorded:laptop")))
        << "m3 is what it has learned from before";
    EXPECT_THAT(words, AllOf(HasSubstr("evaluate"), HasSubstr("--models=first,first-mended"),
                             HasSubstr("--matrix=m0"), HasSubstr("--matrix=m1")))
        << "on the matrices of before, without the one that is learned from";
    EXPECT_TRUE(wait_until([&] { return text("tuning-outcome").find("60.0 %") != std::string::npos; }))
        << text("tuning-outcome");
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

} // namespace
} // namespace sparsight::testing

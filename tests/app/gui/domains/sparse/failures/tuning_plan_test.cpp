#include "domains/sparse/storage/schedules.h"
#include "failures_fixture.h"
#include "gui/domains/sparse/failures/tuning/tuning_plan.h"
#include "gui/runs/evaluation_list.h"
#include "support/rematches.h"

#include <QLabel>
#include <QProcess>
#include <algorithm>

namespace sparsight::testing {

// Learning from a failure, in the real window with a worker that tells what a learner would.
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
    EXPECT_THAT(add()->toolTip().toStdString(), HasSubstr("no longer held out"));
    click(add());
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("1 matrix for the next fine-tuning of first: m2"));
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("compared on the 2 matrices that stay held out"))
        << "not on m2, nor on m3, which it has learned from before";
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("held out, 2 of the same family (banded)"));
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
    program_->selection().select_workload(QStringLiteral("m1"));
    click(add());
    program_->selection().select_workload(QStringLiteral("m0"));
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
                AllOf(HasSubstr("--models=first,first-mended"), HasSubstr("--workload=m0"),
                      HasSubstr("--workload=m1"), HasSubstr("--workload=m2"),
                      Not(HasSubstr("--workload=m3"))))
        << "on what neither has learned from, and on the case that it was asked for";
    EXPECT_TRUE(wait_until([&] { return text("tuning-outcome").find("60.0\u00A0%") != std::string::npos; }))
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
    EXPECT_THAT(text("tuning-outcome"), HasSubstr("60.0\u00A0%"));
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
    program_->selection().select_workload(QStringLiteral("m2"));
    EXPECT_TRUE(wait_until([&] { return text("tuning-outcome").find("60.0\u00A0%") != std::string::npos; }))
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

// Learning from a failure with real jobs: what is added is measured, a real model is fine-tuned with it, and
// both models are measured on what neither has learned from.
namespace {

/// Names may break where they do not by themselves.
std::string without_places_to_break(const std::string& text) {
    return QString::fromStdString(text).remove(QChar(0x200B)).toStdString();
}

class TuningChainTest : public FailuresTest {
protected:
    void run_worker(const QStringList& words) {
        QProcess process;
        process.start(QStringLiteral(SPARSIGHT_CLI),
                      words + QStringList{QStringLiteral("--quiet"), QStringLiteral("--workspace"),
                                          path("w.sparsight")});
        ASSERT_TRUE(process.waitForFinished(120'000));
        ASSERT_EQ(process.exitCode(), 0)
            << words.join(u' ').toStdString() << ": " << process.readAllStandardError().toStdString();
    }
    [[nodiscard]] QStringList words_of_jobs(JobKind kind) {
        QStringList words;
        for (const Job& job : program_->jobs().jobs())
            if (job.kind == kind)
                words << job.arguments;
        return words;
    }
    void run_worker(const char* words) { run_worker(QString::fromLatin1(words).split(u' ')); }

    /// As if the turns of the evaluation had something far faster than whatever a model could choose on these
    /// matrices: all of its choices fail, however fast this computer is at the moment.
    void plant_best_known(const QStringList& matrices) {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(workspace);
        const auto evaluations =
            list_evaluations(*workspace, program_->session().domain(), program_->session().domains());
        ASSERT_TRUE(evaluations && evaluations->size() == 1);
        const RunId run = evaluations->front().run;
        RematchTime planted{.schedule = fixed_csr(Operator::SpMM, 1)};
        planted.schedule.chunk = 2;
        for (const QString& name : matrices) {
            const auto matrix = find_matrix(*workspace, name.toStdString());
            ASSERT_TRUE(matrix && *matrix);
            auto times = list_rematch(*workspace, run, (*matrix)->id);
            ASSERT_TRUE(times && !times->empty()) << "an evaluation measures in turns";
            std::size_t turns = 0; // as many as the noise asked for
            for (const RematchTime& time : *times)
                turns = std::max(turns, time.turns_ms.size());
            planted.turns_ms.assign(turns, 1e-5);
            times->push_back(planted);
            ASSERT_TRUE(record_rematch(*workspace, run, (*matrix)->id, *times));
        }
    }
};

TEST_F(TuningChainTest, FromAFailureToAModelThatHasLearnedFromItAndTheComparisonOfBoth) {
    run_worker("new");
    run_worker("simulate banded --name learned-band --param size=400");
    run_worker("simulate uniform --name learned-uniform --param rows=300 cols=300");
    run_worker("simulate row-skewed --name learned-skew --param rows=350 cols=350");
    run_worker("simulate block-diagonal --name learned-blocks --param size=300");
    run_worker("simulate stencil-2d --name learned-plane --param x=20 y=20");
    run_worker("collect --schedules 12 --threads 1 --dense 32");
    run_worker("train --name first --epochs 2 --dense 32 --no-baseline --threads 1");
    // Of one size all full bands are one matrix, and what is learned from one is not held out.
    for (const char* band :
         {"band-11 --param size=500", "band-12 --param size=520", "band-13 --param size=540"})
        run_worker(QStringLiteral("simulate banded --name %1").arg(QLatin1String(band)).split(u' '));
    run_worker("simulate row-skewed --count 2 --name skew --param rows=400 cols=400");
    run_worker("evaluate --models first --matrices band-11,band-12,band-13,skew-1,skew-2 --k 2 --threads 1 "
               "--dense 32");
    plant_best_known({QStringLiteral("band-11"), QStringLiteral("band-12"), QStringLiteral("band-13"),
                      QStringLiteral("skew-1"), QStringLiteral("skew-2")});
    open(path("w.sparsight"));
    window().show_page(QStringLiteral("failures"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().read()->cases.size() == 5; }, 60));
    program_->selection().select_workload(QStringLiteral("band-12"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().study().shown() != nullptr; }, 60));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>band-12</b>"));

    auto* const tune = find<QPushButton>("tune-again");
    click(find<QPushButton>("add-measurements"));
    EXPECT_FALSE(tune->isEnabled()) << "its measurements come first";
    EXPECT_THAT(tune->toolTip().toStdString(), HasSubstr("being measured"));
    ASSERT_TRUE(wait_until([&] { return tune->isEnabled(); }, 60)) << tune->toolTip().toStdString();
    const QStringList searched = words_of_jobs(JobKind::Collect).filter(QStringLiteral("--search="));
    EXPECT_EQ(searched.size(), 1) << "the path from one schedule to the other alone teaches little";
    EXPECT_THAT(text("waiting-for-tuning"), HasSubstr("on the 4 matrices that stay held out"));
    click(tune);
    ASSERT_TRUE(wait_until([&] { return text("before-after") != ""; }, 120))
        << text("tuning-outcome") << program_->jobs().jobs().front().error.toStdString();
    for (const Job& job : program_->jobs().jobs())
        EXPECT_EQ(job.error.toStdString(), "") << job.title.toStdString();
    EXPECT_THAT(text("before-after"),
                AllOf(HasSubstr("same family (banded; 2 matrices)"), HasSubstr("other families (2 matrices)"),
                      HasSubstr("of first before"), HasSubstr("of first-mended after")));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>band-12</b>"))
        << "the case that it was asked for is still looked at";
    EXPECT_EQ(text("before-after-models"),
              "Before: first, after: first-mended. It has learned from band-12.");
    EXPECT_THAT(without_places_to_break(text("before-after-times")),
                AllOf(HasSubstr("<b>band-12</b>"), HasSubstr("before"), HasSubstr("after"),
                      HasSubstr("fixed CSR"), HasSubstr("best known")));
    EXPECT_THAT(text("before-after-choices"), HasSubstr("It chose"));
    EXPECT_THAT(text("before-after-turns"), HasSubstr("turns"));
    EXPECT_THAT(text("tuning-outcome"), HasSubstr("first-mended"));
}

} // namespace
} // namespace sparsight::testing

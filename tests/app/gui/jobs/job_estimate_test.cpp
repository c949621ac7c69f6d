#include "gui/jobs/job_estimate.h"

#include "gui/jobs/run_report.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

JobDescription measuring(double work, const QString& workspace = QStringLiteral("here")) {
    return {.kind = JobKind::Collect,
            .title = QStringLiteral("Measure cage8"),
            .workspace = workspace,
            .arguments = {},
            .work = work};
}

Job earlier(const char* title, const QString& workspace, double seconds_a_unit, int day,
            const JobKind& kind = JobKind::Collect) {
    Job job;
    job.kind = kind;
    job.title = QString::fromLatin1(title);
    job.workspace = workspace;
    job.seconds_a_unit = seconds_a_unit;
    job.ended = QDateTime(QDate(2026, 1, day), QTime(12, 0));
    return job;
}

Job after_run(const JobKind& kind, double work, const QJsonObject& end) {
    Job job;
    job.kind = kind;
    job.work = work;
    job.runs = 1;
    RunReport report;
    take_event(report, end);
    job.seconds_a_unit = seconds_a_unit(job, report);
    return job;
}

TEST(JobEstimate, HasTheRateOfTheNewestJobOfItsKindInTheWorkspace) {
    const QString here = QStringLiteral("here");
    const std::vector<Job> jobs{earlier("old", here, 9, 1), earlier("new", here, 2, 2),
                                earlier("elsewhere", QStringLiteral("there"), 7, 3),
                                earlier("other kind", here, 5, 4, JobKind::Search)};
    const auto estimate = estimate_of(measuring(30), jobs);
    ASSERT_TRUE(estimate);
    EXPECT_DOUBLE_EQ(estimate->seconds, 60);
    EXPECT_THAT(estimate_text(*estimate).toStdString(), HasSubstr("estimated from “new”"));
    EXPECT_DOUBLE_EQ(estimate_of(measuring(10, QStringLiteral("new workspace")), jobs)->seconds, 70)
        << "this computer is the same";
}

TEST(JobEstimate, CallsAGuessAGuess) {
    const auto estimate = estimate_of(measuring(100), {});
    ASSERT_TRUE(estimate);
    EXPECT_THAT(estimate_text(*estimate).toStdString(),
                HasSubstr("a guess: nothing like it has run here yet"));
}

TEST(JobEstimate, IsToldAsRoundlyAsItIsKnown) {
    const auto text = [](double seconds) {
        QString told = estimate_text({.seconds = seconds, .from = {}}).section(u',', 0, 0);
        return told.replace(QChar::Nbsp, u' ').toStdString();
    };
    EXPECT_EQ(text(3), "About 3 s");
    EXPECT_EQ(text(23), "About 25 s");
    EXPECT_EQ(text(68), "About 1 min");
    EXPECT_EQ(text(1999), "About 33 min");
    EXPECT_EQ(text(3900), "About 1 h 05 min");
}

TEST(JobEstimate, IsMissingWhereNobodyKnowsHowMuchThereIsToDo) {
    EXPECT_FALSE(estimate_of(measuring(0), {earlier("a", QStringLiteral("here"), 1, 1)}));
}

TEST(JobEstimate, IsNoLongerThanTheBudget) {
    JobDescription job = measuring(1000);
    job.budget = std::chrono::seconds(50);
    EXPECT_DOUBLE_EQ(estimate_of(job, {earlier("a", QStringLiteral("here"), 1, 1)})->seconds, 50);
}

TEST(JobEstimate, AsksFromTenMinutesOn) {
    EXPECT_FALSE(asks_first({.seconds = 599, .from = {}}));
    EXPECT_TRUE(asks_first({.seconds = 600, .from = {}}));
}

TEST(JobEstimate, LearnsTheRateFromWhatARunReallyDid) {
    const auto end = [](int measured, int skipped, double seconds, bool is_complete) {
        return QJsonObject{{QStringLiteral("event"), QStringLiteral("end")},
                           {QStringLiteral("measured"), measured},
                           {QStringLiteral("failed"), 0},
                           {QStringLiteral("skipped"), skipped},
                           {QStringLiteral("seconds"), seconds},
                           {QStringLiteral("complete"), is_complete}};
    };
    EXPECT_DOUBLE_EQ(after_run(JobKind::Collect, 100, end(20, 80, 10, true)).seconds_a_unit, 0.5)
        << "what was there before took no time";
    EXPECT_DOUBLE_EQ(after_run(JobKind::Collect, 100, end(0, 100, 1, true)).seconds_a_unit, 0);
    EXPECT_DOUBLE_EQ(after_run(JobKind::Search, 5, end(0, 0, 10, true)).seconds_a_unit, 2);
    EXPECT_DOUBLE_EQ(after_run(JobKind::Search, 5, end(0, 0, 10, false)).seconds_a_unit, 0)
        << "nobody knows how far it came";
    EXPECT_DOUBLE_EQ(job_from_json(to_json([&] {
                         Job job = after_run(JobKind::Search, 5, end(0, 0, 10, true));
                         job.id = QUuid::createUuid();
                         return job;
                     }()))
                         ->seconds_a_unit,
                     2)
        << "and it is known after a restart";
}

TEST(JobEstimate, CountsWhatEachRequestDoes) {
    CollectJob collect;
    collect.workloads = {QStringLiteral("a"), QStringLiteral("b")};
    collect.configurations = 9;
    EXPECT_DOUBLE_EQ(describe(collect).work, 20) << "with the baseline of each";
    EvaluateJob evaluate;
    evaluate.models = {QStringLiteral("m"), QStringLiteral("n")};
    evaluate.workload_count = 10;
    evaluate.k = 5;
    EXPECT_DOUBLE_EQ(describe(evaluate).work, 110);
    evaluate.machine = QStringLiteral("A100");
    EXPECT_DOUBLE_EQ(describe(evaluate).work, 0) << "times are looked up";
    FineTuneJob tune;
    tune.workloads = 4;
    EXPECT_DOUBLE_EQ(describe(tune).work, 4);
    tune.shots = {QStringLiteral("2"), QStringLiteral("4")};
    tune.against = {QStringLiteral("scratch")};
    EXPECT_DOUBLE_EQ(describe(tune).work, 4 + 6 * 5 * 2);
}

} // namespace
} // namespace sparsight

#include "app/gui/workspace/only_sparse.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/schedules/ranked_results.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/workspace_session.h"
#include "support/event_loop.h"
#include "support/test_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <atomic>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace sparsight {
namespace {

class WorkspacePresenceTest : public ::testing::Test {
protected:
    WorkspacePresenceTest() {
        QFile file(workspace);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    }

    testing::TemporaryFolder folder_;
    QString here = QString::fromStdString((folder_ / "open").string());
    QString workspace = QString::fromStdString((folder_ / "w.sparsight").string());
};

TEST_F(WorkspacePresenceTest, SeesOtherWindowsOfTheSameFileUnderAnyName) {
    WorkspacePresence first(here);
    first.set_workspace(workspace);
    EXPECT_FALSE(first.is_open_elsewhere()) << "itself is no other";
    {
        const QString link = workspace + QStringLiteral(".link");
        ASSERT_TRUE(QFile::link(workspace, link));
        WorkspacePresence second(here);
        second.set_workspace(link);
        EXPECT_TRUE(first.is_open_elsewhere());
        EXPECT_TRUE(second.is_open_elsewhere());
        second.set_workspace(workspace + QStringLiteral(".other"));
        EXPECT_FALSE(first.is_open_elsewhere());
        second.set_workspace(workspace);
    }
    EXPECT_FALSE(first.is_open_elsewhere()) << "it is closed";
}

TEST_F(WorkspacePresenceTest, AWindowThatWasKilledIsNone) {
    WorkspacePresence window(here);
    window.set_workspace(workspace);
    const QStringList folders = QDir(here).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    ASSERT_EQ(folders.size(), 1);
    QFile left_behind(here + u'/' + folders.front() + QStringLiteral("/0.lock"));
    ASSERT_TRUE(left_behind.open(QIODevice::WriteOnly));
    left_behind.write("999999999\nsparsight\n\n"); // no process has this number
    left_behind.close();
    EXPECT_FALSE(window.is_open_elsewhere());
}

TEST_F(WorkspacePresenceTest, LeavesNothingBehind) {
    {
        WorkspacePresence window(here);
        window.set_workspace(workspace);
    }
    EXPECT_TRUE(QDir(here).isEmpty());
}

} // namespace

// Questions that come faster than answers.
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

// Matrices that are looked at faster than they can be read.
namespace {

class MatrixLoaderTest : public ::testing::Test {
protected:
    MatrixLoaderTest() {
        const auto file = folder_ / "w.sparsight";
        auto workspace = Workspace::create(file, "test");
        for (const char* name : {"a", "b"})
            EXPECT_TRUE(add_matrix(*workspace, {name, "generated", {}},
                                   *generate_matrix("uniform", {{"rows", 3000}, {"cols", 3000}}, *name))
                            .has_value());
        QObject::connect(&loader_, &MatrixLoader::loaded,
                         [this](const QString& name) { loaded_.push_back(name.toStdString()); });
        session_.open(QString::fromStdString(file.string()));
        EXPECT_TRUE(wait_until([&] { return session_.is_open(); }));
    }

    int argc_ = 0;
    QCoreApplication application_{argc_, nullptr};
    testing::TemporaryFolder folder_;
    DomainRegistry domains_ = testing::only_sparse();
    WorkspaceSession session_{domains_};
    MatrixLoader loader_{session_};
    std::vector<std::string> loaded_;
};

TEST_F(MatrixLoaderTest, ComingBackToWhatIsBeingReadReadsItOnceAndNothingElse) {
    for (const char* name : {"a", "b", "a"})
        loader_.request(QLatin1String(name));
    ASSERT_TRUE(wait_until([&] { return loader_.find(QStringLiteral("a")) != nullptr; }));
    EXPECT_FALSE(wait_until([&] { return loaded_.size() > 1; }, 1));
    EXPECT_THAT(loaded_, ::testing::ElementsAre("a"));
    EXPECT_EQ(loader_.find(QStringLiteral("b")), nullptr);
}

TEST_F(MatrixLoaderTest, TheNewestOneIsReadAfterTheOneInFlight) {
    loader_.request(QStringLiteral("a"));
    loader_.request(QStringLiteral("b"));
    ASSERT_TRUE(wait_until([&] { return loader_.find(QStringLiteral("b")) != nullptr; }));
    EXPECT_THAT(loaded_, ::testing::ElementsAre("a", "b"));
    loader_.request(QStringLiteral("a"));
    EXPECT_THAT(loaded_, ::testing::ElementsAre("a", "b", "a")) << "at once: it was kept";
}

} // namespace
} // namespace sparsight

namespace sparsight::testing {

// Which speedups may be noise, and which compare times of two sessions.
namespace {

ResultRow row(const char* schedule, double median, double spread,
              const char* measured = "2026-01-01T00:00:01Z") {
    ResultRow row;
    row.matrix = "m";
    row.schedule = schedule;
    row.status = MeasurementStatus::Measured;
    row.median_ms = median;
    row.spread_ms = spread;
    row.measured = measured;
    row.speedup_over_fixed_csr = 10 / median;
    return row;
}

ResultRow fixed_csr_row(const char* measured = "2026-01-01T00:00:00Z") {
    ResultRow fixed = row("fixed", 10, 1, measured);
    fixed.is_fixed_csr = true;
    return fixed;
}

TEST(RankedResults, AGainOrALossNoLargerThanTheTwoSpreadsMayBeNoise) {
    const auto ranked = rank_results({fixed_csr_row(), row("clear gain", 5, 1), row("gain", 8.7, 1),
                                      row("loss", 11.3, 1), row("clear loss", 20, 1)});
    ASSERT_EQ(ranked.size(), 5U);
    EXPECT_FALSE(ranked[0].is_in_noise);
    EXPECT_TRUE(ranked[1].is_in_noise);
    EXPECT_FALSE(ranked[2].is_in_noise) << "fixed CSR itself";
    EXPECT_TRUE(ranked[3].is_in_noise);
    EXPECT_FALSE(ranked[4].is_in_noise);
    EXPECT_EQ(speedup_text(ranked[0]), QStringLiteral("2.00×"));
    EXPECT_EQ(speedup_text(ranked[1]), QStringLiteral("~1.15×"));
}

TEST(RankedResults, GoByTheSpeedupAtItsMoment) {
    ResultRow slower_computer = row("drifted", 6, 1);
    slower_computer.speedup_over_fixed_csr = 2.5; // fixed CSR took 15 ms then
    const auto ranked = rank_results({fixed_csr_row(), row("quick", 5, 1), slower_computer});
    ASSERT_EQ(ranked.size(), 3U);
    EXPECT_EQ(ranked[0].row.schedule, "drifted") << "as `results --best` says";
    EXPECT_EQ(ranked[0].rank, 1);
    EXPECT_EQ(ranked[1].row.schedule, "quick");
    EXPECT_EQ(ranked[2].row.schedule, "fixed");
}

TEST(RankedResults, ASimulatedTimeSaysSoAndHasNoSpread) {
    ResultRow simulated = row("computed", 5, 0);
    simulated.reason = "simulated (mechanistic)";
    const auto ranked = rank_results({fixed_csr_row(), simulated});
    EXPECT_TRUE(ranked[0].is_simulated());
    EXPECT_FALSE(ranked[1].is_simulated());
    EXPECT_TRUE(time_with_spread(ranked[0]).endsWith(QStringLiteral(", simulated")));
    EXPECT_TRUE(time_with_spread(ranked[1]).contains(QStringLiteral("±")));
}

TEST(RankedResults, TheNoiseIsThatOfTheTwoTimesOfTheSpeedup) {
    const auto at_its_moment = [](const char* schedule, double median, double fixed_csr) {
        ResultRow drifted = row(schedule, median, 1);
        drifted.reference_ms = fixed_csr;
        drifted.speedup_over_fixed_csr = fixed_csr / median;
        return drifted;
    };
    const auto ranked =
        rank_results({fixed_csr_row(), at_its_moment("gain", 10.5, 12.6), at_its_moment("noise", 5, 5.5)});
    ASSERT_EQ(ranked.size(), 3U);
    EXPECT_EQ(speedup_text(ranked[0]), QStringLiteral("1.20×")) << "2.1 ms shorter than fixed CSR then";
    EXPECT_EQ(speedup_text(ranked[1]), QStringLiteral("~1.10×")) << "however fast fixed CSR was later";
}

TEST(RankedResults, OfSeveralTextsOfFixedCsrTheLastIsComparedWith) {
    ResultRow older = fixed_csr_row("2026-01-01T00:00:00Z");
    older.schedule = "other text";
    older.median_ms = 8;
    older.speedup_over_fixed_csr = 1.25;
    const auto ranked = rank_results(
        {older, fixed_csr_row("2026-01-02T00:00:00Z"), row("gain", 8.2, 1, "2026-01-02T00:00:01Z")});
    ASSERT_EQ(ranked[1].row.schedule, "gain");
    EXPECT_EQ(last_fixed_csr(ranked), &ranked[2]);
    EXPECT_EQ(last_fixed_csr(ranked, ranked[1].row), &ranked[2]) << "not the shortest, as the Why view takes";
    EXPECT_FALSE(ranked[1].is_in_noise) << "1.8 ms shorter than the last time of fixed CSR";
}

ResultRow on_threads(ResultRow row, int threads) {
    row.threads = threads;
    return row;
}

TEST(RankedResults, OfOtherMachinesAreThoseOfOneProtocolAndNumberOfThreads) {
    ResultRow other_protocol = on_threads(row("other protocol", 1, 0.1), 8);
    other_protocol.protocol = "waco";
    ResultRow failed = on_threads(row("failed", 1, 0.1), 1);
    failed.status = MeasurementStatus::Failed;
    failed.median_ms.reset();
    const RankedResults ranked =
        rank_comparable({on_threads(row("one thread", 2, 0.1), 1), failed, failed, other_protocol,
                         on_threads(fixed_csr_row(), 8), on_threads(row("eight threads", 5, 0.1), 8)});
    ASSERT_EQ(ranked.results.size(), 2U);
    EXPECT_EQ(ranked.results[0].row.schedule, "eight threads");
    EXPECT_EQ(ranked.results[0].rank, 1);
    EXPECT_EQ(ranked.results[1].row.schedule, "fixed");
    EXPECT_EQ(ranked.other_conditions, 2U) << "without what has no time";
    EXPECT_TRUE(ranked.left_out.empty());
}

TEST(RankedResults, OfPartsOfOneSizeThatWithFixedCsrIsRanked) {
    const RankedResults ranked =
        rank_comparable({on_threads(row("one thread", 2, 0.1), 1), on_threads(fixed_csr_row(), 8)});
    ASSERT_EQ(ranked.results.size(), 1U);
    EXPECT_EQ(ranked.results[0].row.schedule, "fixed");
}

TEST(RankedResults, TimesCompareWithinTheirSettingAlone) {
    ResultRow other = row("x", 10.5, 1);
    other.dense = 8;
    const auto ranked = rank_results({fixed_csr_row(), other});
    EXPECT_FALSE(ranked[1].is_in_noise) << "its fixed CSR is not known";
    EXPECT_EQ(last_fixed_csr(ranked, other), nullptr);
}

TEST(RankedResults, WhatWasMeasuredBeforeFixedCsrWasMeasuredAnewIsMarked) {
    const auto ranked =
        rank_results({fixed_csr_row("2026-01-02T00:00:00Z"), row("old", 5, 1, "2026-01-01T00:00:01Z"),
                      row("new", 6, 1, "2026-01-02T00:00:01Z")});
    EXPECT_TRUE(ranked[0].is_before_baseline);
    EXPECT_FALSE(ranked[1].is_before_baseline);
    EXPECT_FALSE(ranked[2].is_before_baseline) << "fixed CSR itself";
}

} // namespace
} // namespace sparsight::testing

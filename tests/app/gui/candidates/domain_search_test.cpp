// The Search page for any domain: on combination locks with a worker that tells what a search would, and on
// tuning records with a model that was trained a moment ago.
#include "app/gui/shell/domains_fixture.h"
#include "gui/candidates/candidates_page.h"
#include "gui/candidates/search_panel.h"
#include "gui/candidates/search_words.h"
#include "gui/shell/screenshot.h"
#include "store/models.h"
#include "widgets/chart/plots/walk_plot.h"
#include "widgets/table/table_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QProcess>
#include <QRegularExpression>
#include <QSpinBox>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// "3100" and "3200" were found, all zeros stand behind them.
const QStringList lock_events{
    QStringLiteral(
        R"({"event":"choice","lock":"front","method":"exhaustive","pool":625,"scored":625,"embedding_ms":1,)"
        R"("search_ms":2,"candidates":[{"rank":1,"combination":"3100","score":-2},)"
        R"({"rank":2,"combination":"3200","score":-1},{"rank":3,"combination":"0000","score":1}]})"),
    QStringLiteral(
        R"({"event":"map","lock":"front","rows":625,"sampled":1,"explained":[0.5,0.25],"nodes":[)"
        R"({"combination":"3100","x":0,"y":0,"score":-2},{"combination":"3200","x":1,"y":0,"score":-1},)"
        R"({"combination":"0000","x":2,"y":1,"score":1},{"combination":"4444","x":3,"y":3,"score":2}],)"
        R"("walk":[]})"),
    QStringLiteral(R"({"event":"end","complete":true,"stopped":false,"seconds":1})")};

TEST(DomainCandidates, AreReadInTheWordsOfTheirDomainAndShowTheirDecisions) {
    const auto locks = toy::make_lock_domain();
    auto search = read_search(lock_events, locks->words(), QStringLiteral("front"));
    ASSERT_TRUE(search.has_value());
    search->setting = *locks->setting_of({});
    search->asked.k = 2;
    EXPECT_FALSE(read_search(lock_events, locks->words(), QStringLiteral("back")).has_value());
    ResultRecord time;
    time.setting = search->setting;
    time.configuration = "3200";
    time.status = MeasurementStatus::Measured;
    time.median_ms = 3;
    ResultRecord best = time;
    best.configuration = "3000";
    best.median_ms = 2;
    const auto sets = time_sets(*locks, {time, best});
    const CandidateTable found =
        candidate_table(*search, {.domain = *locks, .times = sets.front(), .origin = TimeSource::Recorded});
    ASSERT_EQ(found.rows.size(), 3U);
    EXPECT_EQ(found.rows[1].time->ratio, 1.5) << "over the best known time, which the model did not find";
    EXPECT_TRUE(found.rows[2].is_baseline);
    EXPECT_EQ(found.rows[2].name.short_form, QStringLiteral("all zeros"));
    ASSERT_EQ(found.decisions.size(), 4U);
    CandidatesModel model(locks->words(), found.decisions);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_rows(found.rows);
    const int first = CandidatesModel::Status + 1;
    EXPECT_EQ(model.headerData(first, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("digit 0"));
    EXPECT_EQ(model.index(0, first).data().toString(), QStringLiteral("3"));
    EXPECT_EQ(model.index(0, CandidatesModel::Status).data().toString(), QStringLiteral("predicted only"));
    EXPECT_EQ(model.index(1, CandidatesModel::Status).data().toString(), QStringLiteral("recorded"));
}

TEST(DomainCandidates, WithoutABaselineTheBestKnownTimeIsComparedWith) {
    const auto records = make_records_domain();
    CandidateSearch search;
    search.setting = *records->setting_of({{"space", "conv"}});
    search.asked.k = 1;
    search.candidates = {{1, QStringLiteral("tile_x=8 tile_y=1"), -1}};
    ResultRecord found;
    found.setting = search.setting;
    found.configuration = "tile_y=1 tile_x=8";
    found.status = MeasurementStatus::Measured;
    found.median_ms = 3;
    ResultRecord best = found;
    best.configuration = "tile_x=16 tile_y=1";
    best.median_ms = 2;
    const auto sets = time_sets(*records, {found, best});
    const auto rows = candidate_table(search, {.domain = *records, .times = sets.front()}).rows;
    ASSERT_EQ(best_of(rows), &rows[0]) << "it means the same, however it is written";
    SearchSubject subject;
    subject.model = QStringLiteral("first");
    subject.workload = QStringLiteral("small");
    EXPECT_EQ(search_headline(search, subject, rows, TimeSource::Recorded, records->words()).toStdString(),
              "The model first predicts that this configuration is the fastest for small; the best takes "
              "3.00\u00A0ms, "
              "1.50× the best known time.");
    const CandidatesModel model(records->words());
    EXPECT_EQ(model.headerData(CandidatesModel::Comparison, Qt::Horizontal, Qt::DisplayRole).toString(),
              QStringLiteral("Ratio to best"));
}

TEST(DomainCandidates, TheFigureInTurnsLeadsAsOnOtherPages) {
    const auto locks = toy::make_lock_domain();
    auto search = read_search(lock_events, locks->words(), QStringLiteral("front"));
    ASSERT_TRUE(search.has_value());
    search->setting = *locks->setting_of({});
    search->asked.k = 2;
    const auto time_of = [&search](const char* configuration, double milliseconds) {
        ResultRecord result;
        result.setting = search->setting;
        result.configuration = configuration;
        result.status = MeasurementStatus::Measured;
        result.median_ms = milliseconds;
        result.spread_ms = 0.001;
        result.speedup = 5 / milliseconds;
        result.baseline_spread_ms = 0.001;
        return result;
    };
    const auto sets = time_sets(*locks, {time_of("3100", 2), time_of("3200", 2.5), time_of("0000", 5)});
    SearchSubject subject;
    subject.model = QStringLiteral("first");
    subject.workload = QStringLiteral("front");
    const auto told = [&](const FastestInTurns& fastest) {
        const auto rows =
            candidate_table(*search, {.domain = *locks, .times = sets.front(), .in_turns = &fastest}).rows;
        return search_headline(*search, subject, rows, TimeSource::Measured, locks->words(), &fastest)
            .remove(QRegularExpression(QStringLiteral("<[^>]*>")))
            .toStdString();
    };
    const std::string found = "The model first predicts that these 2 combinations are the fastest for front";
    EXPECT_EQ(told({"3100", 2.07, 0.17}), found +
                                              ". Measured in turns, the best is 2.07×\u00A0±\u00A00.17 as "
                                              "fast as all zeros. The collected figure is 2.50×.");
    EXPECT_EQ(told({"3200", 2.1, 0.01}), found +
                                             ". Measured in turns, the best is 2.10× as fast as all zeros. "
                                             "The collected times put 3100 first, with 2.50×.");
    EXPECT_EQ(told({"3100", 1.02, 0.04}), found +
                                              ". Measured in turns, there is no clear winner. The first is "
                                              "~1.02× as fast as all zeros. The collected figure is 2.50×.");
    EXPECT_EQ(told({"0000", 1, 0.01}), found + ". Measured in turns, no combination beats all zeros. The "
                                               "collected times put 3100 first, with 2.50×.");
    EXPECT_EQ(told({"3300", 3, 0.1}),
              found + "; the best is 2.50× as fast as all zeros, by the times collected before.")
        << "the search did not find the fastest in turns";
}

class DomainSearchTest : public DomainsTest {
protected:
    /// The two locks, and a model of theirs that is a name.
    void open_locks(bool with_model = true) {
        const QString file = make_locks();
        if (with_model) {
            auto workspace = Workspace::open(file.toStdString());
            EXPECT_TRUE(
                add_model(*workspace, {"first", std::nullopt, std::nullopt, R"({"domain":"locks"})"}, {})
                    .has_value());
        }
        open(file);
        choose("locks");
        show("search");
    }
    [[nodiscard]] CandidatesPage& page() { return *qobject_cast<CandidatesPage*>(window().current_page()); }
    void select_bench() {
        for (const MachineRecord& machine : program_->session().contents().machines)
            if (machine.name == "bench")
                program_->selection().select_machine(QString::fromStdString(machine.fingerprint));
    }
    void use_searcher() {
        std::ofstream events(folder_ / "events");
        for (const QString& line : lock_events)
            events << line.toStdString() << '\n';
        events.close();
        const auto file = folder_ / "worker";
        std::ofstream(file) << "#!/bin/bash\nprintf '%s\\n' \"$@\" > " << (folder_ / "asked").string()
                            << "\ncat " << (folder_ / "events").string() << "\n";
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        program_->jobs().set_worker_program(QString::fromStdString(file.string()));
    }
    void search() {
        click(shown<QPushButton>("search"));
        ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
        ASSERT_EQ(program_->jobs().jobs().front().state, JobState::Finished)
            << program_->jobs().jobs().front().error.toStdString();
        ASSERT_TRUE(wait_until([&] { return !page().rows().empty() && page_is_settled(); }));
    }
};

TEST_F(DomainSearchTest, ListsWhatWasFoundInTheWordsOfTheDomain) {
    open_locks();
    program_->selection().select_workload(QStringLiteral("front"));
    select_bench();
    use_searcher();
    shown<QSpinBox>("searched-k")->setValue(2);
    search();
    EXPECT_THAT(column(page().table(), QStringLiteral("digit 1")), ElementsAre("1", "2", "0"));
    EXPECT_THAT(column(page().table(), QStringLiteral("Combination")),
                ElementsAre("3100", "3200", "all zeros"));
    ASSERT_TRUE(wait_until([&] { return page().rows()[0].time.has_value(); }));
    EXPECT_THAT(column(page().table(), QStringLiteral("Time")),
                ElementsAre("1.00\u00A0ms", "–", "4.00\u00A0ms"));
    EXPECT_THAT(column(page().table(), QStringLiteral("Speedup")), ElementsAre("4.00×", "–", "1.00×"));
    EXPECT_THAT(shown<QLabel>("search-headline")->text().toStdString(),
                ::testing::AllOf(
                    HasSubstr("The model first predicts that these 2 combinations are the fastest for front"),
                    HasSubstr("as fast as all zeros")));
    EXPECT_EQ(page().plot().picture().nodes.size(), 4U);
    EXPECT_EQ(page().plot().picture().reference_name, QStringLiteral("all zeros"));
    EXPECT_FALSE(shown<QPushButton>("measure-these")->isVisible()) << "the window can't measure locks";
    std::ifstream asked(folder_ / "asked");
    const std::string words(std::istreambuf_iterator<char>(asked), {});
    for (const char* word : {"search\n", "--model=first\n", "=front\n", "--k=2\n", "--machine="})
        EXPECT_THAT(words, HasSubstr(word));
    EXPECT_THAT(words, Not(HasSubstr("--dense")));
}

TEST_F(DomainSearchTest, ARowIsSelectedOnAllPages) {
    open_locks();
    program_->selection().select_workload(QStringLiteral("front"));
    select_bench();
    use_searcher();
    search();
    QTableView& view = *page().table().view();
    int digit = 0;
    while (view.model()->headerData(digit, Qt::Horizontal).toString() != QLatin1String("digit 0"))
        ++digit;
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      view.visualRect(view.model()->index(1, digit)).center());
    EXPECT_EQ(program_->selection().current().configuration.toStdString(), "3200");
    EXPECT_EQ(page().plot().selected().toString().toStdString(), "3200");
    Q_EMIT page().table().activated_row(0);
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("configurations"));
    EXPECT_EQ(program_->selection().current().configuration.toStdString(), "3100");
}

TEST_F(DomainSearchTest, SaysWhatIsMissing) {
    open_locks(/*with_model=*/false);
    EXPECT_THAT(shown<QPushButton>("search")->toolTip().toStdString(), HasSubstr("train one first"));
    click(shown<QPushButton>("go-training-first"));
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("train"));
}

TEST_F(DomainSearchTest, WithoutAWorkloadItLeadsToTheWorkloads) {
    open_locks();
    program_->selection().select_workload({});
    EXPECT_THAT(shown<QPushButton>("search")->toolTip().toStdString(), HasSubstr("Select a lock first"));
    EXPECT_EQ(shown<QPushButton>("go-choosing-first")->text().toStdString(), "&Choose a lock");
    click(shown<QPushButton>("go-choosing-first"));
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("workloads"));
}

TEST_F(DomainSearchTest, EveryDomainHasASearchPageOfItsOwnKind) {
    open_locks();
    EXPECT_EQ(window().current_page()->findChild<QComboBox*>(QStringLiteral("searched-operator")), nullptr);
    EXPECT_FALSE(shown<QComboBox>("searched-purpose")->isVisible()) << "all models of locks are for the same";
    choose("sparse");
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("search"));
    EXPECT_NE(shown<QComboBox>("searched-operator"), nullptr);
}

TEST_F(DomainSearchTest, OnlyModelsOfOnePurposeAreOffered) {
    const QString file = make_workspace();
    {
        auto workspace = Workspace::open(file.toStdString());
        for (const auto& [name, space] : {std::pair("of-conv", "conv"), std::pair("of-gemm", "gemm")}) {
            const std::string settings = fmt::format(R"({{"domain":"records","space":"{}"}})", space);
            EXPECT_TRUE(add_model(*workspace, {name, std::nullopt, std::nullopt, settings}, {}).has_value());
        }
    }
    open(file);
    choose("records");
    show("search");
    auto* const purpose = shown<QComboBox>("searched-purpose");
    auto* const models = shown<QComboBox>("searching-model");
    ASSERT_TRUE(wait_until([&] { return purpose->isVisible(); }));
    EXPECT_EQ(purpose->count(), 2);
    EXPECT_EQ(models->count(), 1);
    purpose->setCurrentIndex(purpose->findData(QStringLiteral("conv")));
    EXPECT_EQ(models->currentText(), QStringLiteral("of-conv"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("of-conv"));
    program_->selection().select_model(QStringLiteral("of-gemm"));
    EXPECT_EQ(purpose->currentData().toString(), QStringLiteral("gemm"));
    EXPECT_EQ(models->currentText(), QStringLiteral("of-gemm"));
}

/// Import, training and search by the programs that users have.
TEST_F(DomainSearchTest, ARealModelOfTuningRecordsSearches) {
    const std::filesystem::path worker(SPARSIGHT_CLI);
    if (!std::filesystem::exists(worker.parent_path() / "sparsight-learn"))
        GTEST_SKIP() << "sparsight-learn is not built";
    const QString file = make_workspace();
    std::ofstream table(folder_ / "conv.csv");
    table << "workload,machine,tile_x,tile_y,time_ms\n";
    for (const char* machine : {"K20", "Titan", "Vega", "A100"})
        for (int size = 1; size <= 4; ++size)
            for (int x = 1; x <= 5; ++x)
                for (int y = 1; y <= 4; ++y)
                    table << fmt::format("conv{},{},{},{},{:.3f}\n", size, machine, 1 << x, y,
                                         size * (1 + std::abs(x - 3) + 0.5 * std::abs(y - 2)));
    table.close();
    const auto run = [](const QStringList& words) {
        QProcess program;
        program.start(QStringLiteral(SPARSIGHT_CLI), words);
        EXPECT_TRUE(program.waitForFinished(240'000));
        EXPECT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
    };
    const QString workspace = QStringLiteral("--workspace=") + file;
    run({QStringLiteral("import-records"), workspace, path("conv.csv")});
    run({QStringLiteral("train"), workspace, QStringLiteral("--domain=records"),
         QStringLiteral("--name=real"), QStringLiteral("--epochs=3"), QStringLiteral("--no-baseline"),
         QStringLiteral("--threads=1")});
    open(file);
    choose("records");
    show("search");
    const MachineRecord machine = program_->session().contents().machines.front();
    program_->selection().select_machine(QString::fromStdString(machine.fingerprint));
    program_->selection().select_workload(QStringLiteral("conv2"));
    ASSERT_TRUE(wait_until(
        [&] { return shown<QComboBox>("searching-model")->currentText() == QLatin1String("real"); }));
    EXPECT_EQ(page().panel().request().method, QStringLiteral("exhaustive")) << "all of them are known";
    shown<QSpinBox>("searched-k")->setValue(5);
    search();
    EXPECT_EQ(page().rows().size(), 5U) << "records have no baseline";
    ASSERT_TRUE(wait_until([&] { return page().rows()[0].is_measured(); })) << "its time was recorded";
    EXPECT_THAT(column(page().table(), QStringLiteral("tile_x")).size(), 5);
    EXPECT_GE(*page().rows()[0].time->ratio, 1.0);
    EXPECT_THAT(shown<QLabel>("search-headline")->text().toStdString(), HasSubstr("the best known time"));
    const QString folder = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS", path(""));
    EXPECT_TRUE(take_screenshot(window(), QStringLiteral("search"),
                                folder + QStringLiteral("/search-records.png"), std::chrono::seconds(20))
                    .has_value());
}

} // namespace
} // namespace sparsight::testing

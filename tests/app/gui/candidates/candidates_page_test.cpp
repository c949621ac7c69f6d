#include "app/gui/train/train_fixture.h"
#include "domains/sparse/schedule/operator.h"
#include "gui/candidates/candidates_page.h"
#include "gui/candidates/search_map.h"
#include "gui/candidates/search_panel.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/search/search_everything.h"
#include "gui/shell/screenshot.h"
#include "searched_events.h"
#include "widgets/chart/plots/walk_plot.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QSpinBox>
#include <QStandardItemModel>
#include <filesystem>

namespace sparsight::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class CandidatesPageTest : public TrainTest {
protected:
    /// A workspace with matrices m0 … m4, times on two recorded machines, and a model that is a name.
    void make_workspace_with_model() {
        make_measured_workspace();
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(add_model(*workspace, {"first", std::nullopt, std::nullopt, R"({"operator":"spmm"})"}, {})
                        .has_value());
        ASSERT_TRUE(
            add_model(*workspace, {"vector", std::nullopt, std::nullopt, R"({"operator":"spmv"})"}, {})
                .has_value());
    }

    CandidatesPage& open_search(const QString& matrix = QStringLiteral("m0"),
                                const QString& model = QStringLiteral("first")) {
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("search"));
        EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
        // The window chose one of the machines that the workspace knows: this is for this computer.
        program_->selection().select_machine({});
        program_->selection().select_model(model);
        program_->selection().select_workload(matrix);
        return *qobject_cast<CandidatesPage*>(window().current_page());
    }

    /// From now on a search tells these events, and writes down what it was asked.
    void use_searcher(const std::string& matrix, const std::string& before = "") {
        use_events(searched_events(matrix));
        use_worker(before + "printf '%s\\n' \"$@\" > " + (folder_ / "asked").string() + "\ncat " +
                   (folder_ / "events").string() + "\n");
    }
    void use_events(const QStringList& told) {
        std::ofstream events(folder_ / "events");
        for (const QString& line : told)
            events << line.toStdString() << '\n';
    }
    void search() {
        click(find<QPushButton>("search"));
        ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    }
    [[nodiscard]] std::string tooltip(const char* button) {
        return find<QPushButton>(button)->toolTip().toStdString();
    }
};

TEST_F(CandidatesPageTest, WithoutAModelItLeadsToTraining) {
    make_measured_workspace();
    open_search();
    EXPECT_FALSE(find<QPushButton>("search")->isEnabled());
    EXPECT_THAT(tooltip("search"), HasSubstr("train one first"));
    EXPECT_EQ(find<QLabel>("search-refusal")->text(), find<QPushButton>("search")->toolTip());
    click(find<QPushButton>("go-training-first"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("train"));
}

TEST_F(CandidatesPageTest, WithoutAMatrixItLeadsToTheMatrices) {
    make_workspace_with_model();
    open_search(QString());
    EXPECT_THAT(tooltip("search"), HasSubstr("Select a matrix"));
    click(find<QPushButton>("go-choosing-first"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("matrices"));
}

TEST_F(CandidatesPageTest, ListsWhatWasFoundAndDrawsTheWalk) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    find<QSpinBox>("searched-k")->setValue(2);
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3 && page_is_settled(); }));
    EXPECT_EQ(page.table().model()->rowCount(), 3);
    EXPECT_EQ(page.plot().picture().nodes.size(), 6U);
    EXPECT_EQ(page.plot().picture().steps.size(), 4U);
    EXPECT_THAT(find<QLabel>("search-headline")->text().toStdString(),
                HasSubstr("The model first predicts that these 2 schedules are the fastest for m0"));
    EXPECT_THAT(find<QLabel>("search-facts")->text().toStdString(),
                HasSubstr("recall@2 against exhaustive 95.0\u00A0%\u00A0· 400 of 2\u202F500 scored"));
    QFile asked(path("asked"));
    ASSERT_TRUE(asked.open(QIODevice::ReadOnly));
    const std::string words = asked.readAll().toStdString();
    for (const char* word : {"search\n", "--model=first\n", "--workload=m0\n", "--k=2\n", "--ef=200\n",
                             "--map\n", "--method=index\n", "--dense=256\n"})
        EXPECT_THAT(words, HasSubstr(word));
    EXPECT_THAT(words, ::testing::Not(HasSubstr("--machine")));
}

TEST_F(CandidatesPageTest, OfABlendedModelTheTableSaysWhatTheScoreIsMadeOfAndWhyEachWasChosen) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3 && page_is_settled(); }));
    const QHeaderView* header = page.table().view()->horizontalHeader();
    EXPECT_TRUE(header->isSectionHidden(CandidatesModel::Network)) << "it has one score";
    EXPECT_FALSE(page.colours().isVisible());
    use_events(blended_events("m0"));
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows()[0].found.network.has_value() && page_is_settled(); }));
    for (const auto column : {CandidatesModel::Network, CandidatesModel::Simulated, CandidatesModel::Why})
        EXPECT_FALSE(header->isSectionHidden(column));
    const auto text = [&](int row, CandidatesModel::Column column) {
        return page.table().model()->index(row, column).data().toString().toStdString();
    };
    EXPECT_EQ(text(0, CandidatesModel::Why), "best score");
    EXPECT_EQ(text(1, CandidatesModel::Why), "hedge: chunk");
    EXPECT_EQ(text(2, CandidatesModel::Why), "what is compared with");
    const std::string hint =
        page.table().model()->index(1, CandidatesModel::Why).data(Qt::ToolTipRole).toString().toStdString();
    EXPECT_THAT(hint, HasSubstr("Place 32 of 3\u202F000 by the score"));
    EXPECT_THAT(hint, HasSubstr("It differs from rank 1, the most alike before it, in: chunk"));
    page.table().sort_by(CandidatesModel::Network, Qt::AscendingOrder);
    EXPECT_EQ(page.table().displayed_source_rows(), (std::vector<int>{1, 0, 2}));
    page.table().sort_by(CandidatesModel::Simulated, Qt::AscendingOrder);
    EXPECT_EQ(page.table().displayed_source_rows(), (std::vector<int>{0, 1, 2}));
}

TEST_F(CandidatesPageTest, TheMapOfABlendedModelIsColouredByWhatIsChosen) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    use_events(blended_events("m0"));
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3 && page_is_settled(); }));
    ASSERT_TRUE(page.colours().isVisible());
    EXPECT_EQ(page.plot().picture().score_name, QStringLiteral("blended score"));
    page.colours().setCurrentIndex(page.colours().findData(static_cast<int>(MapColours::Simulated)));
    EXPECT_EQ(page.plot().picture().score_name, QStringLiteral("time simulated by the model"));
    EXPECT_EQ(page.plot().picture().nodes[0].score, 0.25);
    EXPECT_THAT(page.plot().picture().title.toStdString(), HasSubstr("by the network’s score alone"));
}

TEST_F(CandidatesPageTest, APointARowAndTheSelectionAreOne) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    QTest::mouseClick(&page.plot(), Qt::LeftButton, {}, page.plot().place_of(1).toPoint());
    EXPECT_EQ(program_->selection().current().configuration.toStdString(), schedule_text(8));
    EXPECT_EQ(program_->selection().current().family, QStringLiteral("spmm"));
    EXPECT_EQ(page.table().current_source_row(), 1);
    page.table().select_source_row(0);
    EXPECT_EQ(program_->selection().current().configuration.toStdString(), schedule_text(4));
    EXPECT_EQ(page.plot().selected().toString().toStdString(), schedule_text(4));
    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QString::fromStdString(schedule_text(32)));
    EXPECT_EQ(page.table().current_source_row(), 2);
    // One that was walked by, and not found, stands in no row.
    QTest::mouseClick(&page.plot(), Qt::LeftButton, {}, page.plot().place_of(3).toPoint());
    EXPECT_EQ(program_->selection().current().configuration.toStdString(), schedule_text(2));
    EXPECT_EQ(page.table().current_source_row(), -1);
}

TEST_F(CandidatesPageTest, WhatWasFoundIsThereWhenTheWindowIsOpenedAgainAndBelongsToItsMatrix) {
    make_workspace_with_model();
    {
        CandidatesPage& page = open_search();
        use_searcher("m0");
        search();
        ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
        program_->selection().select_workload(QStringLiteral("m1"));
        EXPECT_TRUE(page.rows().empty()) << "it was searched for another one";
        EXPECT_TRUE(page.plot().picture().nodes.empty());
    }
    restart();
    CandidatesPage& page = open_search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    find<QSpinBox>("searched-dense")->setValue(32);
    EXPECT_TRUE(page.rows().empty()) << "and for another dense matrix";
    find<QSpinBox>("searched-dense")->setValue(256);
    EXPECT_EQ(page.rows().size(), 3U);
}

TEST_F(CandidatesPageTest, ASearchThatFailsLeavesWhatWasFoundBefore) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    use_worker("echo '{\"event\":\"error\",\"file\":\"\",\"line\":0,\"error\":\"no luck\"}'\nexit 1\n");
    search();
    EXPECT_EQ(page.rows().size(), 3U);
}

TEST_F(CandidatesPageTest, OneThatCouldNotLookAtTheMatrixSaysSoAndLeavesWhatWasFoundBefore) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    use_worker("echo '{\"event\":\"failure\",\"matrix\":\"m0\",\"error\":\"m0: its file is gone\"}'\n"
               "echo '{\"event\":\"end\",\"failures\":[{\"matrix\":\"m0\"}],\"complete\":true,"
               "\"stopped\":false}'\nexit 1\n");
    search();
    EXPECT_EQ(page.rows().size(), 3U);
    EXPECT_TRUE(wait_until(
        [&] { return window().notices().texts().join(u' ').contains(QStringLiteral("its file is gone")); }));
}

TEST_F(CandidatesPageTest, WhatAnEarlierModelOfTheNameFoundIsNotThisOnes) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(remove_model(*workspace, find_model(*workspace, "first")->value().id).has_value());
        ASSERT_TRUE(add_model(*workspace, {"first", std::nullopt, std::nullopt, R"({"operator":"spmm"})"}, {})
                        .has_value());
    }
    restart();
    EXPECT_TRUE(open_search().rows().empty());
}

TEST_F(CandidatesPageTest, AModelThatIsReplacedWhileTheWindowIsOpenTakesItsResultsAway) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(remove_model(*workspace, find_model(*workspace, "first")->value().id).has_value());
        ASSERT_TRUE(add_model(*workspace, {"first", std::nullopt, std::nullopt, R"({"operator":"spmm"})"}, {})
                        .has_value());
    }
    program_->session().refresh();
    EXPECT_TRUE(wait_until([&] { return page.rows().empty(); }, 10));
}

TEST_F(CandidatesPageTest, OneThatFinishesWithoutAChoiceLeavesWhatWasFoundBefore) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    use_worker("echo '{\"event\":\"end\",\"complete\":true,\"stopped\":false}'\n");
    search();
    EXPECT_EQ(page.rows().size(), 3U);
}

TEST_F(CandidatesPageTest, SearchingSelectsTheModelThatSearches) {
    make_workspace_with_model();
    open_search(QStringLiteral("m0"), QString());
    use_searcher("m0");
    ASSERT_FALSE(find<QComboBox>("searching-model")->currentText().isEmpty());
    search();
    EXPECT_EQ(program_->selection().current().model, find<QComboBox>("searching-model")->currentText());
}

TEST_F(CandidatesPageTest, ADoubleClickOnANodeSelectsItAndOnARowGoesToItsMeasurements) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    const QPoint node = page.plot().place_of(1).toPoint();
    QTest::mouseClick(&page.plot(), Qt::LeftButton, {}, node); // a double click begins with one
    QTest::mouseDClick(&page.plot(), Qt::LeftButton, {}, node);
    EXPECT_EQ(program_->selection().current().configuration.toStdString(), schedule_text(8));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("search"));
    Q_EMIT page.table().activated_row(0);
    EXPECT_EQ(program_->selection().current().configuration.toStdString(), schedule_text(4));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("schedules"));
}

TEST_F(CandidatesPageTest, OneScheduleIsNotCalledThese) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    find<QSpinBox>("searched-k")->setValue(1);
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    EXPECT_THAT(find<QLabel>("search-headline")->text().toStdString(),
                HasSubstr("predicts that this schedule is the fastest"));
}

TEST_F(CandidatesPageTest, HowIsSearchedIsRestoredAndTheDenseExtentFollowsItsSetting) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    auto* dense = find<QSpinBox>("searched-dense");
    auto* method = find<QComboBox>("search-method");
    SparseSettings settings(program_->settings());
    settings.dense_extent.set(64);
    EXPECT_EQ(dense->value(), 64);
    find<QSpinBox>("searched-k")->setValue(7);
    method->setCurrentIndex(method->findData(QStringLiteral("evolution")));
    const QByteArray as_set = page.layout_state();
    dense->setValue(48);
    const QByteArray chosen = page.layout_state();
    settings.dense_extent.set(32);
    find<QSpinBox>("searched-k")->setValue(9);
    method->setCurrentIndex(0);
    page.restore_layout(chosen);
    EXPECT_EQ(dense->value(), 48);
    EXPECT_EQ(find<QSpinBox>("searched-k")->value(), 7);
    EXPECT_EQ(method->currentData().toString(), QStringLiteral("evolution"));
    page.restore_layout(as_set);
    EXPECT_EQ(dense->value(), 32) << "it stood as the setting said";
}

TEST_F(CandidatesPageTest, ASearchCanBeStopped) {
    make_workspace_with_model();
    open_search();
    use_worker("trap 'echo \"{\\\"event\\\":\\\"end\\\",\\\"complete\\\":false,\\\"stopped\\\":true}\"; exit "
               "1' INT TERM\n"
               "echo '{\"event\":\"progress\",\"stage\":\"linking schedules\",\"done\":3,\"total\":10}'\n"
               "while true; do sleep 0.05; done\n");
    click(find<QPushButton>("search"));
    auto* stop = find<QPushButton>("stop");
    ASSERT_TRUE(wait_until([&] { return stop->isVisible() && stop->isEnabled(); }));
    EXPECT_THAT(tooltip("search"), HasSubstr("Already running"));
    click(stop);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 30));
    EXPECT_EQ(program_->jobs().jobs().front().state, JobState::Stopped);
    EXPECT_TRUE(find<QPushButton>("search")->isEnabled());
}

TEST_F(CandidatesPageTest, MeasuresWhatWasFoundWithItsThreads) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    EXPECT_THAT(tooltip("measure-these"), HasSubstr("Nothing was found"));
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    program_->jobs().set_worker_program(QStringLiteral(SPARSIGHT_CLI));
    click(find<QPushButton>("measure-these"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    ASSERT_TRUE(wait_until([&] {
        return std::ranges::all_of(page.rows(), [](const CandidateRow& row) { return row.time.has_value(); });
    })) << "their times are in the table";
    EXPECT_THAT(find<QLabel>("search-headline")->text().toStdString(), HasSubstr("as fast as fixed CSR"));
    EXPECT_FALSE(find<QPushButton>("measure-these")->isEnabled());
    EXPECT_THAT(tooltip("measure-these"), HasSubstr("All of these are measured"));
}

TEST_F(CandidatesPageTest, TimesThatSpreadCanBeMeasuredAgain) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3; }));
    auto* const noise = find<QLabel>("search-noise");
    EXPECT_EQ(noise->text(), QString()) << "nothing is measured";
    use_worker("printf '%s\n' \"$@\" > " + (folder_ / "measured").string() + "\n");
    Q_EMIT noise->linkActivated(QStringLiteral("again"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    QFile measured(path("measured"));
    ASSERT_TRUE(measured.open(QIODevice::ReadOnly));
    EXPECT_THAT(measured.readAll().toStdString(), HasSubstr("--again"));
}

TEST_F(CandidatesPageTest, ForARecordedMachineTimesAreLookedUpAndNothingIsMeasured) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    auto* method = find<QComboBox>("search-method");
    const int recorded = method->findData(QStringLiteral("recorded"));
    const auto* items = qobject_cast<QStandardItemModel*>(method->model());
    EXPECT_FALSE(items->item(recorded)->isEnabled());
    program_->selection().select_machine(QStringLiteral("recorded:server"));
    EXPECT_TRUE(items->item(recorded)->isEnabled());
    EXPECT_EQ(page.panel().request().machine, QStringLiteral("recorded:server"));
    use_searcher("m0");
    search();
    ASSERT_TRUE(wait_until([&] { return page.rows().size() == 3 && page.rows()[2].time.has_value(); }))
        << "fixed CSR was recorded on it";
    EXPECT_EQ(page.rows()[2].origin, TimeSource::Recorded);
    EXPECT_FALSE(find<QPushButton>("measure-these")->isEnabled());
    EXPECT_THAT(tooltip("measure-these"), HasSubstr("only this computer"));
}

TEST_F(CandidatesPageTest, TheOperatorIsTheModels) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    auto* models = find<QComboBox>("searching-model");
    auto* op = find<QComboBox>("searched-operator");
    EXPECT_EQ(models->count(), 1);
    op->setCurrentIndex(op->findText(QStringLiteral("SpMV")));
    EXPECT_EQ(models->currentText(), QStringLiteral("vector"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("vector"));
    EXPECT_FALSE(find<QSpinBox>("searched-dense")->isEnabled());
    EXPECT_EQ(sparse_setting(page.panel().request().setting.setting).op, Operator::SpMV);
    op->setCurrentIndex(op->findText(QStringLiteral("SDDMM")));
    EXPECT_EQ(models->count(), 0);
    EXPECT_THAT(tooltip("search"), HasSubstr("no model of SDDMM"));
    program_->selection().select_model(QStringLiteral("first"));
    EXPECT_EQ(op->currentText(), QStringLiteral("SpMM"));
    EXPECT_EQ(models->currentText(), QStringLiteral("first"));
}

TEST_F(CandidatesPageTest, OnlyWhatTheMethodUsesIsAskedAndPassedOn) {
    make_workspace_with_model();
    CandidatesPage& page = open_search();
    auto* method = find<QComboBox>("search-method");
    EXPECT_TRUE(find<QSpinBox>("searched-ef")->isVisible());
    EXPECT_FALSE(find<QSpinBox>("searched-budget")->isVisible());
    EXPECT_FALSE(page.panel().request().budget.has_value());
    method->setCurrentIndex(method->findData(QStringLiteral("evolution")));
    EXPECT_FALSE(find<QSpinBox>("searched-ef")->isVisible());
    EXPECT_TRUE(find<QSpinBox>("searched-budget")->isVisible());
    EXPECT_EQ(page.panel().request().budget, 5000);
    EXPECT_FALSE(page.panel().request().width.has_value());
    EXPECT_THAT(method->toolTip().toStdString(), HasSubstr("whole space"));
}

/// The trainer and the search themselves, from a model that was trained a moment ago to the walk.
TEST_F(CandidatesPageTest, ARealModelSearches) {
    const std::filesystem::path worker(SPARSIGHT_CLI);
    if (!std::filesystem::exists(worker.parent_path() / "sparsight-learn"))
        GTEST_SKIP() << "sparsight-learn is not built";
    const QString workspace = make_measured_workspace(8);
    QProcess training;
    training.start(QStringLiteral(SPARSIGHT_CLI),
                   {QStringLiteral("train"), QStringLiteral("--workspace"), workspace,
                    QStringLiteral("--name"), QStringLiteral("real"), QStringLiteral("--epochs"),
                    QStringLiteral("2"), QStringLiteral("--no-baseline"), QStringLiteral("--threads"),
                    QStringLiteral("1")});
    ASSERT_TRUE(training.waitForFinished(120'000));
    ASSERT_EQ(training.exitCode(), 0) << training.readAllStandardError().toStdString();
    CandidatesPage& page = open_search(QStringLiteral("m3"), QStringLiteral("real"));
    find<QSpinBox>("searched-k")->setValue(5);
    click(find<QPushButton>("search"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    ASSERT_EQ(program_->jobs().jobs().front().state, JobState::Finished)
        << program_->jobs().jobs().front().error.toStdString();
    ASSERT_TRUE(wait_until([&] { return !page.rows().empty() && page_is_settled(); }));
    EXPECT_THAT(page.rows().size(), AnyOf(5U, 6U));
    const WalkPicture& picture = page.plot().picture();
    EXPECT_GT(picture.nodes.size(), 1000U);
    EXPECT_FALSE(path_to_best(picture).empty()) << "the walk came to the best";
    EXPECT_EQ(picture.reference_name, QStringLiteral("fixed CSR"));
    EXPECT_GT(picture.explained[0], 0);
    const QString folder = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS", path(""));
    EXPECT_TRUE(take_screenshot(window(), QStringLiteral("search"), folder + QStringLiteral("/search.png"),
                                std::chrono::seconds(20))
                    .has_value());
}

using ::testing::Not;

class ModelCardTest : public TrainTest {
protected:
    void open_with_models() {
        make_measured_workspace();
        {
            auto workspace = Workspace::open(path("w.sparsight").toStdString());
            const auto parent = add_model(*workspace, {"meta-of-all", std::nullopt, std::nullopt, "{}"}, {});
            ASSERT_TRUE(parent.has_value());
            ASSERT_TRUE(
                add_model(
                    *workspace,
                    {"tuned", std::nullopt, *parent,
                     R"({"architecture":"statistics","operator":"sddmm","training":{"method":"fine-tuned",
                               "machines":["laptop","server"],"matrices":["m0","m1","m2"],
                               "metrics":{"ordered_pair_accuracy":0.8756,"kendall_tau":0.708,"regret_at_20":0.0754}}})"},
                    {})
                    .has_value());
        }
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("train"));
        ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    }
    [[nodiscard]] std::string facts() {
        return window().findChild<QLabel*>(QStringLiteral("model-facts"))->text().toStdString();
    }
};

TEST_F(ModelCardTest, SaysWhatTheSelectedModelIs) {
    open_with_models();
    EXPECT_THAT(facts(), HasSubstr("None is selected"));
    program_->selection().select_model(QStringLiteral("tuned"));
    for (const char* fact : {"StatisticsNet", "SDDMM", "fine-tuned", "meta-of-all", "laptop; server",
                             "3\u00A0matrices", "87.6\u00A0%", "0.71", "7.54\u00A0%"})
        EXPECT_THAT(facts(), HasSubstr(fact));
    const auto* label = window().findChild<QLabel*>(QStringLiteral("model-facts"));
    EXPECT_THAT(label->toolTip().toStdString(), HasSubstr("m0, m1, m2"));
    program_->selection().select_model(QStringLiteral("gone"));
    EXPECT_THAT(facts(), HasSubstr("None is selected")) << "of one that is not there nothing is known";
}

TEST_F(ModelCardTest, OfAGrayBoxSaysWhatItsSimulatorDoesAloneAndCountsManyMachines) {
    make_measured_workspace();
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto run = start_run(*workspace, "finetune", R"({"name":"gray"})");
        ASSERT_TRUE(
            record_metric(*workspace, *run, "simulator/ordered_pair_accuracy", {0, 0.89}).has_value());
        ASSERT_TRUE(end_run(*workspace, *run, RunState::Finished).has_value());
        ASSERT_TRUE(add_model(*workspace,
                              {"gray", *run, std::nullopt,
                               R"({"architecture":"gray-box","input":{"operator":"spmm"},"training":{
                                   "method":"closed-form","machines":["m-1","m-2","m-3","m-4"]}})"},
                              {})
                        .has_value());
    }
    open(path("w.sparsight"));
    program_->selection().select_model(QStringLiteral("gray"));
    const auto* const label = window().findChild<QLabel*>(QStringLiteral("model-facts"));
    const auto text = [label] { return label->text().replace(QChar::Nbsp, u' ').toStdString(); };
    ASSERT_TRUE(wait_until([&] { return text().find("gray box") != std::string::npos; }));
    EXPECT_THAT(text(), HasSubstr("simulator alone</td><td>89.0 %"));
    EXPECT_THAT(text(), HasSubstr("machines</td><td>4<"));
    EXPECT_THAT(label->toolTip().toStdString(), HasSubstr("m-1; m-2; m-3; m-4"));
}

TEST_F(ModelCardTest, WithoutAModelItLeadsToTraining) {
    make_measured_workspace();
    open(path("w.sparsight"));
    ASSERT_TRUE(wait_until([&] { return facts().find("href='train'") != std::string::npos; }));
    Q_EMIT window().findChild<QLabel*>(QStringLiteral("model-facts"))->linkActivated(QStringLiteral("train"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("train"));
}

TEST_F(ModelCardTest, SearchEverythingFindsAModelAndLetsItSearch) {
    open_with_models();
    window().findChild<QAction*>(QStringLiteral("search-everything"))->trigger();
    auto* everything = window().findChild<SearchEverything*>();
    ASSERT_NE(everything, nullptr);
    auto* field = everything->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("meta-of"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("meta-of-all"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("search"));
}

} // namespace
} // namespace sparsight::testing

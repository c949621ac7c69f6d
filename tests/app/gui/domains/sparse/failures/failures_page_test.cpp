#include "failures_fixture.h"
#include "gui/domains/sparse/comparison/comparison_dialog.h"
#include "gui/domains/sparse/failures/cases/case_sections.h"
#include "gui/domains/sparse/failures/cases/case_view.h"
#include "gui/domains/sparse/failures/failures_page.h"
#include "gui/domains/sparse/failures/tuning/before_after_view.h"
#include "gui/failures/failure_exports.h"
#include "gui/failures/failure_lists.h"
#include "gui/shell/screenshot.h"
#include "store/sqlite.h"
#include "support/test_files.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/schedule/code/code_view.h"
#include "widgets/schedule/code/schedule_comparison.h"
#include "widgets/table/table_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <atomic>
#include <chrono>
#include <gmock/gmock.h>
#include <thread>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(FailuresTest, WithoutAnEvaluationItSaysWhatToDo) {
    open_workspace_on(QStringLiteral("failures"));
    EXPECT_FALSE(find<QPushButton>("go-evaluating")->isVisible()) << "there is no model yet";
    click(find<QPushButton>("go-training"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("train"));
    window().show_page(QStringLiteral("failures"));
    EXPECT_FALSE(page().exports().action().isEnabled());
    EXPECT_THAT(page().exports().action().toolTip().toStdString(), HasSubstr("no failure"));
}

TEST_F(FailuresTest, TellsTheFailuresAsStoriesWithTheirCases) {
    const QAbstractItemModelTester tester(open_failures().table().model());
    EXPECT_EQ(text("failures-headline"), "3 of 4 choices fail, in 1 group.");
    EXPECT_EQ(page().groups().model()->rowCount(), 2) << "all of them, and the one group";
    EXPECT_EQ(page().table().model()->rowCount(), 3);
    page().groups().choose(1);
    EXPECT_THAT(page().groups().currentIndex().data().toString().toStdString(),
                HasSubstr("Format of k1: uncompressed"));
    EXPECT_EQ(page().table().model()->rowCount(), 3);
    page().groups().choose(0);
    EXPECT_EQ(page().table().current_source_row(), 0) << "the case that was looked at stays";
    const TableView& view = *page().table().view();
    EXPECT_EQ(view.horizontalHeader()->visualIndex(CasesModel::Model), 1) << "beside the matrix";
    EXPECT_TRUE(view.isColumnHidden(CasesModel::Model)) << "of one model";
    EXPECT_FALSE(view.isColumnHidden(CasesModel::Than));
}

TEST_F(FailuresTest, TellsOfTheGreatestLossAtOnceAndAddsUp) {
    open_failures();
    EXPECT_THAT(text("case-headline"), HasSubstr("The schedule that first chose on <b>m2</b> "));
    EXPECT_THAT(text("case-headline"), HasSubstr("× as long as fixed CSR</span>"));
    EXPECT_THAT(text("blame-sentence"), HasSubstr("format of k1 as uncompressed instead of compressed"));
    EXPECT_THAT(text("mechanism-sentence"), HasSubstr("What grows most is"));
    EXPECT_THAT(text("schedule-change"), HasSubstr("fixed CSR"));
    const WaterfallPicture& picture = page().view().decision().waterfall().picture();
    double sum = picture.from.value;
    for (const WaterfallBar& bar : picture.steps)
        sum += bar.amount;
    EXPECT_NEAR(sum, picture.to.value, 1e-9 * picture.to.value);
    EXPECT_EQ(page().view().mechanism().bars().picture().bars.size(), 2);
}

TEST_F(FailuresTest, WhatMisledAGrayBoxArrivesAfterItsCases) {
    model_description_ =
        R"({"architecture":"gray-box","input":{"operator":"spmm","dense":32},"training":{"matrices":["m3"]}})";
    open(make_failing_workspace());
    const auto may_answer = std::make_shared<std::atomic<bool>>(false);
    page().set_ask_gray_boxes([may_answer](const std::string&, const ReadFailures& failures,
                                           const std::stop_token& stop) -> Result<MisleadingParts> {
        while (!*may_answer && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const MisleadingPart part{.known = 3, .simulated = 1.2, .corrected = 0.8};
        return MisleadingParts{{failures.cases.size(), part}, {}};
    });
    window().show_page(QStringLiteral("failures"));
    ASSERT_TRUE(wait_until([&] { return page().study().shown() != nullptr; }));
    EXPECT_EQ(page().table().model()->rowCount(), 3);
    EXPECT_TRUE(page().table().view()->isColumnHidden(CasesModel::MisledBy));
    EXPECT_THAT(text("failures-remarks"), HasSubstr("The gray box is being asked what misled it."));
    const ExplanationValues* const explained = page().study().shown();
    *may_answer = true;
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_FALSE(page().table().view()->isColumnHidden(CasesModel::MisledBy));
    ASSERT_TRUE(page().study().failure()->misleading);
    EXPECT_EQ(page().study().failure()->misleading->by(), MisledBy::Correction);
    EXPECT_EQ(page().study().shown(), explained) << "nothing is simulated again";
}

TEST_F(FailuresTest, AClickOnABarShowsTheScheduleWithThisDecisionAloneChanged) {
    open_failures();
    DecisionSection& section = page().view().decision();
    EXPECT_FALSE(section.one_step().isVisible());
    WaterfallChart& chart = section.waterfall();
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.place_of(1).toPoint());
    ASSERT_TRUE(section.one_step().isVisibleTo(&section));
    EXPECT_THAT(text("one-step-title"), HasSubstr("format of k1 as uncompressed, nothing else changed"));
    EXPECT_GT(section.one_step().differing_lines(), 0);
    EXPECT_THAT(section.one_step().right().toPlainText().toStdString(), Not(HasSubstr("k_crd")));
    QTest::keyClick(&chart, Qt::Key_Up);
    EXPECT_THAT(text("one-step-title"), HasSubstr("No decision changed"));
    EXPECT_EQ(section.one_step().differing_lines(), 0);
}

TEST_F(FailuresTest, ACaseIsSelectedEverywhereAndFollowsTheSelection) {
    open_failures();
    TableView* const view = page().table().view();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                      view->visualRect(view->model()->index(1, 0)).center());
    const Selected now = program_->selection().current();
    EXPECT_EQ(now.workload, QStringLiteral("m1"));
    EXPECT_EQ(now.machine, QStringLiteral("recorded:laptop"));
    EXPECT_EQ(now.model, QStringLiteral("first"));
    EXPECT_EQ(*parse_schedule(Operator::SpMM, now.configuration.toStdString()), exploding());
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>m1</b>"));
    program_->selection().select_workload(QStringLiteral("m0"));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>m0</b>"));
    EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_NE(page().study().shown(), nullptr);
}

TEST_F(FailuresTest, NothingIsCutOffInASmallWindow) {
    window().resize(1280, 800);
    open_failures();
    const auto* const scroll = page().view().findChild<QScrollArea*>();
    EXPECT_LE(scroll->widget()->width(), scroll->viewport()->width());
    QTest::mouseClick(&page().view().decision().waterfall(), Qt::LeftButton, {},
                      page().view().decision().waterfall().place_of(1).toPoint());
    find<QToolButton>("all-terms")->setChecked(true);
    EXPECT_TRUE(wait_until([&] { return scroll->widget()->width() <= scroll->viewport()->width(); }));
    for (const QWidget* each : scroll->widget()->findChildren<QWidget*>())
        EXPECT_LE(each->minimumSizeHint().width(), scroll->viewport()->width() - 60)
            << each->metaObject()->className() << " " << each->objectName().toStdString();
}

TEST_F(FailuresTest, ThreeCasesAreSeenInALowWindow) {
    window().resize(940, 500);
    open_failures();
    const auto* const list = page().table().view();
    const auto cases_seen = [&] {
        const QRect seen = list->viewport()->visibleRegion().boundingRect();
        int cases = 0;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            cases += seen.contains(list->visualRect(list->model()->index(row, 0)).center()) ? 1 : 0;
        return cases;
    };
    EXPECT_TRUE(wait_until([&] { return cases_seen() == 3; })) << cases_seen();
    const auto* const scroll = page().view().findChild<QScrollArea*>();
    EXPECT_LE(scroll->widget()->width(), scroll->viewport()->width()) << "nothing of the case is cut off";
}

TEST_F(FailuresTest, TitlesOfACaseHaveALineEachInANarrowColumn) {
    window().resize(940, 500);
    open_failures();
    const auto titles = page().view().findChildren<QLabel*>(QStringLiteral("case-side-title"));
    const auto times = page().view().findChildren<QLabel*>(QStringLiteral("case-side-time"));
    ASSERT_EQ(titles.size(), 2);
    ASSERT_EQ(times.size(), 2);
    const auto is_one_line = [](const QLabel* label) {
        return label->height() < 2 * label->fontMetrics().lineSpacing();
    };
    EXPECT_TRUE(wait_until([&] { return std::ranges::all_of(titles, is_one_line); }))
        << titles[1]->text().toStdString() << ": " << titles[1]->width() << " × " << titles[1]->height();
    EXPECT_EQ(titles[0]->y(), times[0]->y());
}

TEST_F(FailuresTest, NoSectionIsWiderThanANarrowColumn) {
    open_failures();
    const auto tuned_case = [](const QString& matrix) {
        TuningOutcome outcome;
        outcome.matrix = matrix;
        outcome.before = {QStringLiteral("1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 32"), 1.313, 0.05, 10};
        outcome.after = {QStringLiteral("1 1 1 i1 i0 k1 k0 j1 j0 0 1 1 1 i1 2 32"), 0.5075, 0.007, 1};
        outcome.fixed_csr_ms = 1.304;
        outcome.best_known_ms = 0.488;
        outcome.turns = 9;
        return outcome;
    };
    TuningState state;
    state.op = Operator::SpMM;
    state.model = QStringLiteral("first");
    state.tuned = QStringLiteral("first-and-its-failures");
    state.learned = {QStringLiteral("withoutanybreakinitslongname")};
    state.comparison = TuningComparison{};
    state.comparison->outcomes = {tuned_case(QStringLiteral("m2")), tuned_case(state.learned.front())};
    CaseView& view = page().view();
    view.findChild<BeforeAfterView*>()->show_outcomes(state, QStringLiteral("m2"));
    view.setParent(nullptr);
    view.resize(420, 800);
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    const auto* const scroll = view.findChild<QScrollArea*>();
    ASSERT_TRUE(wait_until([&] { return view.width() == 420; })) << view.width();
    ASSERT_TRUE(view.findChild<BeforeAfterView*>()->isVisible());
    EXPECT_LE(scroll->widget()->width(), scroll->viewport()->width());
    for (const CaseSection* each : view.findChildren<CaseSection*>())
        EXPECT_LE(each->minimumSizeHint().width(), scroll->viewport()->width())
            << each->caption().toStdString();
    for (const QWidget* each : view.findChild<BeforeAfterView*>()->findChildren<QWidget*>())
        EXPECT_LE(each->minimumSizeHint().width(), each->width()) << each->objectName().toStdString();
    view.setParent(&page());
}

TEST_F(FailuresTest, SaysThatANewerEvaluationIsThereThanTheChosenOneAndShowsIt) {
    open_failures();
    const auto newer = [&] { return find<QLabel>("newer-evaluation"); };
    EXPECT_FALSE(newer()->isVisible()) << "the newest is looked at";
    const RunId older = page().read()->setting.run;
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto runs = list_runs(*workspace);
        ASSERT_TRUE(runs);
        const auto evaluated = std::ranges::find(*runs, older, &RunRecord::id);
        ASSERT_NE(evaluated, runs->end());
        const RunId run = *start_run(*workspace, "evaluate", evaluated->parameters);
        const ModelId model = list_models(*workspace)->front().id;
        for (const char* matrix : {"m0", "m1", "m2", "m3"})
            ASSERT_TRUE(record_choices(*workspace, run, model, (*find_matrix(*workspace, matrix))->id,
                                       std::vector<ChosenSchedule>{{exploding(), -1.0}}));
        ASSERT_TRUE(end_run(*workspace, run, RunState::Finished));
    }
    auto* const choice = find<QComboBox>("failure-source");
    Q_EMIT choice->activated(choice->currentIndex());
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && newer()->isVisible(); }));
    EXPECT_EQ(page().read()->setting.run, older) << "what was chosen stays";
    EXPECT_THAT(newer()->text().toStdString(), HasSubstr("A newer evaluation is there: first on"));
    Q_EMIT newer()->linkActivated(QStringLiteral("newest"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && !newer()->isVisible(); }));
    EXPECT_NE(page().read()->setting.run, older);
}

TEST_F(FailuresTest, WhyTwoRowsCantBeComparedStandsInTheTooltipOfItsButton) {
    open_failures();
    auto* const action = page().table().findChild<QAction*>(QStringLiteral("compare-schedules"));
    EXPECT_FALSE(action->isEnabled());
    const auto buttons = page().table().findChildren<QToolButton*>();
    const auto button = std::ranges::find(buttons, action, &QToolButton::defaultAction);
    ASSERT_NE(button, buttons.end());
    EXPECT_THAT((*button)->toolTip().toStdString(), HasSubstr("Select two rows"));
}

TEST_F(FailuresTest, BothSchedulesCanBeComparedSideBySide) {
    open_failures();
    auto* const compare = page().findChild<QAction*>(QStringLiteral("compare-case"));
    ASSERT_TRUE(compare->isEnabled()) << compare->toolTip().toStdString();
    compare->trigger();
    auto* const dialog = window().findChild<ComparisonDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(wait_until([&] { return dialog->is_settled(); }));
}

TEST_F(FailuresTest, WhatCantBeMeasuredHereSaysWhy) {
    open_failures();
    auto* const measure = find<QPushButton>("measure-blame");
    EXPECT_FALSE(measure->isEnabled());
    EXPECT_THAT(measure->toolTip().toStdString(), HasSubstr("of laptop"));
}

TEST_F(FailuresTest, OnThisComputerTheBlameIsMeasuredByAJobAndItsTimesStay) {
    open_failures(true);
    ASSERT_EQ(program_->session().this_machine().toStdString(), fingerprint_);
    EXPECT_FALSE(page().study().shown()->is_measured);
    click(find<QPushButton>("measure-blame"));
    EXPECT_TRUE(page().study().measuring());
    EXPECT_THAT(find<QPushButton>("measure-blame")->toolTip().toStdString(), HasSubstr("being measured"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    EXPECT_EQ(program_->jobs().jobs().front().error.toStdString(), "");
    ASSERT_TRUE(page().study().shown()->is_measured);
    EXPECT_FALSE(page().view().decision().waterfall().picture().hatched);
    EXPECT_EQ(page().view().mechanism().terms().model()->rowCount(), 19) << "counters, or why there are none";
    // The two side by side tell the same.
    page().findChild<QAction*>(QStringLiteral("compare-case"))->trigger();
    auto* const dialog = window().findChild<ComparisonDialog*>();
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(wait_until([&] { return dialog->is_settled(); }));
    EXPECT_FALSE(dialog->view().waterfall().picture().hatched);
    EXPECT_EQ(dialog->view().waterfall().picture().to.value,
              page().view().decision().waterfall().picture().to.value);
    // Looked at again, it is there at once.
    program_->selection().select_workload(QStringLiteral("m0"));
    EXPECT_FALSE(page().study().shown() != nullptr && page().study().shown()->is_measured);
    program_->selection().select_workload(QStringLiteral("m2"));
    ASSERT_NE(page().study().shown(), nullptr);
    EXPECT_TRUE(page().study().shown()->is_measured);
    EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
}

TEST_F(FailuresTest, AModelThatIsSelectedAndIsNotThatOfTheCaseIsTold) {
    open_failures();
    EXPECT_EQ(text("case-other-model"), "");
    program_->selection().select_model(QStringLiteral("second"));
    EXPECT_THAT(text("failures-other-model"),
                HasSubstr("second is not in this evaluation, which is of first"));
    program_->selection().select_model(QStringLiteral("first"));
    EXPECT_FALSE(find<QLabel>("failures-other-model")->isVisibleTo(&page()));
    EXPECT_FALSE(find<QLabel>("case-other-model")->isVisibleTo(&page()));
}

TEST_F(FailuresTest, TimesThatAreSimulatedAreSaidToBe) {
    open_failures();
    EXPECT_THAT(text("schedule-change"), HasSubstr("simulated"));
    EXPECT_THAT(text("blame-method"), Not(HasSubstr("measured"))) << "the evaluation is simulated, too";
}

TEST_F(FailuresTest, WhereTheSimulatorContradictsTheMeasurementItSaysSoAndOffersToCalibrate) {
    make_failing_workspace(true);
    { // by the clock, which knows better, what stores every column is the faster one
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto machine = find_machine(*workspace, fingerprint_);
        const auto matrix = find_matrix(*workspace, "m3");
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.repeats = 1;
        measurement.median = Milliseconds(1e-6);
        ASSERT_TRUE(record_measurement(*workspace, {(*matrix)->id, (*machine)->id, dense, "simulated"},
                                       exploding(), measurement));
    }
    open(path("w.sparsight"));
    window().show_page(QStringLiteral("failures"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().read()->cases.size() == 4; }));
    program_->selection().select_workload(QStringLiteral("m3"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().study().shown() != nullptr; }));
    const auto disagreement = page().study().disagreement();
    ASSERT_TRUE(disagreement);
    EXPECT_GT(disagreement->measured_factor, 1);
    EXPECT_LT(disagreement->simulated_factor, 1);
    EXPECT_THAT(text("mechanism-sentence"), HasSubstr("The simulation has no such loss"));
    EXPECT_THAT(text("simulation-contradicts"), HasSubstr("disagree"));
    EXPECT_THAT(text("blame-sentence"),
                AllOf(HasSubstr("disagree by a factor of"), HasSubstr("simulated on"),
                      HasSubstr("Only measuring tells which decision lost it."), Not(HasSubstr("costly"))))
        << "that both disagree is said instead of a decision to blame";
    auto& waterfall = page().view().decision().waterfall();
    EXPECT_FALSE(waterfall.isVisibleTo(&page())) << "the simulated steps are folded";
    EXPECT_EQ(find<QPushButton>("measure-blame")->text().remove(u'&'),
              QStringLiteral("Measure the steps between"));
    find<QToolButton>("fold-blame")->click();
    EXPECT_TRUE(waterfall.isVisibleTo(&page()));
    EXPECT_EQ(text("other-changes"), "") << "not that nothing could be changed";
    click(find<QPushButton>("calibrate-machine"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("machines"));
    EXPECT_EQ(program_->selection().current().machine.toStdString(), fingerprint_);
}

TEST_F(FailuresTest, AStoryAndItsCaseAreSimulatedOnTheThreadsThatWereMeasured) {
    open_failures();
    for (const FailureCase& failure : page().read()->cases) {
        program_->selection().select_workload(QString::fromStdString(failure.workload));
        ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().study().shown() != nullptr; }));
        ASSERT_TRUE(failure.diagnosis);
        EXPECT_EQ(page().study().subject()->threads, page().read()->setting.threads.value_or(0));
        EXPECT_NEAR(page().study().shown()->steps.front().ms, failure.diagnosis->top().milliseconds,
                    1e-6 * failure.diagnosis->top().milliseconds);
    }
}

TEST_F(FailuresTest, AWrongRankingLosesNoTime) {
    CasesModel model(failure_words());
    FailureCase failure;
    failure.workload = "m";
    failure.signs.push_back({.kind = FailureKind::MisRanked,
                             .held_against = FailureAgainst::OwnBest,
                             .chosen = {.configuration = "a", .milliseconds = 3, .rank = 1},
                             .against = {.configuration = "b", .milliseconds = 1, .rank = 4}});
    FailureCase slower = failure;
    slower.workload = "n";
    slower.signs.front().kind = FailureKind::SlowerThanBaseline;
    slower.signs.front().held_against = FailureAgainst::Baseline;
    model.set_rows({failure, slower});
    EXPECT_EQ(model.headerData(CasesModel::Lost, Qt::Horizontal, Qt::DisplayRole).toString(),
              QStringLiteral("Lost time"));
    EXPECT_THAT(model.index(0, CasesModel::Lost).data().toString().toStdString(), Not(HasSubstr("ms")));
    EXPECT_THAT(model.index(1, CasesModel::Lost).data().toString().toStdString(), HasSubstr("2.00\u00A0ms"));
    EXPECT_EQ(model.index(1, CasesModel::Rank).data().toString(), QStringLiteral("1"));
}

TEST_F(FailuresTest, SavesAReportWithThePagesOfItsCases) {
    open_failures();
    for (const char* name : {"report.html", "report.pdf"}) {
        page().exports().write(path(name));
        ASSERT_TRUE(wait_until([&] { return !page().exports().is_busy() && QFile::exists(path(name)); }, 60));
        EXPECT_GT(QFile(path(name)).size(), 2000) << name;
    }
    QFile html(path("report.html"));
    ASSERT_TRUE(html.open(QIODevice::ReadOnly));
    const std::string written = html.readAll().toStdString();
    EXPECT_THAT(written, AllOf(HasSubstr("m2"), HasSubstr("<svg"), HasSubstr("format of k1")));
}

TEST_F(FailuresTest, ClosingTheWorkspaceEmptiesIt) {
    open_failures();
    program_->session().close();
    EXPECT_TRUE(wait_until([&] { return page().table().model()->rowCount() == 0; }));
    EXPECT_EQ(page().study().failure(), nullptr);
}

TEST_F(FailuresTest, OfTheWorkspaceBeforeNothingIsShown) {
    open_failures();
    const QString other = make_workspace("other.sparsight");
    open(other);
    EXPECT_EQ(page().table().model()->rowCount(), 0);
    window().show_page(QStringLiteral("failures"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(page().table().model()->rowCount(), 0);
    EXPECT_EQ(page().study().failure(), nullptr);
}

TEST_F(FailuresTest, ClosingTheWindowWhileItReadsIsNoTrouble) {
    open(make_failing_workspace());
    window().show_page(QStringLiteral("failures"));
    program_.reset();
}

} // namespace
} // namespace sparsight::testing

namespace sparsight {
namespace {

FailureGroupText told(const char* key) {
    return {
        QLatin1String(key), QLatin1String(key), QStringLiteral("loses +40 %"), QStringLiteral("2 cases"), {}};
}

TEST(FailureGroupList, TheFirstIsChosenAndTheChosenOneStaysWhereItIsStillThere) {
    FailureGroupList list;
    const QAbstractItemModelTester tester(list.model());
    list.set_groups({told("all"), told("chunk"), told("split")});
    EXPECT_EQ(list.current_group(), 0);
    list.choose(2);
    list.set_groups({told("all"), told("split")});
    EXPECT_EQ(list.current_group(), 1);
    list.set_groups({told("all"), told("format")});
    EXPECT_EQ(list.current_group(), 0);
    list.set_groups({});
    EXPECT_EQ(list.current_group(), -1);
}

TEST(FailureGroupList, AGroupIsAsHighAsItsWords) {
    FailureGroupList list;
    list.resize(240, 300);
    FailureGroupText longer = told("split");
    longer.text = QString(8, u' ').replace(u' ', QStringLiteral("a long explanation "));
    list.set_groups({told("all"), longer});
    list.show();
    EXPECT_LT(list.sizeHintForRow(0), list.sizeHintForRow(1));
    EXPECT_GE(list.sizeHint().height(), 4 * list.sizeHintForRow(1));
}

TEST(FailureGroupList, ChoosingIsToldAndFillingIsNot) {
    FailureGroupList list;
    QSignalSpy chosen(&list, &FailureGroupList::chosen);
    list.set_groups({told("all"), told("chunk")});
    EXPECT_EQ(chosen.size(), 0);
    list.show();
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                      list.visualRect(list.model()->index(1, 0)).center());
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].toInt(), 1);
    QTest::keyClick(&list, Qt::Key_Up);
    EXPECT_EQ(chosen.size(), 2);
}

TEST(FailureGroupList, AScreenReaderIsToldTheWholeGroup) {
    FailureGroupList list;
    list.set_groups({told("chunk")});
    EXPECT_EQ(list.model()->index(0, 0).data(Qt::AccessibleTextRole).toString(),
              QStringLiteral("chunk, 2 cases, loses +40 %"));
}

} // namespace
} // namespace sparsight

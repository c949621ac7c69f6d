// The selected schedule from inside: what the tabs beside the ranking show.
#include "schedules_page_fixture.h"

#include "gui/domains/sparse/details/costed_code.h"
#include "gui/domains/sparse/details/schedule_details.h"
#include "gui/domains/sparse/details/timeline_view.h"
#include "widgets/chart/plots/lane_plot.h"
#include "widgets/look/number_text.h"
#include "widgets/table/data_table.h"

#include <QClipboard>
#include <QComboBox>
#include <QHelpEvent>
#include <QJsonObject>
#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QToolTip>
#include <fmt/format.h>

namespace sparsight::testing {
namespace {

TEST_F(SchedulesPageTest, AllTabsOfTheDetailsAreSeenAtTheUsualSize) {
    record(8, Milliseconds(1));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1 && page_is_settled(); }));
    ASSERT_EQ(window().size(), QSize(1280, 800));
    const QTabBar* const tabs = page().findChild<ScheduleDetails*>()->tabs().tabBar();
    EXPECT_TRUE(tabs->rect().contains(tabs->tabRect(tabs->count() - 1)));
}

TEST_F(SchedulesPageTest, TheSentenceAboveTheEditorIsThatOfTheDraft) {
    choose_schedule();
    const auto* meaning = find<QLabel>("schedule-meaning");
    const QString chosen = meaning->text();
    page().findChild<ScheduleDetails*>()->tabs().setCurrentWidget(&editor());
    EXPECT_EQ(meaning->text(), chosen) << "nothing is edited";
    flip_the_rows();
    EXPECT_THAT(meaning->text().toStdString(), ::testing::StartsWith("Your draft"));
    page().findChild<ScheduleDetails*>()->tabs().setCurrentIndex(0);
    EXPECT_EQ(meaning->text(), chosen) << "the code is that of the schedule that is chosen";
}

TEST_F(SchedulesPageTest, TheLoopNestSaysWhatEachLineCosts) {
    show_the_loop_nest();
    auto* const code = find<CodeView>("nest-code");
    const std::vector<LineCostMark>& costs = code->line_costs();
    ASSERT_EQ(costs.size(), static_cast<std::size_t>(code->blockCount()));
    double shares = 0;
    for (const LineCostMark& cost : costs)
        shares += cost.share;
    EXPECT_NEAR(shares, 1, 0.02) << "what rounds to nothing is left out";
    const auto dearest = std::ranges::max_element(costs, {}, &LineCostMark::share);
    const auto line = static_cast<int>(dearest - costs.begin());
    EXPECT_THAT(find<QLabel>("total-cost")->text().toStdString(),
                ::testing::HasSubstr(fmt::format("Line {} takes", line + 1)));
    const QPoint place(4, code->cost_cell(line).center().y());
    QHelpEvent hover(QEvent::ToolTip, place, code->viewport()->mapToGlobal(place));
    QApplication::sendEvent(code->viewport(), &hover);
    EXPECT_THAT(QToolTip::text().toStdString(), ::testing::HasSubstr("of the simulated time"));
    QToolTip::hideText();
    click(find<QPushButton>("copy-with-costs"));
    const std::string copied = QApplication::clipboard()->text().toStdString();
    EXPECT_THAT(copied, ::testing::HasSubstr("in all, simulated on"));
    EXPECT_THAT(copied, ::testing::HasSubstr("for (int64_t "));
}

TEST_F(SchedulesPageTest, TheAssemblyOfTheHotLoopStandsBesideTheLoopNest) {
    if (const auto analyser = CodeAnalyser::make("native"); !analyser)
        GTEST_SKIP() << analyser.error().message;
    window().resize(1600, 900);
    show_the_loop_nest();
    auto* const hot = find<QLabel>("hot-loop");
    EXPECT_TRUE(hot->isVisible());
    EXPECT_THAT(hot->text().toStdString(), ::testing::HasSubstr("cycles per iteration"));
    auto* const assembly = find<CodeView>("assembly");
    const QString loop = assembly->toPlainText();
    EXPECT_FALSE(loop.isEmpty());
    auto* const part = find<QComboBox>("assembly-part");
    QTest::keyClick(part, Qt::Key_Down);
    EXPECT_GT(assembly->toPlainText().size(), 2 * loop.size()) << "the whole function";
    EXPECT_TRUE(assembly->toPlainText().contains(loop));
    QTest::keyClick(part, Qt::Key_Up);
    EXPECT_EQ(assembly->toPlainText(), loop);
    assembly->selectAll();
    EXPECT_FALSE(assembly->textCursor().selectedText().isEmpty());
    const auto notes = std::ranges::count_if(find<CodeView>("nest-code")->line_costs(),
                                             [](const LineCostMark& cost) { return !cost.note.isEmpty(); });
    EXPECT_EQ(notes, 1) << "at the line of the loop";
}

TEST_F(SchedulesPageTest, TheReasonAgainstHardwareCountersStandsWhereTheyWould) {
    show_the_loop_nest();
    const auto counters = HardwareCounters::open();
    const auto* const told = find<QLabel>("hardware-counters");
    EXPECT_EQ(find<QPushButton>("count-events")->isVisible(), counters.has_value());
    if (!counters) {
        EXPECT_TRUE(told->isVisible());
        EXPECT_THAT(told->text().toStdString(), ::testing::HasSubstr(counters.error().message));
        return;
    }
    click(find<QPushButton>("count-events"));
    ASSERT_TRUE(wait_until([&] { return told->text().contains(QStringLiteral("Counted")); }, 60));
}

TEST(CountedText, TellsTheCountsOrWhyThereAreNone) {
    const QJsonObject counts{{QStringLiteral("cycles"), 1.25e6},
                             {QStringLiteral("instructions"), 2e6},
                             {QStringLiteral("cache_misses"), QJsonValue()}};
    const QString told = counted_text({{QStringLiteral("counted"), counts}});
    EXPECT_TRUE(told.startsWith(QStringLiteral("Counted in one run"))) << told.toStdString();
    EXPECT_TRUE(told.contains(QStringLiteral("cycles")));
    EXPECT_FALSE(told.contains(QStringLiteral("misses"))) << "the processor has no such counter";
    EXPECT_EQ(counted_text({{QStringLiteral("no_counters"), QStringLiteral("not available here")}}),
              QStringLiteral("Hardware counters: not available here"));
}

TEST_F(SimulatedMachineTest, ItsCodeHasCostsAndNoAssemblyOfThisComputer) {
    show_the_loop_nest();
    EXPECT_FALSE(find<CodeView>("nest-code")->line_costs().empty());
    EXPECT_THAT(find<QLabel>("total-cost")->text().toStdString(), ::testing::HasSubstr("mine"));
    EXPECT_THAT(find<QLabel>("hot-loop")->text().toStdString(), ::testing::HasSubstr("Select this computer"));
    EXPECT_FALSE(find<CodeView>("assembly")->isVisible());
}

TEST_F(SchedulesPageTest, TheDetailsCanHaveTheWholePage) {
    window().resize(1280, 800);
    record(32, Milliseconds(10));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1; }));
    auto* details = page().findChild<ScheduleDetails*>();
    const int before = details->width();
    auto* widen = find<QToolButton>("widen-details");
    click(widen);
    ASSERT_TRUE(wait_until([&] { return details->width() > 2 * before; }));
    click(widen);
    ASSERT_TRUE(wait_until([&] { return details->width() < before + before / 4; }));
    EXPECT_TRUE(page().findChild<DataTable*>()->isVisible());
}

TEST_F(SchedulesPageTest, WithoutAScheduleThereIsNothingToEdit) {
    choose_schedule();
    program_->selection().select_configuration(QStringLiteral("spmv"), {});
    EXPECT_TRUE(editor().draft().op.isEmpty());
}

TEST_F(SchedulesPageTest, TheTimelineIsSimulatedAtOnceAndRecordedWhenItIsAskedFor) {
    choose_schedule();
    QTabWidget& tabs = page().findChild<ScheduleDetails*>()->tabs();
    auto* const view = page().findChild<TimelineView*>();
    auto* const plot = view->findChild<LanePlot*>();
    EXPECT_TRUE(plot->picture().empty()) << "nothing is simulated that nobody looks at";
    QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(tabs.indexOf(view)).center());
    ASSERT_EQ(tabs.currentWidget(), view);
    ASSERT_TRUE(wait_until([&] { return plot->picture().groups.size() == 1; }));
    EXPECT_TRUE(plot->picture().groups[0].hatched);
    auto* const balance = view->findChild<QLabel*>(QStringLiteral("timeline-balance"));
    EXPECT_TRUE(balance->isVisible());

    click(view->findChild<QPushButton*>(QStringLiteral("record-timeline")));
    EXPECT_TRUE(plot->hasFocus()) << "a disabled button hands the focus on to the picture";
    ASSERT_TRUE(wait_until([&] { return plot->picture().groups.size() == 2; }, 120))
        << window().notices().texts().join(QLatin1Char('\n')).toStdString();
    EXPECT_FALSE(plot->picture().groups[0].hatched) << "the recorded one stands above";
    EXPECT_THAT(view->findChild<QLabel*>(QStringLiteral("timeline-remarks"))->text().toStdString(),
                ::testing::HasSubstr("Recording costs"));
    EXPECT_EQ(stored_results(), 0U) << "a timeline is no measurement";

    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QStringLiteral("2 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    ASSERT_TRUE(wait_until([&] { return plot->picture().groups.size() == 1; })) << "of another schedule";
    choose_schedule();
    ASSERT_TRUE(wait_until([&] { return plot->picture().groups.size() == 2; })) << "it is still known";
}

TEST(TheBalanceOfATimeline, OfSeveralRegionsTellsTheWaitingInEach) {
    constexpr std::int64_t ms = 1'000'000; // in each of two regions another thread works 10 ms
    ThreadTimeline timeline{
        .measured = true,
        .threads = 2,
        .regions = 2,
        .chunks = 2,
        .intervals = {{.thread = 0, .busy_ns = 10 * ms}, {.thread = 1, .busy_ns = 10 * ms}},
        .waiting_ns = {10 * ms, 10 * ms}};
    EXPECT_EQ(balance_sentence(timeline),
              QStringLiteral("The threads work %1 and wait %1 for each other on average, over 2 regions: "
                             "imbalance %2.")
                  .arg(duration_text(10), speedup_text(2)));
    timeline.waiting_ns.clear();
    EXPECT_EQ(balance_sentence(timeline),
              QStringLiteral("Thread 1 works longest: %1. How long threads wait in each region is not known.")
                  .arg(duration_text(10)));
    timeline.regions = 1;
    EXPECT_THAT(balance_sentence(timeline).toStdString(),
                ::testing::StartsWith("Both threads work about as long"));
}

TEST_F(SchedulesPageTest, TheTimelineSaysFirstThatTheClockIsFarOffItsSimulation) {
    choose_schedule();
    QTabWidget& tabs = page().findChild<ScheduleDetails*>()->tabs();
    auto* const view = page().findChild<TimelineView*>();
    tabs.setCurrentWidget(view);
    ASSERT_TRUE(wait_until([&] { return view->is_settled(); }));
    auto* const balance = view->findChild<QLabel*>(QStringLiteral("timeline-balance"));
    EXPECT_THAT(balance->text().toStdString(), ::testing::Not(::testing::HasSubstr("the measured time is")))
        << "no time is known";
    const int threads = static_cast<int>(view->findChild<LanePlot*>()->picture().groups.front().lanes);
    TimelineView::KnownRun known{.time = {.milliseconds = 1e4, .spread_ms = 10}, .threads = threads};
    view->compare_with(known);
    EXPECT_THAT(balance->text().toStdString(), ::testing::StartsWith("The simulation takes "));
    EXPECT_THAT(
        balance->text().toStdString(),
        ::testing::HasSubstr("the measured time is 10.0\u00A0s. Read the parts below with care. Record "
                             "shows what the threads really do."));
    known.threads = threads + 1;
    view->compare_with(known);
    EXPECT_THAT(balance->text().toStdString(), ::testing::Not(::testing::HasSubstr("the measured time is")))
        << "a run with other threads is another run";
}

} // namespace
} // namespace sparsight::testing

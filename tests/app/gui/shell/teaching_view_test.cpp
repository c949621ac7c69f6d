// Full screen with large type (F11), in the real window.
#include "window_fixture.h"

#include "machine/machine_json.h"
#include "machine/probe.h"
#include "store/machines.h"
#include "widgets/look/card.h"

#include <QAction>
#include <QDockWidget>
#include <QScrollArea>
#include <QScrollBar>

namespace sparsight::testing {
namespace {

using TeachingViewTest = WindowTest;

TEST_F(TeachingViewTest, LeavesTheWindowAndItsPanelsAsTheyWere) {
    open_workspace_on(QStringLiteral("schedules"));
    window().resize(1300, 780);
    auto* panel = window().findChild<QDockWidget*>();
    window().resizeDocks({panel}, {200}, Qt::Horizontal);
    for (const bool is_maximized : {false, true}) {
        if (is_maximized)
            window().showMaximized();
        QTest::qWait(100);
        const QRect before = window().geometry();
        const int width = panel->width();
        find<QAction>("full-screen")->trigger();
        ASSERT_TRUE(window().isFullScreen());
        ASSERT_TRUE(wait_until([&] { return panel->width() > width; }, 10)) << "large type needs more room";
        QTest::qWait(200);
        find<QAction>("full-screen")->trigger();
        EXPECT_FALSE(window().isFullScreen());
        EXPECT_EQ(window().isMaximized(), is_maximized);
        // Maximised, its place is the desktop's.
        EXPECT_TRUE(wait_until([&] { return is_maximized || window().geometry() == before; }, 10));
        EXPECT_TRUE(wait_until([&] { return panel->width() == width; }, 10)) << panel->width();
    }
}

TEST_F(TeachingViewTest, IsNotWhatTheNextWindowBeginsWith) {
    open_workspace_on(QStringLiteral("schedules"));
    window().setGeometry(20, 30, 1210, 780);
    find<QAction>("full-screen")->trigger();
    QTest::qWait(200);
    window().close();
    EXPECT_FALSE(window().isVisible());
    find<QAction>("full-screen")->trigger(); // the type is the whole program's
    restart();
    window().restore_arrangement();
    EXPECT_FALSE(window().isFullScreen());
    EXPECT_EQ(window().size(), QSize(1210, 780));
}

TEST_F(TeachingViewTest, LargeTypeClipsNoCardOfTheSelection) {
    const QString workspace = make_workspace();
    {
        auto file = Workspace::open(workspace.toStdString());
        ProbeOptions options;
        options.measure = false;
        auto machine = probe_this_computer(options);
        ASSERT_TRUE(machine.has_value());
        machine->copy_bandwidth.all_threads.emplace(123.4);
        ASSERT_TRUE(record_machine(*file, "A(R) Processor(TM) 8592+ with 64 cores, 2 threads",
                                   machine->fingerprint(), machine_to_text(*machine)));
    }
    open(workspace);
    window().show_page(QStringLiteral("schedules"));
    program_->selection().select_schedule(QStringLiteral("spmm"),
                                          QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    find<QAction>("full-screen")->trigger();
    QTest::qWait(200);
    window().resize(window().width(), window().minimumSizeHint().height()); // a scroll bar is needed
    QTest::qWait(50);
    const auto* area = window().findChild<QDockWidget*>()->findChild<QScrollArea*>();
    ASSERT_TRUE(area->verticalScrollBar()->isVisible());
    for (const Card* card : area->findChildren<Card*>()) {
        const int right = card->mapTo(area->viewport(), QPoint(card->width(), 0)).x();
        EXPECT_LE(right, area->viewport()->width()) << card->accessibleName().toStdString();
    }
    find<QAction>("full-screen")->trigger();
}

} // namespace
} // namespace sparsight::testing

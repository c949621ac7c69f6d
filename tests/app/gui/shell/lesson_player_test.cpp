#include "window_fixture.h"

#include "gui/help/lesson.h"
#include "gui/selection/selection.h"
#include "gui/shell/lesson_bar.h"
#include "gui/shell/lesson_player.h"
#include "gui/shell/workspace_menu.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/workloads.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSlider>
#include <QSpinBox>
#include <QThreadPool>

namespace sparsight::testing {
namespace {

class LessonPlayerTest : public WindowTest {
protected:
    void begin(const char* action = "tour") {
        find<QAction>(action)->trigger();
        ASSERT_TRUE(wait_until([&] { return player().is_under_way(); }));
        ASSERT_TRUE(wait_until([&] { return bar().isVisible(); }));
    }
    LessonPlayer& player() { return window().lessons(); }
    LessonBar& bar() { return *find<LessonBar>("lesson"); }
    QPushButton* next() { return find<QPushButton>("lesson-next"); }
    [[nodiscard]] QRect place_of(const QWidget& widget) {
        return {widget.mapTo(&window(), QPoint()), widget.size()};
    }
    /// A lesson on the page Matrices that waits for nothing.
    [[nodiscard]] static Lesson short_lesson() {
        return *parse_lesson(
            QStringLiteral("short"),
            QStringLiteral("# Short\nA page.\ndomain: sparse\nminutes: 3\n\n## Matrices\nThe "
                           "page.\n```step\npage matrices\npoint matrix-list\n```\n## "
                           "Second\nThe same.\n## Third\nAgain.\n"));
    }
    void begin(Lesson lesson) {
        player().begin_when_open(WorkspaceMenu::demo_path(), std::move(lesson));
        window().open_demo();
        ASSERT_TRUE(wait_until([&] { return player().is_under_way(); }));
    }
};

TEST_F(LessonPlayerTest, PointsAtAThingThatIsThereAndNeverCoversIt) {
    begin("lesson-padding-machine");
    EXPECT_THAT(program_->session().path().toStdString(), ::testing::HasSubstr("Demo"));
    const int steps = static_cast<int>(player().lesson().steps.size());
    for (int step = 0; step < steps; ++step) {
        player().go_to(step);
        const QString named = player().lesson().steps[static_cast<std::size_t>(step)].point;
        const LessonFrame& frame = *find<LessonFrame>("lesson-frame");
        EXPECT_TRUE(wait_until([&] { return frame.isVisible() && frame.target()->objectName() == named; }))
            << step << ": " << named.toStdString();
        EXPECT_FALSE(place_of(bar()).intersects(place_of(*window().current_page()))) << step;
        EXPECT_TRUE(window().rect().contains(place_of(bar()))) << step;
    }
    player().end();
    EXPECT_FALSE(bar().isVisible());
    EXPECT_FALSE(find<QWidget>("lesson-frame")->isVisible());
}

TEST_F(LessonPlayerTest, KeepsItsButtonsInTheirPlaces) {
    begin("lesson-chunks");
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    QCoreApplication::processEvents();
    const QRect place = place_of(*next());
    for (int step = 1; step < static_cast<int>(player().lesson().steps.size()); ++step) {
        player().go_to(step);
        QCoreApplication::processEvents();
        EXPECT_EQ(place_of(*next()), place) << step;
    }
}

/// 1920 × 1080 at 200 %: the window stays on the screen, whatever a step says.
TEST_F(LessonPlayerTest, FitsIntoASmallWindow) {
    constexpr QSize screen(960, 540);
    window().resize(screen);
    const QStringList lessons = lesson_ids();
    ASSERT_FALSE(lessons.isEmpty());
    for (const QString& id : lessons) {
        Lesson lesson = *parse_lesson(id, lesson_markdown(id));
        if (lesson.domain != QStringLiteral("sparse")) // RecordLessonsTest tries the others
            continue;
        begin(std::move(lesson));
        ASSERT_TRUE(wait_until([&] { return bar().isVisible() && page_is_settled(); })) << id.toStdString();
        for (int step = 0; step < static_cast<int>(player().lesson().steps.size()); ++step) {
            player().go_to(step);
            for (int turn = 0; turn < 5; ++turn)
                QCoreApplication::processEvents();
            const auto* const text = find<QLabel>("lesson-text");
            EXPECT_EQ(window().size(), screen) << id.toStdString() << ' ' << step;
            EXPECT_TRUE(window().rect().contains(place_of(bar()))) << id.toStdString() << ' ' << step;
            EXPECT_GE(text->width(), bar().width() * 9 / 10) << "it has the whole width";
            EXPECT_GE(text->parentWidget()->height(), 2 * text->fontMetrics().height());
        }
        click(find<QPushButton>("lesson-close"));
        EXPECT_EQ(window().size(), screen) << id.toStdString();
    }
}

TEST_F(LessonPlayerTest, IsPlayedByKeyboardAndRemoteAndEndsWithEscape) {
    begin(short_lesson());
    QTest::keyClick(next(), Qt::Key_Right);
    EXPECT_EQ(player().step(), 1);
    QTest::keyClick(next(), Qt::Key_Space);
    EXPECT_EQ(player().step(), 2);
    QTest::keyClick(next(), Qt::Key_Left);
    EXPECT_EQ(player().step(), 1);
    QTest::keyClick(window().current_page(), Qt::Key_PageUp);
    EXPECT_EQ(player().step(), 0) << "a remote's keys work wherever the focus is";
    EXPECT_FALSE(find<QPushButton>("lesson-back")->isEnabled());
    QTest::keyClick(window().current_page(), Qt::Key_PageDown);
    EXPECT_EQ(player().step(), 1);
    QTest::keyClick(find<QPushButton>("lesson-back"), Qt::Key_Return);
    EXPECT_EQ(player().step(), 0);
    QTest::keyClick(next(), Qt::Key_Escape);
    EXPECT_FALSE(player().is_under_way());
}

TEST_F(LessonPlayerTest, LeavesEscapeToAFilterThatUsesIt) {
    begin(short_lesson());
    auto* const filter = find<QWidget>("matrix-list")->findChild<QLineEdit*>();
    ASSERT_NE(filter, nullptr);
    QTest::keyClicks(filter, QStringLiteral("mesh"));
    QTest::keyClick(filter, Qt::Key_Escape);
    EXPECT_EQ(filter->text(), QString());
    EXPECT_TRUE(player().is_under_way());
    QTest::keyClick(filter, Qt::Key_Escape);
    EXPECT_FALSE(player().is_under_way()) << "nothing is left to clear";
}

TEST_F(LessonPlayerTest, WaitsForWhatItAsks) {
    begin();
    EXPECT_TRUE(player().is_waiting()) << "for a matrix";
    EXPECT_EQ(bar().next(), LessonBar::Next::Help);
    program_->selection().select_workload(QStringLiteral("demo-mesh"));
    EXPECT_TRUE(wait_until([&] { return bar().next() == LessonBar::Next::GoOn; }));
    click(next());
    EXPECT_EQ(player().step(), 1);
}

TEST_F(LessonPlayerTest, DoesWhatItAsksForTheUser) {
    begin();
    ASSERT_TRUE(player().is_waiting());
    click(next());
    EXPECT_EQ(player().step(), 0) << "it does not go on by itself";
    EXPECT_EQ(program_->selection().current().workload, QStringLiteral("demo-mesh"));
    EXPECT_FALSE(player().is_waiting());
}

TEST_F(LessonPlayerTest, WaitsForTheModelAndTheSplitThatItNames) {
    begin(*parse_lesson(
        QStringLiteral("short"),
        QStringLiteral("# Short\nA page.\ndomain: sparse\nminutes: 3\n\n## Model\nIt "
                       "learns.\n```step\npage train\nask Train.\nwait model one\n```\n## Split\nIt is "
                       "divided.\n```step\nask Divide.\nwait split some\n```\n")));
    const auto change = [&](auto action) {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        ASSERT_TRUE(workspace.has_value());
        action(*workspace);
        program_->session().refresh();
    };
    const auto shows = [&](const char* model) {
        return wait_until([&] { return program_->session().contents().models.contains(model); });
    };
    change([](Workspace& file) {
        const auto stopped = start_run(file, "train", R"({"name":"one"})");
        ASSERT_TRUE(end_run(file, *stopped, RunState::Stopped).has_value());
        ASSERT_TRUE(add_model(file, {"one-2", {}, {}, "{}"}, {}).has_value());
    });
    ASSERT_TRUE(shows("one-2"));
    EXPECT_TRUE(player().is_waiting()) << "neither a run without a model nor a longer name is enough";
    change([](Workspace& file) { ASSERT_TRUE(add_model(file, {"one", {}, {}, "{}"}, {}).has_value()); });
    ASSERT_TRUE(shows("one"));
    EXPECT_FALSE(player().is_waiting());
    player().go_to(1);
    EXPECT_TRUE(player().is_waiting());
    change([](Workspace& file) { ASSERT_TRUE(save_split(file, {"some", {}}).has_value()); });
    EXPECT_TRUE(wait_until([&] { return !player().is_waiting(); }));
}

TEST_F(LessonPlayerTest, TellsWhyItCantDoWhatItAsksAndOffersToSkipIt) {
    begin(*parse_lesson(QStringLiteral("short"),
                        QStringLiteral("# Short\nA page.\ndomain: sparse\nminutes: 3\n\n## Press\nIt "
                                       "runs.\n```step\npage matrices\nask Press it.\ndo press runs\nwait "
                                       "workload none\n```\n## Second\nThe same.\n")));
    auto* const skip = find<QPushButton>("lesson-skip");
    EXPECT_FALSE(skip->isVisible()) << "the step was not tried yet";
    click(next());
    EXPECT_THAT(window().notices().newest().toStdString(), ::testing::HasSubstr("can’t be done for you"))
        << "there is no such button";
    auto* const runs = new QPushButton(window().current_page());
    runs->setObjectName(QStringLiteral("runs"));
    runs->setEnabled(false);
    runs->setToolTip(QStringLiteral("The file can only be read."));
    click(next());
    EXPECT_EQ(window().notices().newest(), QStringLiteral("The file can only be read."));
    EXPECT_EQ(bar().next(), LessonBar::Next::Help) << "it may be possible later";
    const QRect place = place_of(*next());
    ASSERT_TRUE(skip->isVisible());
    click(skip);
    EXPECT_EQ(player().step(), 1);
    EXPECT_FALSE(skip->isVisible());
    EXPECT_EQ(place_of(*next()), place);
    EXPECT_FALSE(window().notices().texts().contains(QStringLiteral("The file can only be read.")));
}

TEST_F(LessonPlayerTest, TheTourWaitsForAMeasurementOfItsOwn) {
    begin();
    player().go_to(2);
    ASSERT_EQ(player().lesson().steps[2].page, QStringLiteral("schedules"));
    program_->selection().select_machine(QStringLiteral("recorded:demo"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_TRUE(player().is_waiting()) << "the recorded times are there before anything is measured";
}

TEST_F(LessonPlayerTest, WhatIfAndMeasuredWaitsForTimesAndTheMachineOfThisComputer) {
    begin("lesson-what-if-and-measured");
    program_->selection().select_machine(QStringLiteral("recorded:demo"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_TRUE(player().is_waiting()) << "the recorded times are of another computer";
    player().go_to(2);
    ASSERT_EQ(player().lesson().steps[2].point, QStringLiteral("what-if-machine"));
    EXPECT_TRUE(player().is_waiting()) << "another machine is chosen";
}

TEST_F(LessonPlayerTest, TheTourLeavesWhatItSetAsItFoundIt) {
    begin();
    auto* const count = find<QSpinBox>("schedule-count");
    const int before = count->value();
    ASSERT_NE(before, 20);
    player().go_to(2);
    EXPECT_EQ(count->value(), 20);
    player().go_to(3);
    player().end();
    EXPECT_EQ(count->value(), before);
}

TEST_F(LessonPlayerTest, LeavesTheFocusToThePageWhenItIsDone) {
    begin(short_lesson());
    player().go_to(2);
    QTest::keyClick(next(), Qt::Key_Space);
    EXPECT_FALSE(player().is_under_way());
    const QWidget* const focus = window().focusWidget();
    ASSERT_NE(focus, nullptr);
    EXPECT_TRUE(window().current_page()->isAncestorOf(focus)) << "a space too many presses nothing";
}

TEST_F(LessonPlayerTest, EndsWhenThePageIsLeft) {
    begin(short_lesson());
    program_->selection().select_workload(QStringLiteral("demo-mesh"));
    EXPECT_TRUE(player().is_under_way());
    window().show_page(QStringLiteral("schedules"));
    EXPECT_FALSE(player().is_under_way());
    EXPECT_FALSE(bar().isVisible());
}

TEST_F(LessonPlayerTest, EndsWithTheWorkspace) {
    begin();
    program_->session().close();
    EXPECT_FALSE(bar().isVisible());
}

TEST_F(LessonPlayerTest, DoesNotBeginOnAnotherWorkspaceWhenTheDemoCantBeMade) {
    const QString demo = WorkspaceMenu::demo_path();
    QFile::remove(demo);
    ASSERT_TRUE(QDir().mkpath(demo)) << "a folder is where the file should be";
    find<QAction>("tour")->trigger();
    ASSERT_TRUE(wait_until([&] { return !window().notices().texts().isEmpty(); }));
    ASSERT_TRUE(QDir().rmdir(demo));
    open_workspace_on(QStringLiteral("matrices"));
    QCoreApplication::processEvents();
    EXPECT_FALSE(player().is_under_way());
    EXPECT_FALSE(bar().isVisible());
}

TEST_F(LessonPlayerTest, AsksBeforeTheDemoTakesThePlaceOfAnotherWorkspace) {
    open(make_workspace());
    const QString before = program_->session().path();
    find<QAction>("tour")->trigger();
    auto* question = find<QMessageBox>("demo-question");
    ASSERT_NE(question, nullptr);
    EXPECT_THAT(question->text().toStdString(), ::testing::HasSubstr("in the place of w"));
    click(question->button(QMessageBox::Cancel));
    QCoreApplication::processEvents();
    EXPECT_EQ(program_->session().path(), before);
    EXPECT_FALSE(player().is_under_way());
    find<QAction>("lesson-padding-machine")->trigger();
    click(find<QPushButton>("really-open-demo"));
    EXPECT_TRUE(wait_until([&] { return player().is_under_way(); }));
    EXPECT_THAT(program_->session().path().toStdString(), ::testing::HasSubstr("Demo"));
}

TEST_F(LessonPlayerTest, BeginsOnTheDemoAlone) {
    open(make_workspace("other.sparsight"));
    player().begin_when_open(WorkspaceMenu::demo_path(), short_lesson());
    open(make_workspace());
    QCoreApplication::processEvents();
    EXPECT_FALSE(player().is_under_way());
    window().open_demo();
    ASSERT_TRUE(wait_until([&] { return program_->session().path() == WorkspaceMenu::demo_path(); }));
    QCoreApplication::processEvents();
    EXPECT_FALSE(player().is_under_way()) << "its user turned to another workspace before it began";
    begin(short_lesson());
}

TEST_F(LessonPlayerTest, LeavesTheWorkspaceThatIsOpenedWhileTheDemoIsMade) {
    open(make_workspace("other.sparsight"));
    player().begin_when_open(WorkspaceMenu::demo_path(), short_lesson());
    window().open_demo();
    open(make_workspace());
    const QString mine = program_->session().path();
    QThreadPool::globalInstance()->waitForDone(); // the demo is read, and what came of it waits as an event
    QCoreApplication::processEvents();
    EXPECT_EQ(program_->session().path(), mine);
    EXPECT_FALSE(player().is_under_way());
}

TEST_F(LessonPlayerTest, LeavesPageDownToAnEditorOrAListThatUsesIt) {
    begin(short_lesson());
    auto* const list = new QListWidget(window().current_page());
    list->addItems({QStringLiteral("a"), QStringLiteral("b")});
    list->setCurrentRow(0);
    auto* const editor = new QPlainTextEdit(window().current_page());
    for (QWidget* const widget : {static_cast<QWidget*>(list), static_cast<QWidget*>(editor)}) {
        widget->show();
        QTest::keyClick(widget, Qt::Key_PageDown);
        EXPECT_EQ(player().step(), 0);
    }
    EXPECT_EQ(list->currentRow(), 1) << "it moved by a screen";
    list->clear();
    QTest::keyClick(list, Qt::Key_PageDown);
    EXPECT_EQ(player().step(), 1) << "it has nothing to move by";
}

TEST_F(LessonPlayerTest, GoesOnByPageDownFromASliderAndAChoice) {
    begin(short_lesson());
    auto* const slider = new QSlider(Qt::Horizontal, window().current_page());
    slider->setValue(50);
    slider->show();
    QTest::keyClick(slider, Qt::Key_PageDown);
    EXPECT_EQ(player().step(), 1);
    auto* const choice = new QComboBox(window().current_page());
    choice->addItems({QStringLiteral("a"), QStringLiteral("b")});
    choice->show();
    QTest::keyClick(choice, Qt::Key_PageUp);
    EXPECT_EQ(player().step(), 0);
    EXPECT_EQ(slider->value(), 50) << "what the step asked for stays";
    EXPECT_EQ(choice->currentIndex(), 0);
}

TEST_F(LessonPlayerTest, GoesOnByArrowFromASliderThatTheMouseMoved) {
    begin(*parse_lesson(QStringLiteral("short"),
                        QStringLiteral("# Short\nA page.\ndomain: sparse\nminutes: 3\n\n## One\nIt waits.\n"
                                       "```step\npage matrices\nask Choose demo-mesh.\n"
                                       "wait workload demo-mesh\n```\n## Two\nThe same.\n")));
    auto* const slider = new QSlider(Qt::Horizontal, window().current_page());
    slider->setValue(50);
    slider->show();
    program_->selection().select_workload(QStringLiteral("demo-mesh")); // as by the mouse
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(player().step(), 1) << "the request is done";
    EXPECT_EQ(slider->value(), 50);

    player().go_to(0);
    program_->selection().select_workload(QStringLiteral("demo-network"));
    ASSERT_TRUE(player().is_waiting());
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(slider->value(), 51) << "it is moved by keys as long as the step waits";
    program_->selection().select_workload(QStringLiteral("demo-mesh"));
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(slider->value(), 52) << "who moves it by keys goes on to do so";
    EXPECT_EQ(player().step(), 0);
}

} // namespace
} // namespace sparsight::testing

#include "window_fixture.h"

#include "gui/shell/guided_tour.h"
#include "gui/shell/tour_bubble.h"
#include "gui/shell/workspace_menu.h"

#include <QDir>
#include <QFile>
#include <QMessageBox>

namespace sparsight::testing {
namespace {

TEST(TourBubble, StandsBesideItsTargetWhereThereIsRoom) {
    const QRect room(0, 0, 1000, 700);
    const QSize size(300, 150);
    EXPECT_EQ(place_beside({100, 100, 200, 200}, size, room).topLeft(), QPoint(311, 100)) << "at the right";
    EXPECT_EQ(place_beside({700, 100, 300, 200}, size, room).right(), 687) << "at the left";
    EXPECT_GT(place_beside({0, 0, 1000, 300}, size, room).top(), 300) << "below";
    EXPECT_LT(place_beside({0, 400, 1000, 300}, size, room).bottom(), 400) << "above";
    for (const QRect& target : {QRect(), QRect(0, 0, 1000, 700)})
        EXPECT_TRUE(room.contains(place_beside(target, size, room))) << "in the corner";
}

TEST(TourBubble, LeavesFreeWhatTheTextTellsToUse) {
    const QRect room(0, 0, 1280, 800);
    const QSize size(380, 170);
    const QRect bars(415, 172, 610, 318);
    const QRect sliders(130, 172, 260, 580);
    EXPECT_TRUE(place_beside(bars, size, room).intersects(sliders)) << "at the left there is room";
    const QRect place = place_beside(bars, size, room, sliders);
    EXPECT_FALSE(place.intersects(sliders));
    EXPECT_FALSE(place.intersects(bars));
    const QRect all(0, 0, 1280, 700);
    EXPECT_FALSE(place_beside({0, 700, 1280, 100}, size, room, all).intersects(QRect(0, 700, 1280, 100)))
        << "what it speaks of is not covered, where something has to be";
}

class GuidedTourTest : public WindowTest {
protected:
    void begin() {
        find<QAction>("tour")->trigger();
        ASSERT_TRUE(wait_until([&] { return tour().is_under_way(); }));
        ASSERT_TRUE(wait_until([&] { return bubble().isVisible(); }));
    }
    GuidedTour& tour() { return window().tour(); }
    QWidget& bubble() { return *find<QWidget>("tour"); }
    [[nodiscard]] QRect place_of(const QWidget& widget) {
        return {widget.mapTo(&window(), QPoint()), widget.size()};
    }
};

TEST_F(GuidedTourTest, EachStepStandsBesideAThingThatIsThere) {
    begin();
    EXPECT_THAT(program_->session().path().toStdString(), ::testing::HasSubstr("Demo"));
    auto* next = find<QPushButton>("tour-next");
    for (int step = 0; step < tour().steps(); ++step) {
        ASSERT_EQ(tour().step(), step);
        QWidget* target = tour().target(step);
        ASSERT_NE(target, nullptr) << step;
        const QWidget& frame = *find<QWidget>("tour-frame");
        EXPECT_TRUE(wait_until([&] {
            return target->isVisible() && frame.isVisible() &&
                   frame.geometry().contains(place_of(*target).intersected(window().rect())) &&
                   !bubble().geometry().intersects(place_of(*target));
        })) << step;
        EXPECT_TRUE(window().rect().contains(bubble().geometry())) << step;
        click(next);
    }
    EXPECT_FALSE(tour().is_under_way());
    EXPECT_FALSE(bubble().isVisible());
    EXPECT_FALSE(find<QWidget>("tour-frame")->isVisible());
}

TEST_F(GuidedTourTest, IsWalkedByKeyboardAndEndsWithEscape) {
    begin();
    auto* next = find<QPushButton>("tour-next");
    QTest::keyClick(next, Qt::Key_Right);
    EXPECT_EQ(tour().step(), 1);
    QTest::keyClick(next, Qt::Key_Return);
    EXPECT_EQ(tour().step(), 2);
    QTest::keyClick(next, Qt::Key_Left);
    EXPECT_EQ(tour().step(), 1);
    QTest::keyClick(find<QPushButton>("tour-back"), Qt::Key_Return);
    EXPECT_EQ(tour().step(), 0);
    EXPECT_FALSE(find<QPushButton>("tour-back")->isEnabled());
    QTest::keyClick(next, Qt::Key_Escape);
    EXPECT_FALSE(tour().is_under_way());
}

TEST_F(GuidedTourTest, EndsWithTheWorkspace) {
    begin();
    program_->session().close();
    EXPECT_FALSE(bubble().isVisible());
}

TEST_F(GuidedTourTest, DoesNotBeginOnAnotherWorkspaceWhenTheDemoCantBeMade) {
    const QString demo = WorkspaceMenu::demo_path();
    QFile::remove(demo);
    ASSERT_TRUE(QDir().mkpath(demo)) << "a folder is where the file should be";
    find<QAction>("tour")->trigger();
    ASSERT_TRUE(wait_until([&] { return !window().notices().texts().isEmpty(); }));
    ASSERT_TRUE(QDir().rmdir(demo));
    open_workspace_on(QStringLiteral("matrices"));
    QCoreApplication::processEvents();
    EXPECT_FALSE(tour().is_under_way());
    EXPECT_FALSE(bubble().isVisible());
}

TEST_F(GuidedTourTest, AsksBeforeTheDemoTakesThePlaceOfAnotherWorkspace) {
    open(make_workspace());
    const QString before = program_->session().path();
    find<QAction>("tour")->trigger();
    auto* question = find<QMessageBox>("demo-question");
    ASSERT_NE(question, nullptr);
    EXPECT_THAT(question->text().toStdString(), ::testing::HasSubstr("in the place of w"));
    click(question->button(QMessageBox::Cancel));
    QCoreApplication::processEvents();
    EXPECT_EQ(program_->session().path(), before);
    EXPECT_FALSE(tour().is_under_way());
    find<QAction>("demo-padding")->trigger();
    click(find<QPushButton>("really-open-demo"));
    EXPECT_TRUE(wait_until([&] { return tour().is_under_way(); }));
    EXPECT_THAT(program_->session().path().toStdString(), ::testing::HasSubstr("Demo"));
}

TEST_F(GuidedTourTest, BeginsOnTheDemoAlone) {
    open(make_workspace("other.sparsight"));
    const TourStep step{.page = QStringLiteral("matrices"),
                        .find = [](MainWindow&, QWidget& page) { return &page; },
                        .title = QStringLiteral("Matrices"),
                        .text = QStringLiteral("The page.")};
    tour().begin_when_open(WorkspaceMenu::demo_path(), {step});
    open(make_workspace());
    QCoreApplication::processEvents();
    EXPECT_FALSE(tour().is_under_way());
    window().open_demo();
    EXPECT_TRUE(wait_until([&] { return tour().is_under_way(); }));
}

} // namespace
} // namespace sparsight::testing

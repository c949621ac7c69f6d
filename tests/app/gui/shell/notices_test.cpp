#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/jobs/views/job_strip.h"
#include "gui/shell/window/notices.h"
#include "support/event_loop.h"
#include "widgets/look/page_states.h"
#include "window_fixture.h"

#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <fstream>
#include <gmock/gmock.h>

namespace sparsight {

// Messages in the bar at the bottom of the window.
namespace {

class NoticesTest : public ::testing::Test {
protected:
    NoticesTest() {
        auto* column = new QVBoxLayout(&window);
        column->addWidget(&field);
        column->addStretch(1); // as the page takes the room above them
        column->addWidget(&notices);
        window.resize(500, 400);
        window.show();
    }

    void click(const char* button) {
        auto* found = notices.findChild<QAbstractButton*>(QLatin1String(button));
        ASSERT_NE(found, nullptr) << button;
        QTest::mouseClick(found, Qt::LeftButton);
    }
    [[nodiscard]] QStringList listed() const {
        QStringList texts;
        for (const Banner* banner : notices.findChildren<Banner*>())
            if (banner->isVisible())
                texts << banner->text();
        return texts;
    }

    QWidget window;
    QLineEdit field;
    Notices notices{&window};
};

TEST_F(NoticesTest, AreNotThereWithoutAMessage) {
    EXPECT_FALSE(notices.isVisible());
    notices.tell(QString(), true);
    EXPECT_FALSE(notices.isVisible());
}

TEST_F(NoticesTest, HaveOneLineHoweverLongTheyAre) {
    notices.tell(QStringLiteral("short"), true);
    testing::settle_layout();
    const int height = notices.height();
    notices.tell(QString(900, u'm').replace(50, 1, u'\n'), true);
    testing::settle_layout();
    EXPECT_EQ(notices.height(), height);
    EXPECT_EQ(window.width(), 500);
}

TEST_F(NoticesTest, TheNewestIsInTheLineAndAllAreInTheList) {
    for (const char* text : {"a", "b", "c", "b"})
        notices.tell(QLatin1String(text), true);
    EXPECT_EQ(notices.texts(), (QStringList{u"a"_qs, u"c"_qs, u"b"_qs})) << "the same is said once";
    EXPECT_EQ(notices.newest(), u"b"_qs) << "where it was said last";
    click("all-notices");
    ASSERT_TRUE(notices.list_is_open());
    EXPECT_EQ(listed(), notices.texts());
    for (Banner* banner : notices.findChildren<Banner*>())
        if (banner->text() == u"b"_qs)
            banner->close_message();
    EXPECT_EQ(notices.texts(), (QStringList{u"a"_qs, u"c"_qs}));
    EXPECT_EQ(listed(), notices.texts());
    click("close-notices");
    EXPECT_FALSE(notices.isVisible());
    EXPECT_FALSE(notices.list_is_open());
}

TEST_F(NoticesTest, WhatHappensAgainIsOverWithItsNewCause) {
    const QString text = QStringLiteral("The disk is full");
    notices.tell_of(QStringLiteral("first"), text);
    notices.tell_of(QStringLiteral("second"), text);
    notices.settle(QStringLiteral("first"));
    EXPECT_EQ(notices.texts(), QStringList{text});
    notices.settle(QStringLiteral("second"));
    EXPECT_TRUE(notices.texts().isEmpty());
}

TEST_F(NoticesTest, TheListIsNoHigherThanTheWindowAndBeginsAtTheNewest) {
    for (int i = 0; i < 30; ++i)
        notices.tell(QStringLiteral("%1: ").arg(i) + QString(300, u'm').replace(50, 1, u' '), true);
    testing::settle_layout();
    click("all-notices");
    const auto* list = notices.findChild<QScrollArea*>();
    const QRect shown(list->window()->pos(), list->window()->size());
    EXPECT_TRUE(QRect(window.mapToGlobal(QPoint()), window.size()).contains(shown)) << shown.height();
    EXPECT_GT(shown.height(), window.height() / 2) << "and takes the room that there is";
    EXPECT_GT(list->verticalScrollBar()->maximum(), 0);
    EXPECT_EQ(list->verticalScrollBar()->value(), list->verticalScrollBar()->maximum());
    click("close-notices");
    EXPECT_FALSE(notices.list_is_open());
}

TEST_F(NoticesTest, EscapeClosesTheNewestUnlessSomebodyElseWantsIt) {
    notices.tell(QStringLiteral("old"), true);
    notices.tell(QStringLiteral("new"), true);
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_Escape);
    EXPECT_EQ(notices.newest(), QStringLiteral("old"));
    QTest::keyClick(&window, Qt::Key_Escape);
    EXPECT_TRUE(notices.texts().isEmpty());
    EXPECT_TRUE(window.isVisible());
}

TEST_F(NoticesTest, TheButtonClosesTheNewest) {
    notices.tell(QStringLiteral("old"), true);
    notices.tell(QStringLiteral("new"), true);
    click("close-notice");
    EXPECT_EQ(notices.texts(), QStringList{QStringLiteral("old")});
}

TEST_F(NoticesTest, AProblemGoesWithItsCause) {
    notices.tell_of(QStringLiteral("disk"), QStringLiteral("The disk is full"));
    notices.tell_of(QStringLiteral("file"), QStringLiteral("No such file"));
    notices.settle(QStringLiteral("disk"));
    EXPECT_EQ(notices.texts(), QStringList{QStringLiteral("No such file")});
    notices.tell(QStringLiteral("Copied"), false);
    notices.settle_all();
    EXPECT_EQ(notices.texts(), QStringList{QStringLiteral("Copied")}) << "it is no problem";
}

} // namespace
} // namespace sparsight

namespace sparsight::testing {

// Messages in the real window: where they stand, and when they are over.
namespace {

class MessagesTest : public WindowTest {
protected:
    MessagesTest() { window().resize(1280, 800); }

    static QRect on_screen(const QWidget& widget) { return {widget.mapToGlobal(QPoint()), widget.size()}; }
    /// From now on the worker is this script.
    void use_worker(const std::string& script) {
        const auto file = folder_ / "worker";
        std::ofstream(file) << "#!/bin/bash\n" << script;
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        program_->jobs().set_worker_program(QString::fromStdString(file.string()));
    }
    [[nodiscard]] CollectSchedulesJob collection() {
        CollectSchedulesJob job;
        job.workspace = program_->session().path();
        job.workloads = {QStringLiteral("banded")};
        return job;
    }
    [[nodiscard]] std::string told() { return window().notices().texts().join(u'\n').toStdString(); }
};

TEST_F(MessagesTest, CoverNoPageAndMoveNothing) {
    open(make_workspace());
    auto* strip = window().findChild<JobStrip*>();
    for (const QString& id : window().page_ids()) {
        window().show_page(id);
        ASSERT_TRUE(wait_until([&] { return window().current_page() != nullptr && page_is_settled(); }));
        const QRect page = on_screen(*window().current_page());
        const QRect stop = on_screen(strip->stop_button());
        window().notices().tell(QString(400, u'm'), true);
        window().notices().tell(QStringLiteral("Something was copied"), false);
        settle_layout();
        ASSERT_TRUE(window().notices().isVisible());
        EXPECT_FALSE(on_screen(window().notices()).intersects(page)) << id.toStdString();
        EXPECT_EQ(on_screen(*window().current_page()), page) << id.toStdString();
        EXPECT_EQ(on_screen(strip->stop_button()), stop) << id.toStdString();
        window().notices().clear();
    }
}

TEST_F(MessagesTest, EscapeClosesOneWhereverTheKeyboardIs) {
    open_workspace_on(QStringLiteral("matrices"));
    window().notices().tell(QStringLiteral("It failed"), true);
    window().activateWindow();
    window().current_page()->setFocus();
    QTest::keyClick(window().focusWidget(), Qt::Key_Escape);
    EXPECT_EQ(told(), "");
}

TEST_F(MessagesTest, AFailedJobIsNoNewsOnceItIsStartedAgain) {
    open(make_workspace());
    use_worker("exit 1\n");
    ASSERT_TRUE(program_->jobs().start(collection()).has_value());
    ASSERT_TRUE(wait_until([&] { return !window().notices().texts().isEmpty(); }));
    use_worker("exec sleep 60\n");
    const auto again = program_->jobs().restart(program_->jobs().jobs().front().id);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(told(), "");
    program_->jobs().kill(*again);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST_F(MessagesTest, AJobOfAnotherWorkspaceIsToldOfWithItsName) {
    open(make_workspace("first.sparsight"));
    const auto go = folder_ / "go";
    use_worker("while [ ! -e \"" + go.string() + "\" ]; do sleep 0.05; done\nexit 1\n");
    ASSERT_TRUE(program_->jobs().start(collection()).has_value());
    open(make_workspace("second.sparsight"));
    std::ofstream(go) << "now";
    ASSERT_TRUE(wait_until([&] { return !told().empty(); }));
    EXPECT_THAT(told(), ::testing::StartsWith("Workspace first: "));
    open(path("first.sparsight"));
    EXPECT_TRUE(wait_until([&] { return told().empty(); }))
        << "a message ends with the workspace in which it was told";
}

TEST_F(MessagesTest, WhatAPageCouldNotDoStaysWhateverElseWentWell) {
    open_workspace_on(QStringLiteral("results"));
    Q_EMIT window().current_page()->notice(QStringLiteral("It could not be saved"), true);
    Q_EMIT window().page(QStringLiteral("train"))->notice(QStringLiteral("It could not be read"), true);
    Q_EMIT window().current_page()->notice(QStringLiteral("Saved"), false);
    EXPECT_EQ(told(), "It could not be saved\nIt could not be read\nSaved");
    use_worker("exec sleep 60\n");
    const auto job = program_->jobs().start(collection()); // as another window would, too
    ASSERT_TRUE(job.has_value());
    EXPECT_EQ(told(), "It could not be saved\nIt could not be read\nSaved");
    program_->jobs().kill(*job);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST_F(MessagesTest, AProblemIsOverOnceTheSameActionOfThePageGoesWell) {
    open_workspace_on(QStringLiteral("results"));
    Page& page = *window().current_page();
    Page& other = *window().page(QStringLiteral("train"));
    const QString save = QStringLiteral("save");
    Q_EMIT page.notice(QStringLiteral("The folder is not there"), true, save);
    Q_EMIT page.notice(QStringLiteral("The disk is full"), true, save);
    EXPECT_EQ(told(), "The disk is full") << "what became of it before is no news";
    Q_EMIT other.notice(QStringLiteral("Saved the other"), false, save);
    Q_EMIT page.notice(QStringLiteral("Copied"), false, QStringLiteral("copy"));
    EXPECT_EQ(told(), "The disk is full\nSaved the other\nCopied");
    Q_EMIT page.notice({}, false, save);
    EXPECT_EQ(told(), "Saved the other\nCopied");
}

TEST_F(MessagesTest, AMeasurementThatCouldNotBeginIsNoNewsOnceItDoes) {
    open_workspace_on(QStringLiteral("schedules"));
    auto* measure = find<QPushButton>("measure");
    ASSERT_TRUE(measure->isEnabled());
    program_->jobs().set_worker_program(path("missing")); // the button does not know yet
    click(measure);
    EXPECT_THAT(told(), ::testing::HasSubstr("worker program"));
    use_worker("exec sleep 60\n");
    Q_EMIT program_->session().contents_changed();
    click(measure);
    EXPECT_EQ(told(), "");
    program_->jobs().kill(program_->jobs().jobs().front().id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST_F(MessagesTest, AFileThatCouldNotBeImportedIsNoNewsOnceItCan) {
    open_workspace_on(QStringLiteral("matrices"));
    const QString file = path("late.mtx");
    window().open_files({file});
    EXPECT_THAT(told(), ::testing::HasSubstr("There is no file"));
    std::ofstream(folder_ / "late.mtx") << "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n";
    window().open_files({file});
    ASSERT_TRUE(wait_until([&] { return told().find("line 3") != std::string::npos; }));
    EXPECT_THAT(told(), ::testing::Not(::testing::HasSubstr("There is no file")));
    std::ofstream(folder_ / "late.mtx") << "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1.0\n";
    window().open_files({file});
    EXPECT_TRUE(wait_until([&] { return told() == "Matrices added: 1"; })) << told();
}

TEST_F(MessagesTest, AFailureIsToldOnceInTheStrip) {
    open(make_workspace());
    use_worker("exit 1\n");
    ASSERT_TRUE(program_->jobs().start(collection()).has_value());
    ASSERT_TRUE(wait_until([&] { return !told().empty(); }));
    const auto* strip = window().findChild<JobStrip*>();
    EXPECT_EQ(strip->title(), QStringLiteral("No jobs running"));
    EXPECT_EQ(strip->status(), QString());
}

TEST_F(MessagesTest, AWorkspaceThatCouldNotBeReadIsNoNewsOnceItCould) {
    open(make_workspace());
    WorkspaceSession& session = program_->session();
    Q_EMIT session.failed(session.path(), QStringLiteral("The disk did not answer"));
    EXPECT_EQ(told(), "The disk did not answer");
    session.refresh(); // the same as before is in it
    EXPECT_TRUE(wait_until([&] { return told().empty(); }));
}

TEST_F(MessagesTest, AWorkspaceThatCantBeOpenedIsForgottenOnceOneIs) {
    window().open_files({path("missing.sparsight")});
    ASSERT_TRUE(wait_until([&] { return !window().notices().texts().isEmpty(); }));
    open(make_workspace());
    EXPECT_EQ(told(), "");
}

} // namespace
} // namespace sparsight::testing

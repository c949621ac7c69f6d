#include "gui/domains/sparse/matrices/simulate_dialog.h"
#include "gui/jobs/views/import_report.h"
#include "gui/shell/window/window_banners.h"
#include "gui/shell/workspace_menu.h"
#include "widgets/chart/chart.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"
#include "window_fixture.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QTabWidget>
#include <QTextBrowser>
#include <QUrl>
#include <QWindow>
#include <filesystem>

namespace sparsight::testing {

// How matrices come into a workspace, or why they do not: the dialog stays until that is known.
namespace {

class MatrixIntakeTest : public WindowTest {
protected:
    SimulateDialog& begin_simulating() {
        find<QAction>("simulate-matrices")->trigger();
        auto* dialog = window().findChild<SimulateDialog*>();
        EXPECT_TRUE(wait_until([&] { return button(*dialog, "add")->isEnabled(); }));
        return *dialog;
    }
    static QPushButton* button(const QDialog& dialog, const char* name) {
        return dialog.findChild<QPushButton*>(QLatin1String(name));
    }
    static std::string label(const QDialog& dialog, const char* name) {
        return dialog.findChild<QLabel*>(QLatin1String(name))->text().toStdString();
    }
};

TEST_F(MatrixIntakeTest, WithoutAWorkspaceTheDialogStaysUntilItIsKnownWhetherItCouldBegin) {
    SimulateDialog& dialog = begin_simulating();
    EXPECT_EQ(label(dialog, "destination"), "Target: a new workspace");
    program_->jobs().set_worker_program(path("missing"));
    click(button(dialog, "add"));
    EXPECT_FALSE(button(dialog, "add")->isEnabled()) << "one answer is waited for";
    ASSERT_TRUE(wait_until([&] { return !label(dialog, "added").empty(); }));
    EXPECT_THAT(label(dialog, "added"), ::testing::HasSubstr("worker program"));
    EXPECT_TRUE(dialog.isVisible());
    EXPECT_THAT(label(dialog, "destination"), ::testing::StartsWith("Target: Untitled"));
    program_->jobs().set_worker_program(QStringLiteral(SPARSIGHT_CLI));
    click(button(dialog, "add"));
    EXPECT_FALSE(dialog.isVisible());
    EXPECT_TRUE(wait_until([&] { return program_->session().contents().workloads.size() == 1U; }));
}

TEST_F(MatrixIntakeTest, WhatCouldNotBeTakenIsSaidOnThePageThatIsShown) {
    open_workspace_on(QStringLiteral("schedules"));
    QFile file(path("bad.mtx"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 oops 1\n");
    file.close();
    window().open_files({path("bad.mtx")});
    auto* const report = window().findChild<WindowBanners*>()->findChild<ImportReport*>();
    ASSERT_TRUE(wait_until([&] { return report->isVisible(); }, 60));
    ASSERT_EQ(window().current_page()->id(), QStringLiteral("schedules"));
    ASSERT_EQ(report->problems().size(), 1U);
    EXPECT_EQ(report->problems()[0].line, QStringLiteral("3"));
    for (auto* const button : report->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("&Details"))
            click(button);
    find<QDialog>("import-problems")->close();
    window().show_page(QStringLiteral("matrices"));
    EXPECT_FALSE(report->isVisible()) << "the page says it itself";
    EXPECT_TRUE(window().current_page()->findChild<ImportReport*>()->isVisible());
}

TEST_F(MatrixIntakeTest, AWorkspaceThatCantBeMadeIsSaidInTheDialog) {
    const QString folder = QFileInfo(WorkspaceMenu::demo_path()).absolutePath();
    ASSERT_TRUE(QDir().rename(folder, folder + QStringLiteral(".away")));
    ASSERT_TRUE(QFile(folder).open(QIODevice::WriteOnly)) << "a file is where its folder should be";
    SimulateDialog& dialog = begin_simulating();
    click(button(dialog, "add-and-go-on"));
    EXPECT_TRUE(wait_until([&] { return !label(dialog, "added").empty(); }));
    EXPECT_TRUE(dialog.isVisible());
    EXPECT_TRUE(button(dialog, "add")->isEnabled());
    EXPECT_FALSE(program_->session().is_open());
    QFile::remove(folder);
    ASSERT_TRUE(QDir().rename(folder + QStringLiteral(".away"), folder));
}

TEST_F(MatrixIntakeTest, NothingIsAddedToAWorkspaceThatCanOnlyBeRead) {
    namespace fs = std::filesystem;
    fs::create_directory(folder_ / "kept");
    const QString file = make_workspace("kept/w.sparsight");
    const auto allow = [&](fs::perms perms, fs::perm_options how) {
        for (const auto& place : {folder_ / "kept" / "w.sparsight", folder_ / "kept"})
            fs::permissions(place, perms, how);
    };
    allow(fs::perms::owner_write, fs::perm_options::remove);
    if (QFileInfo(file).isWritable()) {
        allow(fs::perms::owner_write, fs::perm_options::add);
        GTEST_SKIP() << "this user may write every file";
    }
    open(file);
    ASSERT_TRUE(program_->session().is_read_only());
    SimulateDialog& dialog = begin_simulating();
    EXPECT_EQ(label(dialog, "destination"), "Target: w");
    click(button(dialog, "add"));
    EXPECT_TRUE(dialog.isVisible());
    EXPECT_THAT(label(dialog, "added"), ::testing::HasSubstr("can only be read"));
    window().open_files({QStringLiteral(SPARSIGHT_CLI)}); // any file that is there
    EXPECT_TRUE(program_->jobs().jobs().empty());
    EXPECT_THAT(window().notices().texts().join(u'\n').toStdString(),
                ::testing::HasSubstr("can only be read"));
    allow(fs::perms::owner_write, fs::perm_options::add);
}

} // namespace

// Files that are dropped on the window, as the system sends them: to the window, which finds the widget under
// the cursor.
namespace {

class FileDropTest : public WindowTest {
protected:
    QString make_matrix(const QString& name) {
        const auto pattern = generate_matrix("arrow", {{"size", 30}}, 1);
        const QString file = path((name + QStringLiteral(".mtx")).toUtf8().constData());
        EXPECT_TRUE(write_matrix_market(file.toStdString(), *pattern).has_value());
        return file;
    }

    /// False where the drag is refused.
    bool drop_on(QWidget* widget, const QString& file) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        data.setText(file); // as file managers do, so that fields of text want it, too
        const QPoint place = widget->mapTo(&window(), widget->rect().center());
        QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window().windowHandle(), &enter);
        QDragMoveEvent move(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window().windowHandle(), &move);
        if (!enter.isAccepted() || !move.isAccepted())
            return false;
        QDropEvent drop(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window().windowHandle(), &drop);
        return drop.isAccepted();
    }
};

TEST_F(FileDropTest, MatricesMayBeDroppedOnWhateverIsUnderTheCursor) {
    open_workspace_on(QStringLiteral("matrices"));
    QWidget& page = *window().current_page();
    page.findChild<QTabWidget*>()->setCurrentIndex(1); // the chart of row lengths
    auto* list = page.findChild<DataTable*>(QStringLiteral("matrix-list"));
    auto* field = list->findChild<QLineEdit*>();
    const std::vector<std::pair<QString, QWidget*>> places{
        {QStringLiteral("on-table"), list->view()->viewport()},
        {QStringLiteral("on-field"), field},
        {QStringLiteral("on-plot"), page.findChild<SparsityPlot*>()},
        {QStringLiteral("on-chart"), page.findChild<QTabWidget*>()->currentWidget()},
        {QStringLiteral("on-navigation"), find<QWidget>("navigation")},
        {QStringLiteral("on-selection"), find<QWidget>("selection")}};
    for (const auto& [name, widget] : places) {
        ASSERT_TRUE(widget != nullptr && widget->isVisible()) << name.toStdString();
        EXPECT_TRUE(drop_on(widget, make_matrix(name))) << name.toStdString();
        EXPECT_TRUE(wait_until([&] { return program_->session().workload(name) != nullptr; }))
            << name.toStdString();
    }
    EXPECT_EQ(field->text(), QString()) << "the field has not taken the path for a filter";
}

TEST_F(FileDropTest, AWorkspaceIsOpenedWhereverItIsDropped) {
    const QString other = make_workspace("other.sparsight");
    open_workspace_on(QStringLiteral("schedules"));
    EXPECT_TRUE(drop_on(window().current_page()->findChild<Chart*>(), other));
    EXPECT_TRUE(wait_until([&] { return program_->session().path() == other; }));
    window().show_page(QStringLiteral("help"));
    EXPECT_TRUE(drop_on(window().current_page()->findChild<QTextBrowser*>(), path("w.sparsight")));
    EXPECT_TRUE(wait_until([&] { return program_->session().path() == path("w.sparsight"); }));
}

TEST_F(FileDropTest, OnTheStartPageTheyAreOpened) {
    EXPECT_TRUE(drop_on(window().centralWidget(), make_workspace()));
    EXPECT_TRUE(wait_until([&] { return program_->session().is_open(); }));
}

} // namespace
} // namespace sparsight::testing

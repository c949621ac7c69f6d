// The start page and how one gets away from it and from the help.
#include "window_fixture.h"

#include "gui/matrices/import_dialog.h"
#include "gui/matrices/simulate_dialog.h"
#include "gui/page/export_notices.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/table/data_table.h"

#include <QPointer>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTextBrowser>
#include <QToolButton>

namespace sparsight::testing {
namespace {

class BeginningTest : public WindowTest {
protected:
    /// Of the start page.
    void click_offer(const QString& word) {
        for (QPushButton* button : window().findChildren<QPushButton*>())
            if (button->isVisible() && QString(button->text()).remove(u'&').contains(word)) {
                click(button);
                return;
            }
        FAIL() << word.toStdString();
    }
    void press_back() {
        window().activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
        QTest::keyClick(window().page(QStringLiteral("help"))->findChild<QTextBrowser*>(), Qt::Key_Left,
                        Qt::AltModifier);
    }
    bool is_highlighted(const char* page) {
        return find<QToolButton>((std::string("navigate-") + page).c_str())->isChecked();
    }
};

TEST_F(BeginningTest, BackLeavesTheHelpForThePageBefore) {
    open_workspace_on(QStringLiteral("machines"));
    window().show_page(QStringLiteral("help"));
    press_back();
    EXPECT_EQ(window().current_page()->id().toStdString(), "machines");
}

TEST_F(BeginningTest, TheStartPageHighlightsNoPage) {
    find<QAction>("help")->trigger();
    EXPECT_TRUE(is_highlighted("help"));
    press_back();
    EXPECT_EQ(window().current_page(), nullptr);
    EXPECT_FALSE(is_highlighted("help"));
}

TEST_F(BeginningTest, NoWorkspaceIsMadeBeforeFilesAreChosen) {
    click_offer(QStringLiteral("drop matrices"));
    auto* dialog = window().findChild<ImportDialog*>();
    ASSERT_NE(dialog, nullptr);
    dialog->reject();
    QCoreApplication::processEvents();
    EXPECT_FALSE(program_->session().is_open());
    EXPECT_TRUE(program_->settings().recent.get().isEmpty());
}

TEST_F(BeginningTest, SimulatingMakesAWorkspaceAndTheDialogGoes) {
    click_offer(QStringLiteral("Simulate"));
    QPointer<SimulateDialog> dialog = window().findChild<SimulateDialog*>();
    ASSERT_NE(dialog, nullptr);
    auto* plot = dialog->findChild<SparsityPlot*>();
    ASSERT_TRUE(wait_until([&] { return plot->picture_is_current(); })) << "the preview";
    EXPECT_FALSE(program_->session().is_open());
    click(dialog->findChild<QPushButton*>(QStringLiteral("add-and-go-on")));
    EXPECT_TRUE(dialog->isVisible()) << "for another one";
    ASSERT_TRUE(wait_until([&] { return program_->session().contents().matrices.size() == 1U; }));
    EXPECT_THAT(program_->session().path().toStdString(), ::testing::HasSubstr("Untitled"));
    click(dialog->findChild<QPushButton*>(QStringLiteral("add")));
    EXPECT_TRUE(dialog.isNull() || !dialog->isVisible());
    EXPECT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST(ExportNotices, TellOfWhatComesLater) {
    Page page(QStringLiteral("x"), QStringLiteral("X"), QStringLiteral("help"));
    tell_of_exports(page);
    QSignalSpy notices(&page, &Page::notice);
    page.show();
    auto* box = new QWidget(&page);
    box->show();
    auto* table = new DataTable(box);
    table->show();
    Q_EMIT table->exported(QStringLiteral("rows.csv"));
    Q_EMIT table->export_failed(QStringLiteral("the disk is full"));
    ASSERT_EQ(notices.size(), 2) << "each once";
    EXPECT_THAT(notices[0][0].toString().toStdString(), ::testing::HasSubstr("rows.csv"));
    EXPECT_TRUE(notices[1][1].toBool());
}

} // namespace
} // namespace sparsight::testing

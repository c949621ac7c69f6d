// How matrices come into a workspace, or why they do not: the dialog stays until that is known.
#include "window_fixture.h"

#include "gui/matrices/simulate_dialog.h"
#include "gui/shell/welcome_page.h"
#include "gui/shell/workspace_menu.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <filesystem>

namespace sparsight::testing {
namespace {

class MatrixIntakeTest : public WindowTest {
protected:
    SimulateDialog& begin_simulating() {
        Q_EMIT window().findChild<WelcomePage*>()->simulate_requested();
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
    EXPECT_EQ(label(dialog, "destination"), "Into a new workspace");
    program_->jobs().set_worker_program(path("missing"));
    click(button(dialog, "add"));
    EXPECT_FALSE(button(dialog, "add")->isEnabled()) << "one answer is waited for";
    ASSERT_TRUE(wait_until([&] { return !label(dialog, "added").empty(); }));
    EXPECT_THAT(label(dialog, "added"), ::testing::HasSubstr("worker program"));
    EXPECT_TRUE(dialog.isVisible());
    EXPECT_THAT(label(dialog, "destination"), ::testing::StartsWith("Into Untitled"));
    program_->jobs().set_worker_program(QStringLiteral(SPARSIGHT_CLI));
    click(button(dialog, "add"));
    EXPECT_FALSE(dialog.isVisible());
    EXPECT_TRUE(wait_until([&] { return program_->session().contents().matrices.size() == 1U; }));
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
    EXPECT_EQ(label(dialog, "destination"), "Into w");
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
} // namespace sparsight::testing

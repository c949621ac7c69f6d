#include "gui/workspace/workspace_presence.h"

#include "support/temporary_folder.h"

#include <QDir>
#include <QFile>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

class WorkspacePresenceTest : public ::testing::Test {
protected:
    WorkspacePresenceTest() {
        QFile file(workspace);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    }

    testing::TemporaryFolder folder_;
    QString here = QString::fromStdString((folder_ / "open").string());
    QString workspace = QString::fromStdString((folder_ / "w.sparsight").string());
};

TEST_F(WorkspacePresenceTest, SeesOtherWindowsOfTheSameFileUnderAnyName) {
    WorkspacePresence first(here);
    first.set_workspace(workspace);
    EXPECT_FALSE(first.is_open_elsewhere()) << "itself is no other";
    {
        const QString link = workspace + QStringLiteral(".link");
        ASSERT_TRUE(QFile::link(workspace, link));
        WorkspacePresence second(here);
        second.set_workspace(link);
        EXPECT_TRUE(first.is_open_elsewhere());
        EXPECT_TRUE(second.is_open_elsewhere());
        second.set_workspace(workspace + QStringLiteral(".other"));
        EXPECT_FALSE(first.is_open_elsewhere());
        second.set_workspace(workspace);
    }
    EXPECT_FALSE(first.is_open_elsewhere()) << "it is closed";
}

TEST_F(WorkspacePresenceTest, AWindowThatWasKilledIsNone) {
    WorkspacePresence window(here);
    window.set_workspace(workspace);
    const QStringList folders = QDir(here).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    ASSERT_EQ(folders.size(), 1);
    QFile left_behind(here + u'/' + folders.front() + QStringLiteral("/0.lock"));
    ASSERT_TRUE(left_behind.open(QIODevice::WriteOnly));
    left_behind.write("999999999\nsparsight\n\n"); // no process has this number
    left_behind.close();
    EXPECT_FALSE(window.is_open_elsewhere());
}

TEST_F(WorkspacePresenceTest, LeavesNothingBehind) {
    {
        WorkspacePresence window(here);
        window.set_workspace(workspace);
    }
    EXPECT_TRUE(QDir(here).isEmpty());
}

} // namespace
} // namespace sparsight

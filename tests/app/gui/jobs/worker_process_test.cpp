#include "gui/jobs/worker_process.h"

#include "support/temporary_folder.h"

#include <QCoreApplication>
#include <QThread>
#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sparsight::testing {

TEST(WorkerProcess, ANumberThatIsUsedAgainIsAnotherProcess) {
    const WorkerIdentity us = identify(::getpid());
    EXPECT_TRUE(is_alive(us));
    WorkerIdentity earlier = us;
    earlier.start_ticks -= 1;
    EXPECT_FALSE(is_alive(earlier)) << "of the same number, started at another moment";
    WorkerIdentity before_boot = us;
    before_boot.boot = QStringLiteral("another");
    EXPECT_FALSE(is_alive(before_boot));
    EXPECT_FALSE(is_alive(WorkerIdentity{}));
    send_signal(earlier, SIGKILL); // must not hit us
    SUCCEED();
}

TEST(WorkerProcess, ADeadChildThatNobodyWaitedForIsDead) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    const WorkerIdentity process = identify(child);
    for (int i = 0; i < 500 && identify(child).start_ticks != 0; ++i)
        QThread::msleep(10);
    EXPECT_FALSE(is_alive(process));
}

TEST(WorkerProcess, RunsInItsFolderWithItsOutputsInFilesAndSaysWhyItCannot) {
    int count = 1;
    char program[] = "test";
    char* arguments[] = {program, nullptr};
    const QCoreApplication application(count, arguments);
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.path().string());
    const auto worker = start_worker({QStringLiteral("/bin/sh"),
                                      {QStringLiteral("-c"), QStringLiteral("pwd; echo \"$1\" >&2"),
                                       QStringLiteral("sh"), QStringLiteral("a b'c\"")},
                                      path,
                                      path + QStringLiteral("/events"),
                                      path + QStringLiteral("/log")});
    ASSERT_TRUE(worker.has_value());
    for (int i = 0; i < 500 && is_alive(*worker); ++i)
        QThread::msleep(10);
    EXPECT_EQ(file_content(folder / "events"), folder.path().string() + "\n");
    EXPECT_EQ(file_content(folder / "log"), "a b'c\"\n");
    const auto missing = start_worker(
        {path + QStringLiteral("/none"), {}, path, path + QStringLiteral("/e"), path + QStringLiteral("/l")});
    ASSERT_FALSE(missing.has_value());
    EXPECT_FALSE(missing.error().isEmpty());
}

} // namespace sparsight::testing

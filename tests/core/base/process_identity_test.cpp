#include "base/process_identity.h"

#include <array>
#include <csignal>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace sparsight {
namespace {

TEST(ProcessIdentity, ThisProcessIsAlive) {
    EXPECT_EQ(this_process().id, ::getpid());
    EXPECT_TRUE(is_alive(this_process()));
    EXPECT_EQ(this_process(), this_process());
}

TEST(ProcessIdentity, AnotherOneWithItsNumberIsNotTheSame) {
    ProcessIdentity process = this_process();
    process.start += "1";
    EXPECT_FALSE(is_alive(process));
    process.start.clear();
    EXPECT_FALSE(is_alive(process));
}

TEST(ProcessIdentity, OneThatHasEndedIsNotAlive) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const ProcessIdentity itself = this_process();
        (void)!::write(pipe[1], itself.start.data(), itself.start.size());
        ::pause();
        ::_exit(0);
    }
    ::close(pipe[1]); // so that reading ends where the child does
    std::array<char, 500> start{};
    const ssize_t size = ::read(pipe[0], start.data(), start.size());
    ASSERT_GT(size, 0);
    const ProcessIdentity process{child, std::string(start.data(), static_cast<std::size_t>(size))};
    EXPECT_TRUE(is_alive(process));
    ::kill(child, SIGKILL);
    siginfo_t ended{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_FALSE(is_alive(process)) << "though nobody has asked how it ended";
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_FALSE(is_alive(process));
    ::close(pipe[0]);
}

} // namespace
} // namespace sparsight

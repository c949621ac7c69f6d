#include "base/memory.h"
#include "base/parallel.h"
#include "base/process_identity.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

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

TEST(ParallelParts, VisitsEveryIndexOnce) {
    for (const int threads : {1, 2, 3, 7}) {
        for (const std::int64_t count : {0, 1, 5, 1000}) {
            std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
            parallel_parts(threads, count, [&](int, std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i)
                    ++visits[static_cast<std::size_t>(i)];
            });
            for (const auto& visit : visits)
                EXPECT_EQ(visit.load(), 1);
        }
    }
}

TEST(ParallelParts, RethrowsWhatABodyThrows) {
    EXPECT_THROW(parallel_parts(2, 10,
                                [](int part, std::int64_t, std::int64_t) {
                                    if (part == 1)
                                        throw std::runtime_error("from a helper");
                                }),
                 std::runtime_error);
}

TEST(AvailableThreads, IsAtLeastOne) {
    EXPECT_GE(available_threads(), 1);
}

TEST(AlignedBuffer, BeginsAtACacheLine) {
    for (const std::size_t count : {1U, 3U, 100U, 10'000U, 3'000'000U}) {
        const FloatBuffer buffer(count);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U) << count;
    }
}

TEST(AlignedBuffer, KeepsItsElementsWhenItGrows) {
    IndexBuffer buffer;
    for (std::int32_t i = 0; i < 2'000'000; ++i)
        buffer.push_back(i);
    for (std::int32_t i = 0; i < 2'000'000; ++i)
        ASSERT_EQ(buffer[static_cast<std::size_t>(i)], i);
}

TEST(AlignedBuffer, FillsElementsThatAreGivenAValue) {
    FloatBuffer buffer;
    buffer.assign(1'000'000, 0.5F);
    EXPECT_EQ(std::ranges::count(buffer, 0.5F), 1'000'000);
}

TEST(AlignedBuffer, SaysWhenMemoryIsShort) {
    EXPECT_THROW((void)AlignedAllocator<double>().allocate(std::numeric_limits<std::size_t>::max() / 8),
                 std::bad_alloc);
}

} // namespace
} // namespace sparsight

// What the operating system gives: files, processes, threads, memory.
#include "base/files.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/process.h"
#include "support/test_files.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace sparsight {
namespace {

using testing::file_content;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::write_file;

std::ptrdiff_t files_in(const TemporaryFolder& folder) {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

/// While it lives no file can grow beyond some bytes, which is as good as a full disk.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes)
        : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit limit{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }

private:
    void (*old_handler_)(int);
    rlimit old_{};
};

TEST(AtomicFile, IsThereAfterTheCommitAndNotBefore) {
    const TemporaryFolder folder;
    const auto path = folder / "new.txt";
    Result<AtomicFile> file = AtomicFile::create(path);
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_TRUE(file->write("one "));
    ASSERT_TRUE(file->write("two"));
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(file_content(path), "one two");
    EXPECT_EQ(files_in(folder), 1);
}

TEST(AtomicFile, LeavesTheOldFileWithoutACommit) {
    const TemporaryFolder folder;
    const auto path = write_file(folder / "old.txt", "old");
    {
        Result<AtomicFile> file = AtomicFile::create(path);
        ASSERT_TRUE(file);
        ASSERT_TRUE(file->write("new"));
    }
    EXPECT_EQ(file_content(path), "old");
    EXPECT_EQ(files_in(folder), 1);
}

TEST(AtomicFile, LeavesTheOldFileWhenTheDiskIsFull) {
    const TemporaryFolder folder;
    const auto path = write_file(folder / "old.txt", "old");
    {
        Result<AtomicFile> file = AtomicFile::create(path);
        ASSERT_TRUE(file);
        const FullDisk full(1000);
        const Result<void> written = file->write(std::string(5000, 'x'));
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().fault, Fault::Environment);
        EXPECT_EQ(written.error().text(), path.string() + ": cannot be written: File too large");
    }
    EXPECT_EQ(file_content(path), "old");
    EXPECT_EQ(files_in(folder), 1);
}

TEST(AtomicFile, SaysWhereItCannotBeCreated) {
    const TemporaryFolder folder;
    const Result<AtomicFile> nowhere = AtomicFile::create(folder / "missing" / "file.txt");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().text(),
              (folder / "missing" / "file.txt").string() + ": cannot be created: No such file or directory");
    const Result<AtomicFile> on_folder = AtomicFile::create(folder.path());
    ASSERT_FALSE(on_folder);
    EXPECT_EQ(on_folder.error().message, "cannot be written: it is a folder");
}

TEST(AtomicFile, KeepsThePermissionsOfTheFileItReplaces) {
    const TemporaryFolder folder;
    const auto path = write_file(folder / "old.txt", "old");
    std::filesystem::permissions(path, std::filesystem::perms(0640));
    Result<AtomicFile> file = AtomicFile::create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
}

TEST(AtomicFile, WritesIntoADeviceOrAPipeAndPutsNothingInItsPlace) {
    const TemporaryFolder folder;
    const std::filesystem::path pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::string seen;
    {
        const std::jthread reader([&] { seen = file_content(pipe); });
        EXPECT_TRUE(write_whole_file(pipe, "what was written"));
    }
    EXPECT_EQ(seen, "what was written");
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));

    std::filesystem::create_symlink("/dev/full", folder / "full");
    const auto full = write_whole_file(folder / "full", "too much");
    ASSERT_FALSE(full);
    EXPECT_THAT(full.error().text(), HasSubstr("cannot be written: No space left on device"));
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, ReplacesWhatALinkPointsTo) {
    const TemporaryFolder folder;
    const auto path = write_file(folder / "old.txt", "old");
    std::filesystem::create_symlink("old.txt", folder / "link");
    Result<AtomicFile> file = AtomicFile::create(folder / "link");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("new"));
    ASSERT_TRUE(file->commit());
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(file_content(path), "new");
}

std::string refusal(const std::filesystem::path& path) {
    const auto usable = require_regular_file(path);
    return usable ? "" : usable.error().message;
}

TEST(RegularFile, IsTakenAlsoThroughALink) {
    const testing::TemporaryFolder folder;
    testing::write_file(folder / "file", "text");
    std::filesystem::create_symlink(folder / "file", folder / "link");
    EXPECT_EQ(refusal(folder / "file"), "");
    EXPECT_EQ(refusal(folder / "link"), "");
}

TEST(RegularFile, EverythingElseIsRefusedByItsName) {
    const testing::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(refusal(folder / "pipe"), "is a pipe, not a file");
    EXPECT_EQ(refusal("/dev/zero"), "is a device, not a file");
    EXPECT_EQ(refusal(folder.path()), "is a folder, not a file");
    EXPECT_EQ(refusal(folder / "none"), "cannot be opened: No such file or directory");
}

TEST(RegularFile, IsReadAsAWholeUpToTheMost) {
    const TemporaryFolder folder;
    const auto path = write_file(folder / "bytes", std::string("one\0two", 7));
    EXPECT_EQ(read_whole_file(path).value(), std::string("one\0two", 7));
    const auto large = read_whole_file(path, 6);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().fault, Fault::Limit);
    EXPECT_EQ(large.error().file, path.string());
    const auto missing = read_whole_file(folder / "missing");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().fault, Fault::Environment);
    EXPECT_THAT(missing.error().message, HasSubstr("cannot be opened"));
}

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

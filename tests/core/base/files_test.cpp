#include "base/files.h"
#include "support/test_files.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

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

} // namespace
} // namespace sparsight

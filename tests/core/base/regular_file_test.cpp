#include "base/regular_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace sparsight {
namespace {

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

// A folder that lives as long as a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sparsight::testing {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "sparsight-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw std::runtime_error("no temporary folder");
        path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

inline std::filesystem::path write_file(const std::filesystem::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    return path;
}

inline std::string file_content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Real matrices and measurements that lie beside the checkout where it was developed. The product never needs
// them, so a test that does skips, saying so, where they are absent.

inline std::filesystem::path shared_path(const std::filesystem::path& relative) {
    return std::filesystem::path(SPARSIGHT_SHARED_DIR) / relative;
}

} // namespace sparsight::testing

#define SPARSIGHT_NEEDS_SHARED(relative)                                                                     \
    if (!std::filesystem::exists(::sparsight::testing::shared_path(relative)))                               \
    GTEST_SKIP() << "needs " << ::sparsight::testing::shared_path(relative).string() << ", which is not here"

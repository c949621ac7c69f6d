// Real matrices and measurements that lie beside the checkout where it was developed. The product never needs
// them, so a test that does skips, saying so, where they are absent.
#pragma once

#include <filesystem>
#include <gtest/gtest.h>

namespace sparsight::testing {

inline std::filesystem::path shared_path(const std::filesystem::path& relative) {
    return std::filesystem::path(SPARSIGHT_SHARED_DIR) / relative;
}

} // namespace sparsight::testing

#define SPARSIGHT_NEEDS_SHARED(relative)                                                                     \
    if (!std::filesystem::exists(::sparsight::testing::shared_path(relative)))                               \
    GTEST_SKIP() << "needs " << ::sparsight::testing::shared_path(relative).string() << ", which is not here"

#include "base/aligned_buffer.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

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

#include "base/parallel.h"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace sparsight {
namespace {

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

} // namespace
} // namespace sparsight

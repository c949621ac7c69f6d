#include "base/shared_memo.h"

#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <vector>

namespace sparsight {
namespace {

TEST(SharedMemo, ComputesTheValueOfAKeyOnce) {
    const SharedMemo<std::map<int, int>> squares;
    int computed = 0;
    const auto square = [&](int number) {
        return squares(number, [&] {
            ++computed;
            return number * number;
        });
    };
    EXPECT_EQ(square(3), 9);
    EXPECT_EQ(square(4), 16);
    EXPECT_EQ(square(3), 9);
    EXPECT_EQ(computed, 2);
}

TEST(SharedMemo, GivesAllThreadsTheValueThatWasKeptFirst) {
    const SharedMemo<std::map<int, int>> memo;
    std::atomic<int> next = 0;
    std::vector<std::vector<int>> seen(4);
    {
        std::vector<std::jthread> threads;
        for (auto& of_thread : seen)
            threads.emplace_back([&] {
                for (int key = 0; key < 1000; ++key)
                    of_thread.push_back(memo(key, [&] { return next++; }));
            });
    }
    for (const auto& of_thread : seen)
        EXPECT_EQ(of_thread, seen.front());
}

} // namespace
} // namespace sparsight

#include "kernel/radix_sort.h"

#include "base/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace sparsight {
namespace {

std::uint64_t bits_of(std::uint64_t key, int low_bit, int high_bit) {
    const std::uint64_t kept = high_bit == 64 ? key : key & ((std::uint64_t{1} << high_bit) - 1);
    return kept >> low_bit;
}

TEST(RadixSort, OrdersAsAStableSortByTheBitsDoes) {
    Random random(3);
    for (const std::size_t count : {0U, 1U, 2U, 100U, 5000U, 50'000U}) {
        for (const auto& [low_bit, high_bit] :
             {std::pair(0, 64), std::pair(5, 6), std::pair(10, 33), std::pair(52, 64)}) {
            for (const int threads : {1, 2, 3}) {
                AlignedBuffer<WideEntry> entries;
                for (std::uint32_t e = 0; e < count; ++e)
                    entries.push_back({random() & random(), e});
                AlignedBuffer<WideEntry> expected = entries;
                std::ranges::stable_sort(expected, {},
                                         [low = low_bit, high = high_bit](const WideEntry& entry) {
                                             return bits_of(entry.key, low, high);
                                         });
                radix_sort(entries, low_bit, high_bit, threads);
                EXPECT_TRUE(entries == expected)
                    << count << " entries, bits " << low_bit << ".." << high_bit << ", threads " << threads;
            }
        }
    }
}

TEST(RadixSort, OrdersNarrowEntriesByTheirWholeWord) {
    Random random(4);
    AlignedBuffer<NarrowEntry> entries;
    for (int e = 0; e < 30'000; ++e)
        entries.push_back(random());
    AlignedBuffer<NarrowEntry> expected = entries;
    std::ranges::sort(expected);
    radix_sort(entries, 0, 64, 2);
    EXPECT_TRUE(entries == expected);
}

TEST(RadixSort, LeavesEntriesThatAgreeWhereTheyAre) {
    AlignedBuffer<WideEntry> entries;
    for (std::uint32_t e = 0; e < 1000; ++e)
        entries.push_back({0xABC0 | (e * 7 % 16), e});
    const AlignedBuffer<WideEntry> before = entries;
    radix_sort(entries, 4, 64, 2);
    EXPECT_TRUE(entries == before);
}

} // namespace
} // namespace sparsight

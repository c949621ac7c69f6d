#include "base/random.h"
#include "domains/sparse/kernel/storage/coordinate_order.h"
#include "domains/sparse/tensor/pattern.h"
#include "storage_formats.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace sparsight {
namespace {

using testing::build_format;

TEST(CoordinateKey, HoldsEveryLevelsCoordinateInTheFormatsOrder) {
    const StorageFormat format = build_format(100, 60, "k1:C i0:U i1:U k0:C", 8, 12);
    const KeyLayout layout = key_layout(format, 5);
    const std::uint64_t key = layout.row.key(77) | layout.column.key(45);
    EXPECT_EQ(layout.fields[0].coordinate(key), 45 / 12);
    EXPECT_EQ(layout.fields[1].coordinate(key), 77 % 8);
    EXPECT_EQ(layout.fields[2].coordinate(key), 77 / 8);
    EXPECT_EQ(layout.fields[3].coordinate(key), 45 % 12);
    EXPECT_EQ(key & 31, 0U) << "the free bits";
    EXPECT_EQ(layout.bits, 3 + 3 + 4 + 4);
}

TEST(CoordinateKey, ComesTheSameByShiftingAsByDividing) {
    const KeyLayout layout = key_layout(build_format(1000, 1000, "i1:C k1:C k0:C i0:C", 1, 64), 0);
    ASSERT_TRUE(layout.column.is_power_of_two());
    for (const std::uint32_t x : {0U, 1U, 63U, 64U, 65U, 999U}) {
        EXPECT_EQ(layout.column.key(x), layout.column.key_by_shifting(x));
        EXPECT_EQ(layout.row.key(x), layout.row.key_by_shifting(x));
    }
}

TEST(CoordinateKey, OfTheLargestMatrixTakesAtMost64Bits) {
    for (const std::int64_t split : {std::int64_t{1}, std::int64_t{3}, std::int64_t{46'341},
                                     std::int64_t{1} << 20, max_extent, max_extent * 4}) {
        const StorageFormat format =
            split == 1 ? build_format(max_extent, max_extent, "k1:C i1:C")
                       : build_format(max_extent, max_extent, "k1:C i1:C k0:C i0:C", split, split);
        EXPECT_LE(coordinate_bits(format), 64) << split;
        const KeyLayout layout = key_layout(format, 0);
        const auto last = static_cast<std::uint32_t>(max_extent - 1);
        const std::uint64_t key = layout.row.key(last) | layout.column.key(last);
        for (std::size_t l = 0; l < layout.levels; ++l) {
            const bool is_outer = format.levels[l].loop.part == Part::Outer;
            EXPECT_EQ(layout.fields[l].coordinate(key), is_outer ? last / split : last % split) << split;
        }
    }
}

TEST(CoordinateKey, SortsOnlyTheLevelsThatAreNotInRowMajorOrderYet) {
    const auto levels_to_sort = [](const char* levels) {
        const std::int64_t split = std::string_view(levels).contains('0') ? 4 : 1;
        return key_layout(build_format(64, 64, levels, split, split), 0).levels_to_sort;
    };
    EXPECT_EQ(levels_to_sort("i1:U k1:C"), 0U);
    EXPECT_EQ(levels_to_sort("i1:U i0:U k1:C k0:C"), 0U);
    EXPECT_EQ(levels_to_sort("k1:U i1:C"), 1U);
    EXPECT_EQ(levels_to_sort("k1:U i1:C i0:C k0:C"), 1U);
    EXPECT_EQ(levels_to_sort("i1:U k1:C i0:U k0:U"), 2U);
    EXPECT_EQ(levels_to_sort("i1:U i0:C k0:C k1:C"), 3U);
    EXPECT_EQ(levels_to_sort("k1:C k0:C i0:C i1:C"), 3U);
}

TEST(CoordinateKey, BitsToSortAreThoseOfTheLeadingLevels) {
    const KeyLayout blocks = key_layout(build_format(64, 64, "i1:U k1:C i0:U k0:U", 4, 4), 10);
    EXPECT_EQ(blocks.bits_to_sort(), std::pair(10 + 2 + 2, 10 + 12));
    const KeyLayout csr = key_layout(build_format(64, 64, "i1:U k1:C"), 10);
    EXPECT_EQ(csr.bits_to_sort(), std::pair(0, 0));
}

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

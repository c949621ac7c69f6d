// How a matrix is stored: the order of its coordinates, and the views of the levels.
#include "base/random.h"
#include "domains/sparse/kernel/storage/coordinate_order.h"
#include "domains/sparse/kernel/storage/coordinate_tree.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/tensor/pattern.h"
#include "kernel_cases.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace sparsight {
namespace {

using testing::build_format;
using testing::build_pattern;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::random_format;
using testing::Triple;

TEST(CoordinateKey, HoldsEveryLevelsCoordinateInTheFormatsOrder) {
    const StorageFormat format = build_format(100, 60, "k1:C i0:U i1:U k0:C", 8, 12);
    const KeyLayout layout = key_layout(format, 5);
    const std::uint64_t key = layout.axes[0].key(77) | layout.axes[1].key(45);
    EXPECT_EQ(layout.fields[0].coordinate(key), 45 / 12);
    EXPECT_EQ(layout.fields[1].coordinate(key), 77 % 8);
    EXPECT_EQ(layout.fields[2].coordinate(key), 77 / 8);
    EXPECT_EQ(layout.fields[3].coordinate(key), 45 % 12);
    EXPECT_EQ(key & 31, 0U) << "the free bits";
    EXPECT_EQ(layout.bits, 3 + 3 + 4 + 4);
}

TEST(CoordinateKey, ComesTheSameByShiftingAsByDividing) {
    const KeyLayout layout = key_layout(build_format(1000, 1000, "i1:C k1:C k0:C i0:C", 1, 64), 0);
    ASSERT_TRUE(layout.axes[1].is_power_of_two());
    for (const std::uint32_t x : {0U, 1U, 63U, 64U, 65U, 999U}) {
        EXPECT_EQ(layout.axes[1].key(x), layout.axes[1].key_by_shifting(x));
        EXPECT_EQ(layout.axes[0].key(x), layout.axes[0].key_by_shifting(x));
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
        const std::uint64_t key = layout.axes[0].key(last) | layout.axes[1].key(last);
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

//     0 1 2 3 4 5
//  0  a b . . . c
//  1  . . . . . .
//  2  . . d . . .
//  3  . . e f . .
CsrPattern stored_example() {
    return build_pattern(4, 6,
                         {{0, 0, 'a'}, {0, 1, 'b'}, {0, 5, 'c'}, {2, 2, 'd'}, {3, 2, 'e'}, {3, 3, 'f'}});
}

/// "parent:coordinate" of each node; a node without entries below it in brackets.
std::string nodes(const CoordinateLevel& level) {
    std::string text;
    for (const CoordinateNode& node : level.nodes)
        text += fmt::format("{}{}{}:{}{}", text.empty() ? "" : " ", node.has_entry ? "" : "(", node.parent,
                            node.coordinate, node.has_entry ? "" : ")");
    return text;
}

CoordinateTree whole_tree(const CsrPattern& pattern, const StorageFormat& format,
                          std::size_t max_nodes = 100000) {
    return coordinate_tree(pattern, format, {0, 0, largest_tree_window, largest_tree_window}, max_nodes);
}

TEST(CoordinateTree, OfCsrHasANodeForEveryRowAndOneForEveryEntry) {
    const CoordinateTree tree = whole_tree(stored_example(), build_format(4, 6, "i1:U k1:C"));
    EXPECT_EQ(tree.window, (MatrixWindow{0, 0, 4, 6}));
    EXPECT_EQ(nodes(tree.levels[0]), "0:0 (0:1) 0:2 0:3");
    EXPECT_EQ(nodes(tree.levels[1]), "0:0 0:1 0:5 2:2 3:2 3:3");
    EXPECT_THAT(tree.levels[0].pos, IsEmpty());
    EXPECT_THAT(tree.levels[1].pos, ElementsAre(0, 3, 3, 4, 6));
    EXPECT_THAT(tree.levels[1].crd, ElementsAre(0, 1, 5, 2, 2, 3));
    EXPECT_THAT(tree.values, ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
    EXPECT_EQ(tree.entries, 6);
    EXPECT_EQ(tree.positions, 6);
    EXPECT_EQ(tree.levels[1].nodes[2].covers, (MatrixWindow{0, 5, 1, 1}));
    EXPECT_EQ(tree.levels[0].nodes[3].covers, (MatrixWindow{3, 0, 1, 6}));
}

TEST(CoordinateTree, OfDenseBlocksShowsPaddingAlsoBeyondTheEdge) {
    const CsrPattern pattern = build_pattern(3, 3, {{0, 0, 'a'}, {2, 2, 'b'}});
    const CoordinateTree tree = whole_tree(pattern, build_format(3, 3, "i1:U k1:C i0:U k0:U", 2, 2));
    EXPECT_EQ(tree.window, (MatrixWindow{0, 0, 4, 4}));
    EXPECT_EQ(nodes(tree.levels[0]), "0:0 0:1");
    EXPECT_EQ(nodes(tree.levels[1]), "0:0 1:1");
    EXPECT_EQ(nodes(tree.levels[2]), "0:0 (0:1) 1:0 (1:1)");
    EXPECT_EQ(nodes(tree.levels[3]), "0:0 (0:1) (1:0) (1:1) 2:0 (2:1) (3:0) (3:1)");
    EXPECT_THAT(tree.values, ElementsAre('a', 0, 0, 0, 'b', 0, 0, 0));
    EXPECT_EQ(tree.levels[3].nodes[7].covers, (MatrixWindow{3, 3, 1, 1}));
}

TEST(CoordinateTree, FollowsAColumnFirstOrder) {
    const CoordinateTree tree = whole_tree(stored_example(), build_format(4, 6, "k1:C i1:C i0:U", 2, 1));
    EXPECT_EQ(nodes(tree.levels[0]), "0:0 0:1 0:2 0:3 0:5");
    EXPECT_EQ(nodes(tree.levels[1]), "0:0 1:0 2:1 3:1 4:0");
    EXPECT_EQ(nodes(tree.levels[2]), "0:0 (0:1) 1:0 (1:1) 2:0 2:1 (3:0) 3:1 4:0 (4:1)");
    EXPECT_THAT(tree.levels[1].pos, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(CoordinateTree, KeepsTheCoordinatesOfTheWholeMatrixInAWindow) {
    const CoordinateTree tree =
        coordinate_tree(stored_example(), build_format(4, 6, "i1:U k1:C i0:U", 2, 1), {2, 2, 2, 2});
    EXPECT_EQ(nodes(tree.levels[0]), "0:1");
    EXPECT_EQ(nodes(tree.levels[1]), "0:2 0:3");
    EXPECT_EQ(nodes(tree.levels[2]), "0:0 0:1 (1:0) 1:1");
    EXPECT_EQ(tree.entries, 3);
}

TEST(CoordinateTree, CutsABlockThatIsLargerThanTheWindow) {
    const CoordinateTree tree =
        coordinate_tree(stored_example(), build_format(4, 6, "i1:U i0:U k1:C", 4, 1), {2, 0, 2, 6});
    EXPECT_EQ(nodes(tree.levels[0]), "0:0");
    EXPECT_EQ(nodes(tree.levels[1]), "0:2 0:3");
    EXPECT_EQ(nodes(tree.levels[2]), "0:2 1:2 1:3");
}

TEST(CoordinateTree, StopsAtTheLimitAndCountsTheRest) {
    const StorageFormat format = build_format(4, 6, "i1:U k1:C");
    const CoordinateTree tree = whole_tree(stored_example(), format, 5);
    EXPECT_EQ(nodes(tree.levels[0]), "0:0 (0:1)");
    EXPECT_EQ(nodes(tree.levels[1]), "0:0 0:1 0:5");
    EXPECT_THAT(tree.levels[1].pos, ElementsAre(0, 3, 3));
    EXPECT_EQ(tree.levels[0].left_out, 2);
    EXPECT_EQ(tree.levels[1].left_out, 3);
    EXPECT_EQ(tree.left_out, 5);
    EXPECT_EQ(tree.positions, 6);
    EXPECT_EQ(whole_tree(stored_example(), format, 0).left_out, 10);
}

TEST(CoordinateTree, OfAMatrixWithoutEntriesHasNodesOnlyOnDenseLevels) {
    const CsrPattern empty = build_pattern(2, 2, {});
    const CoordinateTree tree = whole_tree(empty, build_format(2, 2, "i1:U k1:C"));
    EXPECT_EQ(nodes(tree.levels[0]), "(0:0) (0:1)");
    EXPECT_THAT(tree.levels[1].nodes, IsEmpty());
    EXPECT_THAT(tree.levels[1].pos, ElementsAre(0, 0, 0));
    EXPECT_THAT(whole_tree(build_pattern(0, 0, {}), build_format(0, 0, "i1:U k1:C")).levels[0].nodes,
                IsEmpty());
}

TEST(CoordinateTreeWindow, StartsAndEndsBetweenBlocks) {
    const StorageFormat format = build_format(100, 100, "i1:U k1:C i0:U k0:U", 4, 5);
    EXPECT_EQ(window_at(format, 50, 50, 16, 16), (MatrixWindow{48, 50, 16, 15}));
    EXPECT_EQ(window_at(format, 99, 99, 16, 16), (MatrixWindow{84, 85, 16, 15}));
}

TEST(CoordinateTreeWindow, LiesInsideABlockThatIsLarger) {
    const StorageFormat format = build_format(1000, 1000, "i1:U k1:C i0:U", 256, 1);
    EXPECT_EQ(window_at(format, 300, 300, 16, 8), (MatrixWindow{288, 300, 16, 8}));
}

TEST(CoordinateTreeWindow, BeginsAtTheFirstEntry) {
    const CsrPattern pattern = build_pattern(40, 40, {{21, 30, 1}, {22, 3, 1}});
    EXPECT_EQ(first_window(pattern, build_format(40, 40, "i1:U k1:C i0:U", 2, 1), 8, 8),
              (MatrixWindow{20, 30, 8, 8}));
    EXPECT_EQ(first_window(build_pattern(40, 40, {}), build_format(40, 40, "i1:U k1:C"), 8, 8),
              (MatrixWindow{0, 0, 8, 8}));
}

// The tree of a window says the same as packing the window as a matrix of its own.

struct Cut {
    CsrPattern pattern;
    StorageFormat format;
};

Cut cut(const CsrPattern& pattern, StorageFormat format, const MatrixWindow& window) {
    const std::int64_t rows = std::min(window.rows, pattern.rows - window.row);
    const std::int64_t columns = std::min(window.columns, pattern.cols - window.column);
    std::vector<Triple> triples;
    for (std::int64_t r = window.row; r < window.row + rows; ++r)
        for (auto e = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(r)]);
             e < static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(r) + 1]); ++e)
            if (const auto c = pattern.column_ids[e] - window.column; c >= 0 && c < columns)
                triples.push_back({static_cast<std::int32_t>(r - window.row), static_cast<std::int32_t>(c),
                                   pattern.values[e]});
    format.sizes = {rows, columns};
    for (StorageLevel& level : format.levels)
        if (level.loop.part == Part::Outer)
            level.extent = ((level.is_row() ? rows : columns) + level.split - 1) / level.split;
    return {build_pattern(rows, columns, triples), format};
}

constexpr std::array<std::int64_t, 8> view_splits{1, 1, 2, 3, 4, 5, 8, 16};

TEST(CoordinateTree, SaysTheSameAsPackingTheWindow) {
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        std::vector<Triple> triples;
        const std::int64_t rows = random.between(1, 60);
        const std::int64_t columns = random.between(1, 60);
        for (std::int64_t e = random.between(0, 150); e > 0; --e)
            triples.push_back({static_cast<std::int32_t>(random.between(0, rows - 1)),
                               static_cast<std::int32_t>(random.between(0, columns - 1)),
                               static_cast<float>(random.between(1, 99))});
        const CsrPattern pattern = build_pattern(rows, columns, triples);
        const StorageFormat format = random_format(random, pattern, view_splits);
        const MatrixWindow window =
            window_at(format, random.between(0, rows - 1), random.between(0, columns - 1), 16, 16);
        const CoordinateTree tree = coordinate_tree(pattern, format, window, 100000);
        const Cut part = cut(pattern, format, tree.window);
        const auto packed = pack(part.pattern, part.format, {});
        ASSERT_TRUE(packed) << packed.error().text();

        SCOPED_TRACE(fmt::format("{} at {}, {}", describe(format), window.row, window.column));
        EXPECT_EQ(tree.entries, part.pattern.nnz());
        ASSERT_THAT(tree.values, ::testing::ElementsAreArray(packed->values));
        for (std::size_t l = 0; l < format.levels.size(); ++l) {
            const CoordinateLevel& level = tree.levels[l];
            const std::int64_t first =
                level.shape.loop.part == Part::Inner
                    ? 0
                    : (level.shape.is_row() ? window.row : window.column) / level.shape.split;
            ASSERT_EQ(static_cast<std::int64_t>(level.nodes.size()), packed->levels[l].positions);
            std::vector<std::int64_t> crd = level.crd;
            for (std::int64_t& coordinate : crd)
                coordinate -= first;
            EXPECT_THAT(crd, ::testing::ElementsAreArray(packed->levels[l].crd));
            EXPECT_THAT(level.pos, ::testing::ElementsAreArray(packed->levels[l].pos));
            for (std::size_t n = 0; n < level.nodes.size(); ++n)
                if (const CoordinateNode& node = level.nodes[n];
                    level.shape.format == LevelFormat::Uncompressed) {
                    EXPECT_EQ(static_cast<std::int64_t>(n),
                              static_cast<std::int64_t>(node.parent) * part.format.levels[l].extent +
                                  node.coordinate - first);
                }
        }
    }
}

CsrPattern small_stored_example() {
    return build_pattern(4, 6, {{0, 0, 1}, {0, 1, 1}, {0, 5, 1}, {2, 2, 1}, {3, 2, 1}, {3, 3, 1}});
}

TEST(StorageBreakdown, OfCsrIsItsRowPointersColumnsAndValues) {
    const StorageBreakdown csr = csr_breakdown(small_stored_example(), Operator::SpMM);
    ASSERT_EQ(csr.levels.size(), 2U);
    EXPECT_EQ(name(csr.levels[0].level.loop), "i1");
    EXPECT_EQ(csr.levels[0].pos + csr.levels[0].crd, 0U);
    EXPECT_EQ(name(csr.levels[1].level.loop), "k1");
    EXPECT_EQ(csr.levels[1].pos, 4U * 5);
    EXPECT_EQ(csr.levels[1].crd, 4U * 6);
    EXPECT_EQ(csr.values, 4U * 6);
    EXPECT_EQ(csr.padding, 0U);
    EXPECT_EQ(csr.bytes(), csr_bytes(small_stored_example()));
    EXPECT_EQ(name(csr_breakdown(small_stored_example(), Operator::SDDMM).levels[1].level.loop), "j1");
}

TEST(StorageBreakdown, CountsTheExplicitZerosOfDenseBlocks) {
    const auto blocks =
        storage_breakdown(small_stored_example(), build_format(4, 6, "i1:U k1:C i0:U k0:U", 2, 3), 1);
    ASSERT_TRUE(blocks);
    EXPECT_EQ(blocks->levels[1].pos, 4U * 3);
    EXPECT_EQ(blocks->levels[1].crd, 4U * 4);
    EXPECT_EQ(blocks->values, 4U * 24);
    EXPECT_EQ(blocks->padding, 4U * 18);
}

TEST(StorageBreakdown, AddsUpToWhatPackingReallyTakes) {
    Random random(11);
    for (const Operator op : all_operators) {
        const CsrPattern pattern = small_stored_example();
        for (const SuperSchedule& schedule :
             sample_waco(op, extents(op, pattern.rows, pattern.cols, 8), 60, 2, random)) {
            const StorageFormat format = storage_format(schedule, pattern.rows, pattern.cols);
            const auto breakdown = storage_breakdown(pattern, format, 1);
            const auto packed = pack(pattern, format, {});
            ASSERT_TRUE(breakdown && packed);
            EXPECT_EQ(breakdown->bytes(), packed->bytes()) << describe(format);
            EXPECT_EQ(breakdown->padding, packed->values.size() * 4 - 4 * 6) << describe(format);
            for (std::size_t l = 0; l < format.levels.size(); ++l) {
                EXPECT_EQ(breakdown->levels[l].pos, packed->levels[l].pos.size() * 4);
                EXPECT_EQ(breakdown->levels[l].crd, packed->levels[l].crd.size() * 4);
            }
        }
    }
}

TEST(StorageBreakdown, OfAFormatThatExplodesIsTheLargestNumberInsteadOfNonsense) {
    const StorageFormat format =
        build_format(max_extent, max_extent, "i1:U k1:U i0:U k0:U", 1 << 30, 1 << 30);
    const std::array<std::int64_t, 4> prefixes{1, 1, 2, 2};
    const StorageBreakdown breakdown = storage_breakdown(format, storage_size(format, prefixes), 2);
    EXPECT_EQ(breakdown.values, std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(breakdown.bytes(), std::numeric_limits<std::uint64_t>::max());
}

TEST(StorageBreakdown, RefusesAFormatOfAnotherMatrix) {
    EXPECT_FALSE(storage_breakdown(small_stored_example(), build_format(5, 6, "i1:U k1:C"), 1));
}

TEST(MeanFill, OfCsrIsTheLengthOfRowsThatAreNotEmpty) {
    const CsrPattern pattern = build_pattern(4, 6, {{0, 1, 1}, {0, 3, 1}, {0, 5, 1}, {2, 0, 1}});
    const StorageFormat format = storage_format(fixed_csr(Operator::SpMV, 1), 4, 6);
    EXPECT_THAT(mean_fill(format, DistinctCoordinates(pattern)), ElementsAre(4, 2));
}

TEST(MeanFill, IsTheSameFromTheStoredLevelsAsFromDistinctCoordinates) {
    Random random(9);
    const CsrPattern pattern = testing::random_pattern(37, 29, 0.05, random);
    const DistinctCoordinates distinct(pattern);
    const Extents extents = sparsight::extents(Operator::SpMV, pattern.rows, pattern.cols, 1);
    for (const SuperSchedule& schedule : sample_uniform(Operator::SpMV, extents, 200, 1, random)) {
        const StorageFormat format = storage_format(schedule, pattern.rows, pattern.cols);
        const auto packed = pack(pattern, format, {});
        ASSERT_TRUE(packed);
        EXPECT_EQ(mean_fill(*packed), mean_fill(format, distinct)) << describe(format);
    }
}

} // namespace
} // namespace sparsight

#include "base/random.h"
#include "core/domains/sparse/tensor/pattern_pictures.h"
#include "domains/sparse/tensor/coordinate_blocks.h"
#include "domains/sparse/tensor/pattern.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <utility>

namespace sparsight {
namespace {

using testing::picture;

TEST(Compress, SortsByRowThenColumn) {
    CooPattern coordinates{2, 3, {1, 0, 1, 0}, {2, 1, 0, 0}, {4, 2, 3, 1}};
    const CompressedRows result = compress(std::move(coordinates), 1);
    EXPECT_EQ(picture(result.pattern), "1 2 .\n"
                                       "3 . 4\n");
    EXPECT_EQ(result.duplicates, 0);
}

TEST(Compress, AddsTheValuesOfDuplicatesAndCountsThem) {
    CooPattern coordinates{1, 2, {0, 0, 0, 0}, {1, 0, 1, 1}, {1, 8, 2, 4}};
    const CompressedRows result = compress(std::move(coordinates), 1);
    EXPECT_EQ(picture(result.pattern), "8 7\n");
    EXPECT_EQ(result.duplicates, 2);
}

TEST(Compress, MergesDuplicatesOfAPatternWithoutValues) {
    CooPattern coordinates{2, 2, {1, 1, 0}, {0, 0, 1}, {}};
    const CompressedRows result = compress(std::move(coordinates), 2);
    EXPECT_EQ(picture(result.pattern), ". 1\n"
                                       "1 .\n");
    EXPECT_FALSE(result.pattern.has_values());
    EXPECT_EQ(result.duplicates, 1);
}

TEST(Compress, TakesMatricesWithoutEntriesRowsOrColumns) {
    EXPECT_TRUE(is_well_formed(compress(CooPattern{}, 1).pattern));
    EXPECT_TRUE(is_well_formed(compress(CooPattern{3, 0, {}, {}, {}}, 4).pattern));
    EXPECT_TRUE(is_well_formed(compress(CooPattern{0, 3, {}, {}, {}}, 4).pattern));
}

TEST(Compress, GivesTheSameForAnyNumberOfThreads) {
    Random random(7);
    CooPattern coordinates{50, 40, {}, {}, {}};
    std::map<std::pair<std::int32_t, std::int32_t>, int> positions;
    for (int e = 0; e < 3000; ++e) {
        coordinates.row_ids.push_back(static_cast<std::int32_t>(random.below(50)));
        coordinates.column_ids.push_back(static_cast<std::int32_t>(random.below(40)));
        coordinates.values.push_back(static_cast<float>(random.uniform()));
        ++positions[{coordinates.row_ids.back(), coordinates.column_ids.back()}];
    }
    const CompressedRows one = compress(CooPattern(coordinates), 1);
    EXPECT_TRUE(is_well_formed(one.pattern));
    EXPECT_EQ(one.pattern.nnz(), static_cast<std::int64_t>(positions.size()));
    EXPECT_EQ(one.duplicates, 3000 - one.pattern.nnz());
    for (const int threads : {2, 3, 64})
        EXPECT_EQ(compress(CooPattern(coordinates), threads).pattern, one.pattern) << threads << " threads";
}

TEST(SortRows, OrdersAndMergesEveryRow) {
    CsrPattern pattern{2, 4, {0, 3, 5}, {3, 1, 3, 2, 0}, {1, 2, 3, 4, 5}};
    EXPECT_EQ(sort_rows(pattern, 2), 1);
    EXPECT_EQ(picture(pattern), ". 2 . 4\n"
                                "5 . 4 .\n");
}

TEST(Transpose, MovesRowsToColumnsWithTheirValues) {
    const CsrPattern pattern{2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}};
    EXPECT_EQ(picture(transpose(pattern)), "1 .\n"
                                           ". 3\n"
                                           "2 .\n");
    EXPECT_EQ(transpose(transpose(pattern)), pattern);
}

TEST(WellFormed, IsFalseWhenAnyInvariantIsBroken) {
    const CsrPattern good{2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}};
    ASSERT_TRUE(is_well_formed(good));
    auto broken = [&](auto change) {
        CsrPattern pattern = good;
        change(pattern);
        return !is_well_formed(pattern);
    };
    EXPECT_TRUE(broken([](CsrPattern& p) { p.rows = 3; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.cols = 2; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.cols = -1; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.row_pointers = {0, 3, 2}; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.row_pointers = {1, 2, 3}; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.row_pointers.back() = 4; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.column_ids = {2, 0, 1}; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.column_ids = {0, 0, 1}; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.column_ids[0] = -1; }));
    EXPECT_TRUE(broken([](CsrPattern& p) { p.values.pop_back(); }));
}

CoordinateBlock block(std::vector<std::int32_t> rows, std::vector<std::int32_t> columns,
                      std::vector<float> values) {
    return {IdSequence(std::move(rows)), IdSequence(std::move(columns)), std::move(values)};
}

std::vector<CoordinateBlock> rows_in_order() {
    return {block({0, 0, 1}, {0, 2, 1}, {1, 2, 3}), {}, block({1, 2}, {2, 0}, {4, 5})};
}

TEST(IdSequence, GivesItsIdsBackInTheirOrder) {
    for (const std::vector<std::int32_t>& ids :
         {std::vector<std::int32_t>{}, {7}, {1, 2, 3, 2, 1}, {4, 4, 4, 4, 4, 4, 9, 9, 4, 4, 4, 4}}) {
        IdSequence sequence = IdSequence::packed(ids);
        ASSERT_EQ(sequence.size(), ids.size());
        IdSequence::Reader reader(sequence);
        for (const std::int32_t id : ids)
            EXPECT_EQ(reader.next(), id);
        EXPECT_EQ(sequence.is_ascending(), std::ranges::is_sorted(ids));
        EXPECT_EQ(sequence.take(), ids);
        EXPECT_EQ(sequence.size(), 0U);
    }
}

TEST(IdSequence, TakesOneIdForARun) {
    EXPECT_EQ(IdSequence::packed(std::vector<std::int32_t>(1000, 3)).occurring().size(), 1U);
}

TEST(CompressBlocks, AppendsBlocksThatAreInRowOrder) {
    const CompressedRows result = compress_blocks(3, 3, rows_in_order(), Mirroring::None, 2);
    EXPECT_EQ(picture(result.pattern), "1 . 2\n"
                                       ". 3 4\n"
                                       "5 . .\n");
}

TEST(CompressBlocks, DistributesBlocksInAnyOrder) {
    std::vector<CoordinateBlock> blocks = rows_in_order();
    std::swap(blocks.front(), blocks.back());
    for (const int threads : {1, 2, 5})
        EXPECT_EQ(compress_blocks(3, 3, std::vector(blocks), Mirroring::None, threads).pattern,
                  compress_blocks(3, 3, rows_in_order(), Mirroring::None, 1).pattern);
}

TEST(CompressBlocks, MirrorsAllButTheDiagonal) {
    const std::vector<CoordinateBlock> lower{block({0, 1, 2}, {0, 0, 1}, {1, 2, 3})};
    EXPECT_EQ(picture(compress_blocks(3, 3, std::vector(lower), Mirroring::Same, 2).pattern), "1 2 .\n"
                                                                                              "2 . 3\n"
                                                                                              ". 3 .\n");
    EXPECT_EQ(picture(compress_blocks(3, 3, std::vector(lower), Mirroring::Negated, 1).pattern), "1 -2 .\n"
                                                                                                 "2 . -3\n"
                                                                                                 ". 3 .\n");
}

TEST(CompressBlocks, AddsDuplicatesInTheOrderGivenWhateverTheThreads) {
    // (1e8 + 1) - 1e8 is 0 in float32 and (1e8 - 1e8) + 1 is 1, so the order shows.
    const std::vector<CoordinateBlock> blocks{block({3, 0}, {0, 0}, {7, 1e8F}),
                                              block({0, 0}, {0, 0}, {1, -1e8F})};
    for (const int threads : {1, 2, 4}) {
        const CompressedRows result = compress_blocks(4, 1, std::vector(blocks), Mirroring::None, threads);
        EXPECT_EQ(picture(result.pattern), "0\n.\n.\n7\n");
        EXPECT_EQ(result.duplicates, 2);
    }
}

} // namespace
} // namespace sparsight

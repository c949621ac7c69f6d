#include "matrix/coordinate_blocks.h"

#include "core/matrix/matrix_pictures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace sparsight {
namespace {

using testing::picture;

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

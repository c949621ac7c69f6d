#include "matrix/coordinate_blocks.h"

#include "core/matrix/matrix_pictures.h"

#include <gtest/gtest.h>
#include <utility>

namespace sparsight {
namespace {

using testing::picture;

std::vector<CoordinateBlock> rows_in_order() {
    return {{{0, 0, 1}, {0, 2, 1}, {1, 2, 3}}, {}, {{1, 2}, {2, 0}, {4, 5}}};
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
    const std::vector<CoordinateBlock> lower{{{0, 1, 2}, {0, 0, 1}, {1, 2, 3}}};
    EXPECT_EQ(picture(compress_blocks(3, 3, std::vector(lower), Mirroring::Same, 2).pattern), "1 2 .\n"
                                                                                              "2 . 3\n"
                                                                                              ". 3 .\n");
    EXPECT_EQ(picture(compress_blocks(3, 3, std::vector(lower), Mirroring::Negated, 1).pattern), "1 -2 .\n"
                                                                                                 "2 . -3\n"
                                                                                                 ". 3 .\n");
}

TEST(CompressBlocks, AddsDuplicatesInTheOrderGivenWhateverTheThreads) {
    // (1e8 + 1) - 1e8 is 0 in float32 and (1e8 - 1e8) + 1 is 1, so the order shows.
    const std::vector<CoordinateBlock> blocks{{{3, 0}, {0, 0}, {7, 1e8F}}, {{0, 0}, {0, 0}, {1, -1e8F}}};
    for (const int threads : {1, 2, 4}) {
        const CompressedRows result = compress_blocks(4, 1, std::vector(blocks), Mirroring::None, threads);
        EXPECT_EQ(picture(result.pattern), "0\n.\n.\n7\n");
        EXPECT_EQ(result.duplicates, 2);
    }
}

} // namespace
} // namespace sparsight

#include "machine/mechanistic/chunk_balance.h"

#include <gmock/gmock.h>
#include <vector>

namespace sparsight {
namespace {

TEST(ChunkBalance, EqualChunksThatDivideEvenlyLeaveNobodyWaiting) {
    const std::vector<double> work(64, 3.0);
    const ChunkBalance balance(work);
    for (const double cores : {1.0, 2.0, 4.0, 8.0, 32.0})
        EXPECT_NEAR(balance.excess(cores), 0, 1e-12) << cores;
}

TEST(ChunkBalance, OneLargeChunkKeepsTheOthersWaiting) {
    std::vector<double> work(10, 1.0);
    work.back() = 90; // 99 in all, and it comes last
    const ChunkBalance balance(work);
    EXPECT_NEAR(balance.excess(2), (90 + 4) / (99.0 / 2) - 1, 1e-12); // 9 small ones on two cores: 5 and 4
}

TEST(ChunkBalance, FewerChunksThanCoresLeaveCoresIdle) {
    const ChunkBalance balance(std::vector<double>(4, 1.0));
    EXPECT_NEAR(balance.excess(16), 3, 1e-12);
    EXPECT_NEAR(balance.excess(128), 31, 1e-12);
}

TEST(ChunkBalance, NumbersOfCoresInBetweenLieInBetween) {
    const ChunkBalance balance(std::vector<double>(8, 1.0));
    EXPECT_NEAR(balance.excess(10), (0 + 0.5) / 2, 1e-12); // 8 cores: 0, 12 cores: 12/8 - 1
}

TEST(ChunkBalance, ManyChunksInGroupsAreAsEvenAsTheyAre) {
    const ChunkBalance balance(std::vector<double>(1'000'000, 1.0));
    EXPECT_LT(balance.excess(128), 0.03);
}

CsrPattern five_by_four() {
    CsrPattern pattern;
    pattern.rows = 5;
    pattern.cols = 4;
    pattern.row_pointers = {0, 2, 2, 3, 3, 7};
    pattern.column_ids = {0, 1, 3, 0, 1, 2, 3};
    return pattern;
}

TEST(ChunkWork, IsIterationsAndEntriesOfEveryChunk) {
    const CsrPattern pattern = five_by_four();
    const CoordinateParts entries{IdPart::Whole, IdPart::Whole};
    // Blocks of 2 rows, 1 block a chunk: rows 0–1, 2–3, 4.
    EXPECT_THAT(chunk_work(pattern, {{true, 2}, 2, 10, entries, 1}), testing::ElementsAre(12, 11, 14));
    // 2 blocks a chunk.
    EXPECT_THAT(chunk_work(pattern, {{true, 4}, 2, 10, entries, 1}), testing::ElementsAre(23, 14));
    // By columns, blocks of 2.
    EXPECT_THAT(chunk_work(pattern, {{false, 2}, 2, 10, entries, 1}), testing::ElementsAre(14, 13));
}

TEST(ChunkWork, IsThatOfWholeBlocksWhereBlocksAreStored) {
    const CsrPattern pattern = five_by_four();
    const CoordinateParts blocks{IdPart::Outer, IdPart::Outer, 2, 2};
    // Blocks of 2 × 2 that hold an entry: one, one and two, with 4 positions each.
    EXPECT_THAT(chunk_work(pattern, {{true, 2}, 2, 0, blocks, 4}), testing::ElementsAre(4, 4, 8));
    EXPECT_THAT(chunk_work(pattern, {{false, 2}, 2, 0, blocks, 4}), testing::ElementsAre(8, 8));
    // Below the last compressed level each iteration walks as much.
    EXPECT_THAT(chunk_work(pattern, {{true, 2}, 2, 3, blocks, 0}), testing::ElementsAre(3, 3, 3));
}

} // namespace
} // namespace sparsight

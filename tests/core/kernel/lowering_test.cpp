#include "kernel/lowering.h"
#include "schedule/text.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

template <typename Node>
const Node* first(const Body& body) {
    for (const Statement& statement : body) {
        if (const auto* found = std::get_if<Node>(&statement.node))
            return found;
        const Body* inner = nullptr;
        if (const auto* loop = std::get_if<Loop>(&statement.node))
            inner = &loop->body;
        if (const auto* tile = std::get_if<Tile>(&statement.node))
            inner = &tile->body;
        if (const auto* branch = std::get_if<Branch>(&statement.node))
            inner = &branch->full;
        if (inner != nullptr)
            if (const Node* found = first<Node>(*inner))
                return found;
    }
    return nullptr;
}

LoopNest lowered(Operator op, const char* text, std::int64_t rows, std::int64_t cols, std::int64_t dense,
                 KernelTarget target = {16, 24}) {
    return lower(*parse_schedule(op, text), extents(op, rows, cols, dense), target);
}

TEST(Lowering, FixedCsrKeepsAWholeRowOfCInRegistersAndNeverReadsC) {
    const LoopNest nest = lower(fixed_csr(Operator::SpMM, 1), extents(Operator::SpMM, 10, 10, 256), {16, 24});
    const Tile* tile = first<Tile>(nest.body);
    ASSERT_NE(tile, nullptr);
    ASSERT_EQ(tile->axes.size(), 1U);
    EXPECT_EQ(tile->axes[0].extent, 256);
    EXPECT_TRUE(tile->axes[0].vectorised);
    EXPECT_TRUE(tile->overwrites);
    EXPECT_EQ(first<ZeroOutput>(nest.body), nullptr);
}

TEST(Lowering, CutsARowOfCIntoStripsWhereRegistersAreFewer) {
    const LoopNest nest = lower(fixed_csr(Operator::SpMM, 1), extents(Operator::SpMM, 10, 10, 256), {8, 12});
    EXPECT_EQ(first<Tile>(nest.body)->axes[0].extent, 64);
}

TEST(Lowering, BlocksOfRowsShareARegisterTile) {
    const LoopNest nest = lowered(Operator::SpMM, "4 1 64 i1 k1 k0 j1 i0 j0 1 1 0 1 i1 48 8", 16, 16, 64);
    const Tile* tile = first<Tile>(nest.body);
    ASSERT_NE(tile, nullptr);
    ASSERT_EQ(tile->axes.size(), 2U);
    EXPECT_EQ(tile->axes[0].extent, 4);
    EXPECT_EQ(tile->axes[1].extent, 64);
}

TEST(Lowering, ASplitThatDoesNotDivideBecomesTwoTilesOfConstantExtent) {
    const LoopNest nest = lowered(Operator::SpMM, "4 1 64 i1 k1 k0 j1 i0 j0 1 1 0 1 i1 48 8", 18, 16, 64);
    const Branch* branch = first<Branch>(nest.body);
    ASSERT_NE(branch, nullptr);
    EXPECT_EQ(branch->last, 4);
    EXPECT_EQ(first<Tile>(branch->full)->axes[0].extent, 4);
    EXPECT_EQ(first<Tile>(branch->remainder)->axes[0].extent, 2);
}

TEST(Lowering, AReductionOutsideTheTileMeansThatCIsZeroedAndAddedTo) {
    const LoopNest nest = lowered(Operator::SpMM, "4 8 64 k1 i1 k0 i0 j1 j0 0 1 0 1 i1 48 8", 16, 16, 64);
    EXPECT_NE(first<ZeroOutput>(nest.body), nullptr);
    EXPECT_FALSE(first<Tile>(nest.body)->overwrites);
}

TEST(Lowering, ACompressedRowLevelMeansThatCIsZeroedToo) {
    const LoopNest nest = lowered(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 0 1 0 1 i1 48 8", 16, 16, 64);
    EXPECT_NE(first<ZeroOutput>(nest.body), nullptr);
}

TEST(Lowering, SddmmMultipliesByAOnceAndNotForEveryK) {
    const LoopNest nest =
        lower(fixed_csr(Operator::SDDMM, 1), extents(Operator::SDDMM, 10, 10, 64), {16, 24});
    const Tile* tile = first<Tile>(nest.body);
    ASSERT_NE(tile, nullptr);
    ASSERT_EQ(tile->scale.size(), 1U);
    EXPECT_EQ(tile->scale[0].operand, Operand::A);
    EXPECT_EQ(first<Accumulate>(tile->body)->factors.size(), 2U);
}

TEST(Lowering, LoopsThatRunOnceAreGone) {
    const LoopNest nest = lowered(Operator::SpMM, "64 64 256 i1 k1 j1 i0 k0 j0 1 1 1 1 i1 48 8", 16, 16, 64);
    EXPECT_EQ(nest.variables.size(), 3U) << "i0, k0 and j0";
}

TEST(Lowering, AdjacentPartsOfAnIndexAreOneLoopAgain) {
    const LoopNest nest = lowered(Operator::SpMV, "1 8 i1 i0 k1 k0 1 1 1 1 i1 48 8", 16, 20, 1);
    EXPECT_EQ(nest.variables, (std::vector<std::string>{"i", "k"}));
}

} // namespace
} // namespace sparsight

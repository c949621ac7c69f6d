// What each family looks like, on matrices small enough to draw.
#include "core/domains/sparse/tensor/pattern_pictures.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/statistics.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using testing::ascii;

CsrPattern make(std::string_view family, const ParameterValues& values, std::uint64_t seed = 1) {
    auto pattern = generate_matrix(family, values, seed);
    EXPECT_TRUE(pattern.has_value()) << pattern.error().text();
    EXPECT_TRUE(is_well_formed(*pattern));
    return std::move(*pattern);
}

std::string drawn(std::string_view family, const ParameterValues& values) {
    return "\n" + ascii(make(family, values));
}

std::int64_t row_length(const CsrPattern& pattern, std::size_t row) {
    return pattern.row_pointers[row + 1] - pattern.row_pointers[row];
}

TEST(Uniform, HasExactlyItsDensityAlsoNearOne) {
    EXPECT_EQ(make("uniform", {{"rows", 100}, {"cols", 50}, {"density", 0.1}}).nnz(), 500);
    EXPECT_EQ(make("uniform", {{"rows", 100}, {"cols", 50}, {"density", 0.9998}}).nnz(), 4999);
    EXPECT_EQ(make("uniform", {{"rows", 100}, {"cols", 50}, {"density", 1}}).nnz(), 5000);
    EXPECT_EQ(make("uniform", {{"rows", 100}, {"cols", 50}, {"density", 0}}).nnz(), 0);
}

TEST(Uniform, TakesTheLargestNumberOfColumns) {
    const CsrPattern pattern = make("uniform", {{"rows", 10}, {"cols", max_extent}, {"density", 1e-8}});
    EXPECT_EQ(pattern.nnz(), 215);
}

TEST(Uniform, SpreadsOverRowsAndColumnsEvenly) {
    const PatternStatistics s =
        compute_statistics(make("uniform", {{"rows", 64}, {"cols", 64}, {"density", 0.5}}), 1);
    EXPECT_LT(s.row_length.coefficient_of_variation, 0.25);
    EXPECT_LT(s.column_length.coefficient_of_variation, 0.25);
}

TEST(Banded, FillsTheDiagonalsAskedFor) {
    EXPECT_EQ(drawn("banded", {{"size", 5}, {"lower", 2}, {"upper", 1}}), R"(
##...
###..
####.
.####
..###
)");
}

TEST(Banded, KeepsTheMainDiagonalWhateverTheFill) {
    const PatternStatistics s =
        compute_statistics(make("banded", {{"size", 100}, {"lower", 3}, {"upper", 3}, {"fill", 0.3}}), 1);
    EXPECT_EQ(s.diagonal_occupancy, 1);
    EXPECT_LE(s.bandwidth, 3);
    EXPECT_NEAR(static_cast<double>(s.nnz), 100 + 0.3 * 600, 12); // what falls outside is left out
}

TEST(Banded, IsFullWhenTheBandIsWiderThanTheMatrix) {
    EXPECT_EQ(make("banded", {{"size", 4}, {"lower", 1000}, {"upper", 1000}}).nnz(), 16);
}

TEST(MultiDiagonal, HasAsManyDiagonalsAsAskedWithinItsReach) {
    const PatternStatistics s =
        compute_statistics(make("multi-diagonal", {{"size", 200}, {"diagonals", 5}, {"reach", 40}}), 1);
    EXPECT_EQ(s.occupied_diagonals, 5);
    EXPECT_EQ(s.diagonal_occupancy, 1);
    EXPECT_LE(s.bandwidth, 40);
    const CsrPattern all = make("multi-diagonal", {{"size", 4}, {"diagonals", 7}, {"reach", 3}});
    EXPECT_EQ(all.nnz(), 16);
}

TEST(Stencil, FivePointsOnAPlane) {
    EXPECT_EQ(drawn("stencil-2d", {{"x", 3}, {"y", 2}}), R"(
##.#..
###.#.
.##..#
#..##.
.#.###
..#.##
)");
}

TEST(Stencil, NinePointsOnAPlane) {
    EXPECT_EQ(drawn("stencil-2d", {{"x", 3}, {"y", 2}, {"points", 9}}), R"(
##.##.
######
.##.##
##.##.
######
.##.##
)");
}

TEST(Stencil, InnerPointsOfSpaceHaveSevenOrTwentySevenNeighbours) {
    for (const double points : {7.0, 27.0}) {
        const CsrPattern pattern = make("stencil-3d", {{"x", 3}, {"y", 3}, {"z", 3}, {"points", points}});
        EXPECT_EQ(row_length(pattern, 13), static_cast<std::int64_t>(points)); // the centre
        EXPECT_EQ(row_length(pattern, 0), points == 7 ? 4 : 8);                // a corner
        EXPECT_EQ(compute_statistics(pattern, 1).symmetry, 1);
    }
}

TEST(BlockDiagonal, OfOneSizeTheLastBlockIsCutOff) {
    EXPECT_EQ(drawn("block-diagonal", {{"size", 5}, {"smallest-block", 2}, {"largest-block", 2}}), R"(
##...
##...
..##.
..##.
....#
)");
}

TEST(BlockDiagonal, FillIsExactInEveryBlock) {
    const CsrPattern pattern =
        make("block-diagonal", {{"size", 64}, {"smallest-block", 8}, {"largest-block", 8}, {"fill", 0.5}});
    EXPECT_EQ(pattern.nnz(), 8 * 32);
    EXPECT_LT(compute_statistics(pattern, 1).bandwidth, 8);
}

TEST(ScatteredBlocks, AlignedBlocksNeverOverlap) {
    const CsrPattern pattern =
        make("scattered-blocks", {{"rows", 64}, {"cols", 96}, {"block", 8}, {"blocks", 40}});
    EXPECT_EQ(pattern.nnz(), 40 * 64);
    EXPECT_EQ(compute_statistics(pattern, 1).block_fill[2], 1);
}

TEST(ScatteredBlocks, FreeBlocksMayOverlapAndReachEveryBorder) {
    const CsrPattern pattern = make(
        "scattered-blocks", {{"rows", 16}, {"cols", 20}, {"block", 3}, {"blocks", 2000}, {"aligned", 0}});
    EXPECT_EQ(pattern.nnz(), 16 * 20);
}

TEST(PowerLaw, IsSkewedTowardsTheFirstRowsAndMergesRepeats) {
    const CsrPattern pattern = make("power-law", {{"scale", 10}});
    EXPECT_EQ(pattern.rows, 1024);
    EXPECT_LT(pattern.nnz(), 16 * 1024);
    EXPECT_GT(pattern.nnz(), 8 * 1024);
    const PatternStatistics s = compute_statistics(pattern, 1);
    EXPECT_GT(s.row_length.gini, 0.4);
    EXPECT_GT(row_length(pattern, 0), 10 * row_length(pattern, 1023));
}

TEST(PowerLaw, QuadrantsGetTheirShares) {
    const CsrPattern pattern =
        make("power-law", {{"scale", 1}, {"edge-factor", 65'536}, {"a", 0}, {"b", 1}, {"c", 0}});
    EXPECT_EQ(ascii(pattern), ".#\n..\n");
    EXPECT_EQ(drawn("power-law", {{"scale", 2}, {"edge-factor", 500}, {"a", 0.5}, {"b", 0}, {"c", 0.5}}), R"(
#...
#...
#...
#...
)");
}

TEST(PowerLaw, ShufflingKeepsTheLengthsAndMovesTheRows) {
    const CsrPattern plain = make("power-law", {{"scale", 8}});
    const CsrPattern shuffled = make("power-law", {{"scale", 8}, {"shuffle", 1}});
    EXPECT_EQ(plain.nnz(), shuffled.nnz());
    EXPECT_EQ(compute_statistics(plain, 1).row_length.max, compute_statistics(shuffled, 1).row_length.max);
    EXPECT_NE(plain, shuffled);
}

TEST(Kronecker, DeterministicPowerIsExact) {
    EXPECT_EQ(drawn("kronecker", {{"power", 3}, {"deterministic", 1}}), R"(
########
#.#.#.#.
##..##..
#...#...
####....
#.#.....
##......
#.......
)");
}

TEST(Kronecker, StochasticPlacesAboutTheExpectedNumberOfEdges) {
    const CsrPattern pattern = make("kronecker", {{"power", 12}});
    const double expected = std::pow(0.987 + 2 * 0.571 + 0.049, 12);
    EXPECT_LE(static_cast<double>(pattern.nnz()), expected);
    EXPECT_GT(static_cast<double>(pattern.nnz()), 0.5 * expected);
    EXPECT_EQ(make("kronecker", {{"p11", 0}, {"p12", 0}, {"p21", 0}, {"p22", 0}}).nnz(), 0);
}

TEST(RowSkewed, LengthsFollowTheirRank) {
    const CsrPattern pattern = make(
        "row-skewed", {{"rows", 100}, {"cols", 1000}, {"mean-length", 10}, {"exponent", 1}, {"shuffle", 0}});
    EXPECT_EQ(pattern.nnz(), 1000);
    const double first = 1000 / 5.187; // the 100th harmonic number
    for (const std::size_t rank : {1U, 2U, 10U, 100U})
        EXPECT_NEAR(static_cast<double>(row_length(pattern, rank - 1)), first / static_cast<double>(rank), 1);
}

TEST(RowSkewed, WhatDoesNotFitTheLongestRowsGoesToTheOthers) {
    const CsrPattern pattern = make(
        "row-skewed", {{"rows", 50}, {"cols", 20}, {"mean-length", 10}, {"exponent", 3}, {"shuffle", 0}});
    EXPECT_EQ(pattern.nnz(), 500);
    EXPECT_EQ(row_length(pattern, 0), 20);
    EXPECT_GE(row_length(pattern, 10), row_length(pattern, 40));
    EXPECT_EQ(make("row-skewed", {{"rows", 5}, {"cols", 4}, {"mean-length", 4}}).nnz(), 20);
}

TEST(Arrow, HasAHeadAndADiagonal) {
    EXPECT_EQ(drawn("arrow", {{"size", 5}, {"head", 1}}), R"(
#####
##...
#.#..
#..#.
#...#
)");
    EXPECT_EQ(drawn("arrow", {{"size", 5}, {"head", 1}, {"band", 1}}), R"(
#####
###..
####.
#.###
#..##
)");
}

TEST(HyperSparse, MostRowsAreEmpty) {
    const CsrPattern pattern = make("hyper-sparse", {{"rows", 10'000}, {"cols", 10'000}});
    const PatternStatistics s = compute_statistics(pattern, 1);
    EXPECT_EQ(s.row_length.empty, 9500);
    EXPECT_EQ(s.row_length.max, 3);
    EXPECT_NEAR(static_cast<double>(s.nnz), 1000, 100);
}

TEST(Pruned, RandomKeepsItsShareAndSpreadsRowsAsAsked) {
    const ParameterValues alike{{"rows", 200}, {"cols", 500}, {"row-spread", 0}};
    EXPECT_EQ(make("pruned-random", alike).nnz(), 10'000);
    EXPECT_EQ(compute_statistics(make("pruned-random", alike), 1).row_length.max, 50);
    const CsrPattern spread = make("pruned-random", {{"rows", 200}, {"cols", 500}, {"row-spread", 0.5}});
    EXPECT_NEAR(static_cast<double>(spread.nnz()), 10'000, 1);
    EXPECT_GT(compute_statistics(spread, 1).row_length.coefficient_of_variation, 0.4);
    EXPECT_EQ(make("pruned-random", {{"rows", 20}, {"cols", 30}, {"sparsity", 0}}).nnz(), 600);
    EXPECT_EQ(make("pruned-random", {{"rows", 20}, {"cols", 30}, {"sparsity", 1}}).nnz(), 0);
}

TEST(Pruned, NOfMKeepsExactlyNInEveryGroup) {
    const CsrPattern pattern = make("pruned-n-m", {{"rows", 50}, {"cols", 18}});
    for (std::size_t row = 0; row < 50; ++row) {
        std::array<int, 5> kept{};
        for (auto e = static_cast<std::size_t>(pattern.row_pointers[row]);
             e < static_cast<std::size_t>(pattern.row_pointers[row + 1]); ++e)
            ++kept[static_cast<std::size_t>(pattern.column_ids[e]) / 4];
        EXPECT_EQ(kept, (std::array<int, 5>{2, 2, 2, 2, 2}));
    }
}

TEST(Pruned, BlocksAreDenseAndAsManyAsAsked) {
    const CsrPattern pattern =
        make("pruned-block",
             {{"rows", 64}, {"cols", 64}, {"block-rows", 4}, {"block-cols", 4}, {"sparsity", 0.75}});
    EXPECT_EQ(pattern.nnz(), 64 * 64 / 4);
    EXPECT_EQ(compute_statistics(pattern, 1).block_fill[1], 1);
    const CsrPattern cut = make("pruned-block", {{"rows", 5}, {"cols", 7}, {"sparsity", 0}});
    EXPECT_EQ(cut.nnz(), 35);
}

TEST(Attention, SlidingWindow) {
    EXPECT_EQ(drawn("attention-window", {{"tokens", 5}, {"window", 1}}), R"(
##...
###..
.###.
..###
...##
)");
    EXPECT_EQ(drawn("attention-window", {{"tokens", 4}, {"window", 2}, {"causal", 1}}), R"(
#...
##..
###.
.###
)");
}

TEST(Attention, DilatedWindow) {
    EXPECT_EQ(drawn("attention-dilated", {{"tokens", 6}, {"window", 1}, {"dilation", 2}}), R"(
#.#...
.#.#..
#.#.#.
.#.#.#
..#.#.
...#.#
)");
}

TEST(Attention, StridedJoinsThePreviousTokensAndEveryStrideTh) {
    EXPECT_EQ(drawn("attention-strided", {{"tokens", 8}, {"stride", 3}}), R"(
#.......
##......
###.....
####....
.####...
..####..
#..####.
.#..####
)");
    EXPECT_EQ(compute_statistics(make("attention-strided", {{"tokens", 40}, {"stride", 5}, {"causal", 0}}), 1)
                  .symmetry,
              1);
}

TEST(Attention, LongformerHasGlobalTokensAndAWindow) {
    EXPECT_EQ(drawn("attention-longformer", {{"tokens", 6}, {"window", 1}, {"global", 1}}), R"(
######
###...
####..
#.###.
#..###
#...##
)");
}

TEST(Attention, BigBirdHasGlobalWindowAndRandomBlocks) {
    const ParameterValues values{
        {"tokens", 32}, {"block", 1}, {"global-blocks", 2}, {"window-blocks", 1}, {"random-blocks", 3}};
    const CsrPattern pattern = make("attention-bigbird", values);
    EXPECT_EQ(row_length(pattern, 0), 32);
    EXPECT_EQ(row_length(pattern, 1), 32);
    EXPECT_EQ(row_length(pattern, 2), 2 + 2 + 3); // token 1 is both global and in its window
    for (std::size_t row = 3; row < 31; ++row)
        EXPECT_EQ(row_length(pattern, row), 2 + 3 + 3) << row;
    EXPECT_EQ(row_length(pattern, 31), 2 + 2 + 3);
}

TEST(Attention, BigBirdWithoutChanceIsDrawn) {
    EXPECT_EQ(
        drawn(
            "attention-bigbird",
            {{"tokens", 9}, {"block", 2}, {"global-blocks", 1}, {"window-blocks", 0}, {"random-blocks", 0}}),
        R"(
#########
#########
####.....
####.....
##..##...
##..##...
##....##.
##....##.
##......#
)");
}

TEST(SimulatedMatrices, AreAsTheReportMadeThem) {
    const auto matrices = simulate_matrices({{"count", 200}}, 42);
    ASSERT_TRUE(matrices.has_value()) << matrices.error().text();
    ASSERT_EQ(matrices->size(), 200U);
    EXPECT_EQ(matrices->front().name, "matrix0");
    EXPECT_EQ(matrices->back().name, "matrix199");
    std::int64_t fewest_rows = 1000;
    std::int64_t most_rows = 0;
    for (const NamedPattern& matrix : *matrices) {
        const CsrPattern& pattern = matrix.pattern;
        EXPECT_TRUE(is_well_formed(pattern));
        fewest_rows = std::min(fewest_rows, pattern.rows);
        most_rows = std::max(most_rows, pattern.rows);
        EXPECT_GE(pattern.cols, 50);
        EXPECT_LE(pattern.cols, 200);
        const double density = compute_statistics(pattern, 1).density;
        EXPECT_GE(density, 0.0098); // rounded to whole entries
        EXPECT_LE(density, 0.0502);
    }
    EXPECT_GE(fewest_rows, 50);
    EXPECT_LT(fewest_rows, 60);
    EXPECT_LE(most_rows, 200);
    EXPECT_GT(most_rows, 190);
}

TEST(SimulatedMatrices, MoreOfThemBeginWithTheSame) {
    const auto few = simulate_matrices({{"count", 3}, {"maximum-rows", 60}}, 5);
    const auto many = simulate_matrices({{"count", 7}, {"maximum-rows", 60}}, 5);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ((*few)[i].pattern, (*many)[i].pattern);
    EXPECT_NE((*many)[5].pattern, (*many)[6].pattern);
}

TEST(SimulatedMatrices, AMaximumBelowItsMinimumIsRefused) {
    EXPECT_EQ(simulate_matrices({{"maximum-rows", 30}}, 1).error().text(),
              "simulated: minimum-rows is 50 but maximum-rows is 30");
}

} // namespace
} // namespace sparsight

#include "evaluation/failures/schedule_comparison.h"

#include "schedule/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t rows = 1200;
constexpr std::int64_t cols = 640;

SuperSchedule read(const char* text) {
    return *parse_schedule(Operator::SpMM, text);
}

TEST(LoopLines, SayHowFarEachLoopRunsAndHowItsLevelIsStored) {
    EXPECT_THAT(loop_lines(fixed_csr(Operator::SpMM, 48), extents(Operator::SpMM, rows, cols, 256)),
                ElementsAre("for i1 < 1,200, uncompressed, 48 threads by 32", "  for k1 < 640, compressed",
                            "    for j1 < 256", "      C(i,j) += A(i,k) · B(k,j)"));
}

TEST(LoopLines, ASplitThatDoesNotDivideRunsOnceMore) {
    const auto lines = loop_lines(read("1 512 1 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 48 32"),
                                  extents(Operator::SpMM, rows, cols, 256));
    EXPECT_EQ(lines[1], "  for k1 < 2, compressed");
    EXPECT_EQ(lines[2], "    for k0 < 512, compressed");
}

TEST(ComparedLoops, WhatIsTheSameStandsBesideTheSame) {
    const auto lines =
        compare_loops(fixed_csr(Operator::SpMM, 48), read("1 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 64"),
                      extents(Operator::SpMM, rows, cols, 256));
    ASSERT_EQ(lines.size(), 5);
    EXPECT_EQ(lines[0].from, "for i1 < 1,200, uncompressed, 48 threads by 32");
    EXPECT_EQ(lines[0].to, "for i1 < 1,200, uncompressed, 48 threads by 64");
    EXPECT_FALSE(lines[0].is_same());
    EXPECT_TRUE(lines[1].is_same());
    EXPECT_FALSE(lines[2].is_same());
    EXPECT_FALSE(lines[3].from);
    EXPECT_EQ(lines[3].to, "      for j0 < 8");
    EXPECT_TRUE(lines[4].is_same()) << "it stands deeper, and says the same";
}

TEST(ComparedLoops, EveryLineIsThereOnceInItsOrder) {
    const auto from = read("4 2 8 k1 j1 i1 i0 k0 j0 1 1 0 1 i1 48 64");
    const auto to = read("4 2 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 48 64");
    const Extents sizes = extents(Operator::SpMM, rows, cols, 256);
    std::vector<std::string> left;
    std::vector<std::string> right;
    for (const ComparedLine& line : compare_loops(from, to, sizes)) {
        if (line.from)
            left.push_back(*line.from);
        if (line.to)
            right.push_back(*line.to);
    }
    EXPECT_EQ(left, loop_lines(from, sizes));
    EXPECT_EQ(right, loop_lines(to, sizes));
}

} // namespace
} // namespace sparsight

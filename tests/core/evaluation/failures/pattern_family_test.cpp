#include "evaluation/failures/pattern_family.h"

#include "matrix/generators/generator.h"
#include "matrix/reading.h"
#include "support/shared_data.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

std::string_view family(std::string_view generator, const ParameterValues& values = {}) {
    const auto pattern = generate_matrix(generator, values, 1);
    EXPECT_TRUE(pattern.has_value()) << pattern.error().text();
    return pattern ? name(family_of(compute_statistics(*pattern, 1))) : "";
}

TEST(PatternFamilyTest, GeneratedMatricesAreOfTheirFamily) {
    EXPECT_EQ(family("banded"), "banded");
    EXPECT_EQ(family("multi-diagonal"), "banded");
    EXPECT_EQ(family("stencil-2d"), "banded");
    EXPECT_EQ(family("block-diagonal"), "blocked");
    EXPECT_EQ(family("scattered-blocks"), "blocked");
    EXPECT_EQ(family("power-law"), "power_law");
    EXPECT_EQ(family("hyper-sparse"), "hyper_sparse");
    EXPECT_EQ(family("uniform"), "uniform_rows");
}

TEST(PatternFamilyTest, BlocksThatChanceFillsAreNone) {
    EXPECT_EQ(family("uniform", {{"rows", 200}, {"cols", 200}, {"density", 0.5}}), "uniform_rows");
}

// A mesh whose nodes are numbered well, but for some far ones: its bandwidth is that of the whole matrix.
TEST(PatternFamilyTest, AMeshWithFarEntriesIsNotBanded) {
    SPARSIGHT_NEEDS_SHARED("matrices");
    const auto matrix = read_matrix(testing::shared_path("matrices") / "walshaw_t60k.mtx.gz");
    ASSERT_TRUE(matrix) << matrix.error().text();
    const PatternStatistics statistics = compute_statistics(matrix->pattern, 1);
    ASSERT_GT(statistics.bandwidth, statistics.cols / 2);
    EXPECT_EQ(family_of(statistics), PatternFamily::NearDiagonal);
}

TEST(PatternFamilyTest, AMatrixWithoutEntriesHasARoomToo) {
    EXPECT_EQ(family_of(PatternStatistics{}), PatternFamily::HyperSparse);
}

TEST(PatternFamilyTest, NamesAreDifferent) {
    for (const PatternFamily one : all_pattern_families)
        for (const PatternFamily other : all_pattern_families) {
            EXPECT_EQ(name(one) == name(other), one == other);
            EXPECT_EQ(title(one) == title(other), one == other);
        }
}

} // namespace
} // namespace sparsight

// What machines have in common on one workload, on times that are counted by hand.
#include "evaluation/machine_matrix.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

constexpr double never = std::numeric_limits<double>::quiet_NaN();
constexpr double failed = std::numeric_limits<double>::infinity();

MachineMatrix matrix_of(std::initializer_list<std::vector<double>> machines) {
    return machine_matrix(std::vector(machines));
}

TEST(MachineMatrixTest, CopyingCostsWhatTheOtherMachinesBestTakesHere) {
    const MachineMatrix matrix = matrix_of({{1, 2, 3}, {30, 10, 20}});
    EXPECT_EQ(matrix.pair(0, 0).slowdown, 1);
    EXPECT_EQ(matrix.pair(0, 1).slowdown, 2) << "the second is the best of the other";
    EXPECT_EQ(matrix.pair(0, 1).copied, 1);
    EXPECT_EQ(matrix.pair(1, 0).slowdown, 3) << "and back it costs something else";
    EXPECT_EQ(matrix.pair(0, 1).kendall_tau, matrix.pair(1, 0).kendall_tau);
    EXPECT_NEAR(*matrix.pair(0, 1).kendall_tau, -1.0 / 3, 1e-12);
    EXPECT_NEAR(*matrix.pair(0, 1).pair_accuracy, 1.0 / 3, 1e-12);
}

TEST(MachineMatrixTest, ComparesOnlyWhatBothHaveTried) {
    const MachineMatrix matrix = matrix_of({{1, 4, 2, never}, {never, 5, 9, 3}});
    const MachinePair& pair = matrix.pair(0, 1);
    EXPECT_EQ(pair.common, 2);
    EXPECT_EQ(pair.slowdown, 2)
        << "of the two in common the second is the best there, and takes twice the best";
    EXPECT_EQ(pair.kendall_tau, -1);
}

TEST(MachineMatrixTest, ACopyThatDoesNotRunIsInfinitelySlow) {
    const MachineMatrix matrix = matrix_of({{failed, 2, 3, 4}, {1, 2, 3, failed}});
    EXPECT_EQ(matrix.pair(0, 1).slowdown, failed);
    EXPECT_EQ(matrix.pair(1, 0).slowdown, 2);
    EXPECT_EQ(matrix.pair(0, 1).common, 4);
    EXPECT_EQ(matrix.pair(0, 1).ran, 2);
    EXPECT_EQ(matrix.pair(0, 1).kendall_tau, 1) << "of those that ran on both";
}

TEST(MachineMatrixTest, SaysNothingWhereNothingIsInCommon) {
    const MachineMatrix matrix = matrix_of({{1, never}, {never, 1}, {failed, failed}});
    EXPECT_EQ(matrix.pair(0, 1), MachinePair());
    EXPECT_EQ(matrix.pair(0, 2).slowdown, std::nullopt);
    EXPECT_EQ(matrix.pair(0, 2).common, 1);
    EXPECT_EQ(matrix.pair(0, 2).kendall_tau, std::nullopt);
}

TEST(MachineMatrixTest, EqualTimesOfTheOtherCountAsAGuess) {
    const MachineMatrix matrix = matrix_of({{1, 2}, {5, 5}});
    EXPECT_EQ(matrix.pair(0, 1).pair_accuracy, 0.5) << "it can't tell the two apart";
    EXPECT_EQ(matrix.pair(1, 0).pair_accuracy, std::nullopt) << "there is nothing to tell";
}

TEST(MachineMatrixTest, SimilarMachinesStandTogether) {
    const MachineMatrix matrix = matrix_of({{1, 2, 3, 4}, {4, 3, 2, 1}, {1, 2, 4, 3}, {4, 3, 1, 2}});
    const auto order = similarity_order(matrix);
    EXPECT_THAT(order, ::testing::AnyOf(ElementsAre(0, 2, 3, 1), ElementsAre(0, 2, 1, 3),
                                        ElementsAre(2, 0, 1, 3), ElementsAre(2, 0, 3, 1)));
    const MachineMatrix sorted = reordered(matrix, order);
    EXPECT_EQ(sorted.pair(0, 3), matrix.pair(order[0], order[3]));
    EXPECT_GT(sorted.pair(0, 1).kendall_tau, sorted.pair(0, 2).kendall_tau);
}

TEST(MachineMatrixTest, NoMachinesAreNoMatrix) {
    EXPECT_TRUE(similarity_order(machine_matrix({})).empty());
}

} // namespace
} // namespace sparsight

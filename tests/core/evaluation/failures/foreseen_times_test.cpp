#include "evaluation/failures/foreseen_times.h"

#include "core/evaluation/failures/invented_evaluation.h"

#include <gtest/gtest.h>

namespace sparsight::testing {
namespace {

ForeseenTimes foreseen(const std::vector<EvaluatedMatrix>& matrices) {
    return {invented_evaluation(matrices).models.front(), 20};
}

TEST(ForeseenTimes, ReadsTheUnitOfAScoreOffTheTimesWhateverTheLevelOfAMatrix) {
    const auto times = foreseen({invented_matrix("fast", 9, {{1.0, 0.0}, {2.0, 1.0}, {4.0, 2.0}}),
                                 invented_matrix("slow", 900, {{100.0, 50.0}, {200.0, 51.0}})});
    EXPECT_NEAR(times.factor("another", 0, 1).value(), 0.5, 1e-9);
    EXPECT_NEAR(times.factor("another", 3, 1).value(), 4, 1e-9);
}

TEST(ForeseenTimes, AMatrixDoesNotVouchForItself) {
    const auto times = foreseen({invented_matrix("a", 9, {{1.0, 0.0}, {2.0, 1.0}}),
                                 invented_matrix("b", 9, {{1.0, 0.0}, {9.0, 1.0}})});
    EXPECT_NEAR(times.factor("b", 0, 1).value(), 0.5, 1e-9);
    EXPECT_FALSE(foreseen({invented_matrix("only", 9, {{1.0, 0.0}, {2.0, 1.0}})}).factor("only", 0, 1));
}

TEST(ForeseenTimes, AModelThatRanksUpsideDownForeseesNothing) {
    EXPECT_FALSE(foreseen({invented_matrix("a", 9, {{2.0, 0.0}, {1.0, 1.0}})}).factor("b", 0, 1));
}

} // namespace
} // namespace sparsight::testing

#include "app/gui/workspace/only_sparse.h"
#include "gui/domains/sparse/sparse_views.h"
#include "gui/runs/model_verdicts.h"
#include "gui/runs/stored_learning.h"
#include "gui/train/training_fields.h"

#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(BlendShares, AreThoseOfTheFormula) {
    EXPECT_EQ(blend_formula({0.3, 0.9}).toStdString(), "score = 0.300 · network + 0.900 · ln(simulated ms)");
    EXPECT_EQ(blend_formula({0, 4}).toStdString(),
              "score = 4.00 · ln(simulated ms); the network is not used");
    EXPECT_EQ(blend_formula({0.3, 0}).toStdString(), "score = 0.300 · network; the simulator is not used");
}

TrainingRun run(std::optional<double> own, std::optional<double> trees, int test_workloads = 0) {
    TrainingRun run;
    run.test_accuracy = own;
    run.baseline_accuracy = trees;
    run.test_workloads = test_workloads;
    return run;
}

std::string sentence(const TrainingRun& run) {
    const DomainWords& words = sparse_words();
    return baseline_sentence(run, words.workload, sparse_training().advice).toStdString();
}

TEST(BaselineWords, SayThatTreesAreAheadByHowMuchOnWhatAndWhatToDo) {
    const TrainingRun behind = run(0.787, 0.863, 12);
    EXPECT_THAT(sentence(behind),
                AllOf(HasSubstr("Boosted trees are ahead by 7.6 percentage points on 12 test matrices: they "
                                "order 86.3\u00A0% of the pairs rightly, this network 78.7\u00A0%."),
                      HasSubstr("Train a gray box"), HasSubstr("the preset Best"), Not(HasSubstr("chance"))));
    EXPECT_TRUE(is_behind_trees(behind));
    EXPECT_THAT(sentence(run(0.7, 0.8, 3)), HasSubstr("on 3 test matrices, so few that it may be chance:"));
    EXPECT_THAT(sentence(run(0.7, 0.8)), HasSubstr("on the pairs held out for the test:"))
        << "of parts of matrices, and of older runs";
}

TEST(BaselineWords, NameNoWinnerOnOneOrTwoTestMatrices) {
    EXPECT_EQ(sentence(run(0.7, 0.8, 1)),
              "One test matrix is too few to decide anything. The network orders 70.0\u00A0% of the pairs "
              "rightly, boosted trees 80.0\u00A0%.");
    EXPECT_THAT(sentence(run(0.9, 0.8, 2)),
                AllOf(HasSubstr("2 test matrices are too few to decide anything."), Not(HasSubstr("ahead"))));
    EXPECT_FALSE(is_behind_trees(run(0.7, 0.8, 2))) << "nothing to warn of";
    EXPECT_TRUE(is_behind_trees(run(0.7, 0.8, 3)));
}

TEST(BaselineWords, SayThatTheNetworkIsAheadOrBothAreEven) {
    EXPECT_THAT(sentence(run(0.9, 0.8, 12)),
                AllOf(HasSubstr("This network is ahead of boosted trees by 10.0 percentage points"),
                      Not(HasSubstr("Fine-tune"))));
    EXPECT_FALSE(is_behind_trees(run(0.9, 0.8)));
    EXPECT_THAT(sentence(run(0.8, 0.8003, 12)),
                HasSubstr("are even on 12 test matrices: both order 80.0\u00A0%"));
    EXPECT_FALSE(is_behind_trees(run(0.8, 0.8003)));
}

TEST(BaselineWords, AreNoneWithoutTrees) {
    EXPECT_EQ(sentence(run(0.8, std::nullopt)), "");
    EXPECT_EQ(sentence(run(std::nullopt, 0.8)), "");
    EXPECT_FALSE(is_behind_trees(run(std::nullopt, 0.8)));
}

} // namespace
} // namespace sparsight::testing

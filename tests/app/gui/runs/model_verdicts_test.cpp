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

std::string verdict(const BlendShares& blend, const BlendAccuracies& test) {
    return blend_verdict(blend, {0.81, 0.9, 0.9}, test, 0, sparse_words()).toStdString();
}

TEST(BlendShares, SayWhatBlendingGainedOverTheBetterOfTheTwo) {
    EXPECT_EQ(verdict({0.3, 0.9}, {0.85, 0.9, 0.925}),
              "Both together order 2.5 percentage points more of the pairs of the test matrices than the "
              "simulator alone.");
    EXPECT_THAT(verdict({0.3, 0.9}, {0.95, 0.9, 0.96}), HasSubstr("than the network alone"));
    EXPECT_THAT(verdict({0.3, 0.9}, {0.9, 0.8, 0.9}), HasSubstr("as good as the network alone"));
}

TEST(BlendShares, SayThatBothAreWorseThanTheSimulatorAlone) {
    EXPECT_THAT(verdict({0.3, 0.9}, {0.85, 0.93, 0.925}),
                AllOf(HasSubstr("worse than the simulator alone on the test matrices, by 0.5"),
                      HasSubstr("not these")));
}

TEST(BlendShares, SayThatTheNetworkHasNone) {
    EXPECT_THAT(
        verdict({0, 4}, {0.8, 0.9, 0.9}),
        AllOf(HasSubstr(
                  "The network is not used: in tests on matrices that were kept back the simulator ordered "
                  "90.0\u00A0% of pairs correctly, the network 81.0\u00A0%, and combining them did not help. "
                  "More matrices can change that."),
              Not(HasSubstr("as good as"))));
    EXPECT_THAT(blend_verdict({0, 4}, {0.81, 0.9, 0.9}, {}, 10, sparse_words()).toStdString(),
                HasSubstr("in cross-validation on 10 matrices"));
    EXPECT_THAT(no_share_sentence({0, 4}, {}, 10, sparse_words()).toStdString(),
                HasSubstr("combining both did not help"))
        << "of models that were made before what was kept back was";
    EXPECT_EQ(no_share_sentence({0.5, 4}, {0.81, 0.9, 0.92}, 10, sparse_words()), QString())
        << "both have one";
    EXPECT_THAT(verdict({0, 4}, {0.95, 0.9, 0.9}), HasSubstr("worse than the network alone"))
        << "also where it would have deserved one on the test matrices";
    EXPECT_THAT(verdict({1, 0}, {0.9, 0.8, 0.9}), HasSubstr("The simulator is not used"));
}

TEST(BlendShares, WithoutTestsOnlyTheSharesAreToldOf) {
    EXPECT_EQ(verdict({0.3, 0.9}, {}), "");
    EXPECT_THAT(verdict({0, 4}, {}), HasSubstr("The network is not used"));
}

TEST(BlendShares, StandBesideWhatTheyAreWorth) {
    EXPECT_EQ(blend_formula({0.3, 0.9}).toStdString(), "score = 0.300 · network + 0.900 · ln(simulated ms)");
    EXPECT_EQ(blend_formula({0, 4}).toStdString(),
              "score = 4.00 · ln(simulated ms); the network is not used");
    EXPECT_EQ(blend_formula({0.3, 0}).toStdString(), "score = 0.300 · network; the simulator is not used");
    const std::string table =
        blend_table({0.3, 0.9}, {}, {0.85, 0.9, 0.925}, sparse_words().workload).toStdString();
    EXPECT_THAT(table, AllOf(HasSubstr("0.300"), HasSubstr("0.900"), HasSubstr("85.0\u00A0%"),
                             HasSubstr("92.5\u00A0%")));
    EXPECT_THAT(table, Not(HasSubstr("kept back"))) << "of models that were made before it was kept";
    EXPECT_THAT(blend_table({0.3, 0.9}, {0.81, 0.9, 0.91}, {}, sparse_words().workload).toStdString(),
                HasSubstr("91.0\u00A0%"));
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
    return baseline_sentence(run, words.workload, sparse_training(words).advice).toStdString();
}

TEST(BaselineWords, SayThatTreesAreAheadByHowMuchOnWhatAndWhatToDo) {
    const TrainingRun behind = run(0.787, 0.863, 12);
    EXPECT_THAT(sentence(behind),
                AllOf(HasSubstr("Boosted trees are ahead by 7.6 percentage points on 12 test matrices: they "
                                "order 86.3\u00A0% of the pairs rightly, this network 78.7\u00A0%."),
                      HasSubstr("Fine-tune it"), HasSubstr("the preset Best"), Not(HasSubstr("chance"))));
    EXPECT_TRUE(is_behind_trees(behind));
    EXPECT_THAT(sentence(run(0.7, 0.8, 3)), HasSubstr("on 3 test matrices, so few that it may be chance:"));
    EXPECT_THAT(sentence(run(0.7, 0.8)), HasSubstr("on the test matrices:")) << "of older runs";
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

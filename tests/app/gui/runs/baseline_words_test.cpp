#include "gui/runs/baseline_words.h"

#include "gui/runs/stored_runs.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TrainingRun run(std::optional<double> own, std::optional<double> trees, int test_matrices = 0) {
    TrainingRun run;
    run.test_accuracy = own;
    run.baseline_accuracy = trees;
    run.test_matrices = test_matrices;
    return run;
}

std::string sentence(const TrainingRun& run) {
    return baseline_sentence(run).toStdString();
}

TEST(BaselineWords, SayThatTreesAreAheadByHowMuchOnWhatAndWhatToDo) {
    const TrainingRun behind = run(0.787, 0.863, 12);
    EXPECT_THAT(sentence(behind),
                AllOf(HasSubstr("Boosted trees are ahead by 7.6 percentage points on 12 test matrices: they "
                                "order 86.3 % of the pairs rightly, this network 78.7 %."),
                      HasSubstr("Fine-tune it"), HasSubstr("the preset Best"), Not(HasSubstr("chance"))));
    EXPECT_TRUE(is_behind_trees(behind));
    EXPECT_THAT(sentence(run(0.7, 0.8, 2)), HasSubstr("on 2 test matrices, so few that it may be chance:"));
    EXPECT_THAT(sentence(run(0.7, 0.8)), HasSubstr("on the test matrices:")) << "of older runs";
}

TEST(BaselineWords, SayThatTheNetworkIsAheadOrBothAreEven) {
    EXPECT_THAT(sentence(run(0.9, 0.8, 12)),
                AllOf(HasSubstr("This network is ahead of boosted trees by 10.0 percentage points"),
                      Not(HasSubstr("Fine-tune"))));
    EXPECT_FALSE(is_behind_trees(run(0.9, 0.8)));
    EXPECT_THAT(sentence(run(0.8, 0.8003, 12)), HasSubstr("are even on 12 test matrices: both order 80.0 %"));
    EXPECT_FALSE(is_behind_trees(run(0.8, 0.8003)));
}

TEST(BaselineWords, AreNoneWithoutTrees) {
    EXPECT_EQ(sentence(run(0.8, std::nullopt)), "");
    EXPECT_EQ(sentence(run(std::nullopt, 0.8)), "");
    EXPECT_FALSE(is_behind_trees(run(std::nullopt, 0.8)));
}

} // namespace
} // namespace sparsight

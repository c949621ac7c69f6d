#include "app/cli/evaluation_fixture.h"

#include <gmock/gmock.h>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Evaluate, AsksAndMeasuresNothingTwice) {
    const Json first = evaluated({"--models", "first"});
    const Json second = evaluated({"--models", "first"});
    EXPECT_EQ(first["models"], second["models"]);
    EXPECT_EQ(asked().size(), 1);
    EXPECT_EQ(evaluated({"--models", "first", "--again"})["complete"], true);
    EXPECT_EQ(asked().size(), 2);
}

TEST_F(Evaluate, PrintsAFinishedEvaluationWhateverTheOrderOfItsNamesAndSaysSo) {
    const Words words{"--models", "first,second", "--matrices", "stencil-2d,banded,arrow"};
    const Outcome before = evaluate(words);
    EXPECT_EQ(before.err.find("--again"), std::string::npos) << before.err;
    const Json first = evaluated(words);
    const Words others{"--models", "first,second", "--matrices", "arrow,banded,stencil-2d"};
    const Outcome after = evaluate(others);
    EXPECT_THAT(after.err, HasSubstr("these are the figures of the evaluation of 20"));
    EXPECT_THAT(after.err, HasSubstr("--again does it anew"));
    EXPECT_EQ(after.out, before.out) << "intervals, too, do not depend on the order";
    EXPECT_EQ(evaluated(others)["models"], first["models"]);
    EXPECT_EQ(evaluated({"--models", "second,first", "--matrices", "arrow,banded,stencil-2d"})["models"][0],
              first["models"][1]);
    EXPECT_EQ(asked().size(), 2) << "one search of each model";
}

TEST_F(Evaluate, SaysInWhatTheStoredEvaluationDiffers) {
    ASSERT_EQ(evaluated({"--models", "first"})["complete"], true);
    const Outcome other = evaluate({"--models", "first", "--matrices", "banded", "--seed", "7"});
    EXPECT_EQ(other.exit_code, 0) << other.err;
    EXPECT_THAT(other.err, HasSubstr("this evaluation is a new one: the stored one of 20"));
    EXPECT_THAT(other.err, HasSubstr("differs in matrices (2, now 1), seed (1, now 7)"));
    EXPECT_THAT(evaluate({"--models", "first,second"}).err, Not(HasSubstr("differs in")))
        << "these models were not compared before";
}

TEST_F(Evaluate, GoesOnWhereItsBudgetEnded) {
    const Json first = evaluated({"--models", "first", "--budget", "1ms"});
    EXPECT_EQ(first["complete"], false);
    const Json second = evaluated({"--models", "first"});
    EXPECT_EQ(second["complete"], true);
    EXPECT_EQ(asked().size(), 1) << "what was chosen stands";
    EXPECT_EQ(second["models"][0]["matrices"].size(), 2);
}

} // namespace sparsight::testing

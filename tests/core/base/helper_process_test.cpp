// A process that answers questions.
#include "base/helper_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

// cat gives every question back, which is an answer of the same form.

TEST(HelperProcess, AnswersOneQuestionAfterTheOther) {
    auto helper = HelperProcess::start("/bin/cat", {}).value();
    EXPECT_EQ(helper.ask("what is this?").value(), "what is this?");
    EXPECT_EQ(helper.ask("").value(), "");
    HelperProcess moved = std::move(helper);
    EXPECT_EQ(moved.ask("and this?").value(), "and this?");
}

TEST(HelperProcess, ThatHasEndedIsAnErrorAndNoSignal) {
    auto helper = HelperProcess::start("/bin/true", {}).value();
    for (int attempt = 0; attempt < 3; ++attempt) {
        const auto answer = helper.ask("is anybody there?");
        ASSERT_FALSE(answer.has_value());
        EXPECT_THAT(answer.error().text(), HasSubstr("/bin/true: has ended before its answer"));
    }
}

TEST(HelperProcess, WhoseAnswerIsNoneIsAnError) {
    auto helper = HelperProcess::start("/bin/echo", {"sixteen bytes or more of something else"}).value();
    EXPECT_FALSE(helper.ask("what?").has_value());
}

TEST(HelperProcess, ThatIsMissingIsNamed) {
    const auto helper = HelperProcess::start("/nowhere/helper", {});
    ASSERT_FALSE(helper.has_value());
    EXPECT_EQ(helper.error().fault, Fault::Environment);
    EXPECT_THAT(helper.error().text(), HasSubstr("/nowhere/helper: can't be started: No such file"));
}

} // namespace
} // namespace sparsight

#include "command/job.h"
#include "command/program.h"
#include "store/blend_scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(HelpPage, IndentsTheTextOfASectionBelowItsTitle) {
    EXPECT_EQ(help_section("Examples", "\nfirst\n\n  second\n"), "Examples:\n  first\n\n    second\n\n");
    EXPECT_EQ(help_section("JSON", ""), "");
}

TEST(HelpPage, NamesTheProgramThatWasCalled) {
    EXPECT_EQ(in_the_name_of("sparsight-learn", "sparsight-cli a; sparsight-cli b"),
              "sparsight-learn a; sparsight-learn b");
    EXPECT_EQ(in_the_name_of("sparsight-cli", "sparsight-cli a"), "sparsight-cli a");
    EXPECT_EQ(in_the_name_of("my-sparsight-cli", "sparsight-cli a"), "my-sparsight-cli a");
}

} // namespace

TEST(ProgressBar, ShowsHowMuchIsDoneAndHowLongTheRestTakes) {
    EXPECT_EQ(progress_bar({.stage = "cage8", .done = 5, .total = 10, .left = Seconds(65)}, 200),
              "[##########          ]  50 %, 1 min 05 s left  cage8");
    EXPECT_EQ(progress_bar({.stage = "cage8", .done = 10, .total = 10, .left = {}}, 200),
              "[####################] 100 %  cage8");
}

TEST(ProgressBar, ShowsOnlyWhatIsDoneWhereTheTotalIsUnknown) {
    EXPECT_EQ(progress_bar({.stage = "reading", .done = 5, .total = 0, .left = {}}, 200), "reading");
}

TEST(ProgressBar, FitsTheTerminal) {
    const std::string bar =
        progress_bar({.stage = "a name\nwith a line break", .done = 1, .total = 2, .left = {}}, 40);
    EXPECT_EQ(bar, "[##########          ]  50 %  a name?wit");
}

TEST(ProgressLine, IsTheSameForALog) {
    EXPECT_EQ(progress_line({.stage = "cage8", .done = 1, .total = 4, .left = Seconds(3)}),
              " 25 %, 3.00 s left: cage8");
    EXPECT_EQ(progress_line({.stage = "cage8", .done = 1, .total = 0, .left = {}}), "cage8");
}

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ModelRecord blended(const char* op, double simulator) {
    ModelRecord model;
    model.name = "tuned";
    model.description = R"({"input": {"operator": ")" + std::string(op) +
                        R"("}, "training": {"machines": ["laptop"]}, "blend": {"network": 1, "simulator": )" +
                        std::to_string(simulator) + R"(, "network_share": 0.4, "dense": 256}})";
    return model;
}

TEST(BlendedElsewhere, IsSaidOfAnotherMachineAndOfAnotherDenseExtent) {
    EXPECT_EQ(blend_scope_remark(blended("spmm", 2), "laptop", 256), std::nullopt) << "at home";
    const std::string machine = blend_scope_remark(blended("spmm", 2), "server", 256).value();
    EXPECT_THAT(machine,
                HasSubstr("the simulator's share in tuned (60 %) was calibrated to laptop, and tells nothing "
                          "of server"));
    EXPECT_THAT(machine, Not(HasSubstr("dense")));
    EXPECT_THAT(blend_scope_remark(blended("spmm", 2), "laptop", 32).value(),
                HasSubstr("calibrated to a dense extent of 256, and tells nothing of 32"));
    EXPECT_THAT(blend_scope_remark(blended("spmm", 2), "", 32).value(),
                HasSubstr("to laptop and a dense extent of 256, and tells nothing of this computer with 32"));
}

TEST(BlendedElsewhere, IsNothingWhereNoSimulatorHasAShare) {
    EXPECT_EQ(blend_scope_remark(blended("spmm", 0), "server", 32), std::nullopt);
    EXPECT_EQ(blend_scope_remark(blended("spmv", 2), "laptop", 1), std::nullopt)
        << "SpMV has no dense extent";
    ModelRecord plain;
    plain.description = R"({"input": {"operator": "spmm"}, "training": {"machines": ["laptop"]}})";
    EXPECT_EQ(blend_scope_remark(plain, "server", 32), std::nullopt);
    plain.description = "no JSON";
    EXPECT_EQ(blend_scope_remark(plain, "server", 32), std::nullopt);
}

} // namespace
} // namespace sparsight

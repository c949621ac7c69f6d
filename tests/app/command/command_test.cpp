// What the commands of both programs share: progress, help pages, texts on a terminal.
#include "base/terminal_text.h"
#include "command/job.h"
#include "command/program.h"
#include "store/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(ToldProgress, EstimatesTheTimeLeftOfEachWorkFromItsOwnPace) {
    const Session session("sparsight-learn");
    ::testing::internal::CaptureStdout();
    {
        JobObserver observer(session, "finetune", ProgressForm::Events);
        observer.start(Json::object());
        observer.progress({.stage = "fitting", .done = 3, .total = 10});
        observer.progress({.stage = "training", .done = 4, .total = 200});
        observer.end(Json::object(), true, false);
    }
    std::vector<Json> told;
    std::istringstream lines(::testing::internal::GetCapturedStdout());
    for (std::string line; std::getline(lines, line);)
        told.push_back(Json::parse(line));
    ASSERT_EQ(told.size(), 4U);
    EXPECT_TRUE(told[1]["seconds_left"].is_number());
    EXPECT_TRUE(told[2]["seconds_left"].is_null()) << "what was done before is no part of it";
}

TEST(ToldWarnings, ReachProgramsAsEventsToo) {
    const Session session("sparsight-cli");
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    {
        JobObserver observer(session, "collect", ProgressForm::Events);
        observer.warn("another program measures");
    }
    EXPECT_EQ(::testing::internal::GetCapturedStdout(),
              "{\"event\":\"warning\",\"warning\":\"another program measures\"}\n");
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("another program measures"));
}

ModelRecord blended(const char* op, double simulator) {
    ModelRecord model;
    model.name = "tuned";
    model.description = R"({"input": {"operator": ")" + std::string(op) +
                        R"("}, "training": {"machines": ["laptop"]}, "blend": {"network": 1, "simulator": )" +
                        std::to_string(simulator) + R"(, "network_share": 0.4, "dense": 256}})";
    return model;
}

std::optional<std::string> remark(const ModelRecord& model, const std::string& machine, std::int64_t dense) {
    const std::array<SettingMember, 2> setting{
        {{"operator", "Operator", "spmm"}, {"dense", "Columns of the dense matrix", dense}}};
    return blend_scope_remark(model, machine, setting);
}

TEST(BlendedElsewhere, IsSaidOfAnotherMachineAndOfOtherNumbersOfTheSetting) {
    EXPECT_EQ(remark(blended("spmm", 2), "laptop", 256), std::nullopt) << "at home";
    const std::string machine = remark(blended("spmm", 2), "server", 256).value();
    EXPECT_THAT(machine,
                HasSubstr("the simulator's share in tuned (60 %) was calibrated to laptop, and tells nothing "
                          "of server"));
    EXPECT_THAT(machine, Not(HasSubstr("dense")));
    EXPECT_THAT(remark(blended("spmm", 2), "laptop", 32).value(),
                HasSubstr("calibrated to --dense 256, and tells nothing of --dense 32"));
    EXPECT_THAT(remark(blended("spmm", 2), "", 32).value(),
                HasSubstr("to laptop with --dense 256, and tells nothing of this computer with --dense 32"));
}

TEST(BlendedElsewhere, IsNothingWhereNoSimulatorHasAShare) {
    EXPECT_EQ(remark(blended("spmm", 0), "server", 32), std::nullopt);
    EXPECT_EQ(blend_scope_remark(blended("spmv", 2), "laptop", {}), std::nullopt)
        << "a setting without numbers";
    ModelRecord plain;
    plain.description = R"({"input": {"operator": "spmm"}, "training": {"machines": ["laptop"]}})";
    EXPECT_EQ(remark(plain, "server", 32), std::nullopt);
    plain.description = "no JSON";
    EXPECT_EQ(remark(plain, "server", 32), std::nullopt);
}

TEST(DisplayedText, KeepsUtf8AndReplacesTheRest) {
    EXPECT_EQ(displayed("cage8 × é 疎 𝄞"), "cage8 × é 疎 𝄞");
    EXPECT_EQ(displayed("a\x01\x7f\xc2\x85z"), "a???z") << "control characters, those of Unicode too";
    EXPECT_EQ(displayed("\xff\xfe"), "??");
    EXPECT_EQ(displayed("cut \xe2\x82"), "cut ??");
    EXPECT_EQ(displayed("\xc0\xaf"), "??") << "overlong";
    EXPECT_EQ(displayed("\xed\xa0\x80"), "???") << "a surrogate";
    EXPECT_EQ(displayed("\xe2\x80\xaetxt.exe"), "?txt.exe") << "turns the direction of writing";
}

TEST(DisplayedText, HasTheWidthThatATerminalGivesIt) {
    EXPECT_EQ(display_width(""), 0);
    EXPECT_EQ(display_width("ab×"), 3);
    EXPECT_EQ(display_width("e\xcc\x81"), 1) << "a combining accent";
    EXPECT_EQ(display_width("疎行"), 4);
}

TEST(DisplayedText, IsCutBetweenCharacters) {
    EXPECT_EQ(fitting("abc", 2), "ab");
    EXPECT_EQ(fitting("abc", 9), "abc");
    EXPECT_EQ(fitting("×××", 2), "××");
    EXPECT_EQ(fitting("疎行", 3), "疎");
    EXPECT_EQ(fitting("疎行", 0), "");
}

TEST(Table, AlignsColumnsByWhatATerminalShows) {
    Table table({{"name"}, {"time ms", Align::Right}, {"remark"}});
    table.add_row({"a", "1.5", ""});
    table.add_row({"Größe", "12.25", "ok"});
    table.add_row({"疎行列", "7", ""});
    EXPECT_EQ(table.text(), "name    time ms  remark\n"
                            "a           1.5\n"
                            "Größe     12.25  ok\n"
                            "疎行列        7\n");
}

TEST(Table, OfNothingIsItsHeader) {
    EXPECT_EQ(Table({{"a"}, {"b", Align::Right}}).text(), "a  b\n");
}

TEST(Table, CannotBeBrokenByWhatIsInACell) {
    Table table({{"name"}, {"next"}});
    table.add_row({"a\nb\tc\x1b[31m", "x"});
    EXPECT_EQ(table.text(), "name        next\na?b?c?[31m  x\n");
}

} // namespace
} // namespace sparsight

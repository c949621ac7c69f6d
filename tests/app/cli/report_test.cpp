#include "app/cli/failing_workspace.h"

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Report = FailingWorkspace;

TEST_F(Report, OfAnEvaluationHasStoriesAndAPageForEachCase) {
    const Json json = answer({"report", "-o", "failures.html"});
    EXPECT_EQ(json["stories"], 1);
    EXPECT_EQ(json["pages"], 1);
    const std::string html = read("failures.html");
    EXPECT_THAT(html, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(html, HasSubstr("1. 1 matrix, power law: chunk 4096 instead of 32"));
    EXPECT_THAT(html, HasSubstr("<a href=\"#case0\">web</a>"));
    EXPECT_THAT(html, HasSubstr("id=\"case0\""));
    EXPECT_THAT(html, HasSubstr("Which decision"));
    EXPECT_THAT(html, HasSubstr("data:image/png;base64,"));
    EXPECT_THAT(html, HasSubstr("sparsight-cli report --evaluation"));
    EXPECT_THAT(html, Not(HasSubstr("http"))) << "it needs nothing from outside";
}

TEST_F(Report, OfAScheduleIsOnePageWithTheCommandThatGivesItAgain) {
    const Words words{"report",    "--matrix", "web",       "--schedule", serial, "--dense",  "16",
                      "--machine", "server",   "--against", "csr",        "-o",   "page.html"};
    EXPECT_EQ(answer(words)["pages"], 1);
    const std::string html = read("page.html");
    EXPECT_THAT(html, HasSubstr("times as long as fixed CSR"));
    EXPECT_THAT(html, HasSubstr("What would make it win"));
    EXPECT_THAT(html, HasSubstr("sparsight-cli report --matrix web --operator spmm --dense 16 --schedule"));
    EXPECT_EQ(
        answer({"report", "--matrix", "web", "--schedule", serial, "--dense", "16", "--machine", "server",
                "--against", "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 32", "-o", "again.html"})["pages"],
        1);
    EXPECT_THAT(read("again.html"), HasSubstr("times as long as fixed CSR"));
}

TEST_F(Report, AModelThatCanNotBeAskedIsNoReasonToRefuseThePage) {
    EXPECT_EQ(answer({"report", "-o", "failures.html"})["pages"], 1);
    EXPECT_THAT(read("failures.html"), HasSubstr("first can&#39;t be asked why"));
    EXPECT_EQ(answer({"report", "--reasons", "0", "-o", "failures.html"})["pages"], 1);
    EXPECT_THAT(read("failures.html"), Not(HasSubstr("be asked why")));
}

TEST_F(Report, WithoutPagesIsTheSummaryAlone) {
    EXPECT_EQ(answer({"report", "--pages", "0", "--seed", "7", "-o", "summary.html"})["pages"], 0);
    EXPECT_THAT(read("summary.html"), HasSubstr(" --seed 7 --pages 0"))
        << "the command gives this report again, not the usual one";
    EXPECT_THAT(read("summary.html"), Not(HasSubstr("Which decision")));
}

TEST_F(Report, RefusesOptionsThatItWouldIgnore) {
    const Words page{"--matrix", "web", "--schedule", "csr"};
    const auto refused = [&](Words words, const Words& more) {
        words.insert(words.begin(), {"report", "-o", "page.html"});
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2) << more.front();
        EXPECT_THAT(outcome.err, HasSubstr(more.front()));
    };
    for (const Words& more : {Words{"--evaluation", "1"}, Words{"--pages", "3"}, Words{"--reasons", "1s"},
                              Words{"--simulated-on", "laptop"}})
        refused(page, more);
    for (const Words& more : {Words{"--operator", "spmv"}, Words{"--dense", "8"},
                              Words{"--simulated-on", "laptop", "--machine", "laptop"}})
        refused({}, more);
}

TEST_F(Report, TheNameOfTheFileSaysTheForm) {
    const Outcome outcome = run({"report", "-o", "failures.doc"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("'failures.doc' ends in neither .html nor .pdf"));
    EXPECT_EQ(run({"report"}).exit_code, 2);
}

TEST_F(Report, PdfIsPrintedByTheProgramWithAWindow) {
    const auto window = std::filesystem::path(SPARSIGHT_CLI).parent_path() / "sparsight";
    if (!std::filesystem::exists(window))
        GTEST_SKIP() << "needs " << window << ", which is not built here";
    EXPECT_EQ(run({"report", "-o", "failures.pdf"}).exit_code, 0);
    EXPECT_THAT(read("failures.pdf"), StartsWith("%PDF-"));
}

} // namespace sparsight::testing

// The toy domain goes through everything that the command line does for any domain, by the programs that have
// no other one.
#include "app/cli/cli_fixture.h"

#include <fmt/format.h>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class LockStory : public CliTest {
protected:
    LockStory() { write("locks.txt", locks()); }

    static std::string locks() {
        std::string text;
        for (int number = 0; number < 24; ++number)
            text += fmt::format("lock-{} {} {} {} {}\n", number, number % 5, number * 7 % 5,
                                number * 3 / 5 % 5, number / 5 % 5);
        return text;
    }
    [[nodiscard]] Json train(const std::string& name, const Words& more) const {
        Words words{"train", "--name",    name, "--loss",        "logistic", "--rate",
                    "0.003", "--threads", "1",  "--no-baseline", "--epochs", "10"};
        words.insert(words.end(), more.begin(), more.end());
        return answer(std::move(words));
    }
};

TEST_F(LockStory, GoesFromImportToReport) {
    EXPECT_EQ(answer({"import", "locks.txt"})["imported"].size(), 24U);
    EXPECT_THAT(run({"collect", "--configurations", "40", "--json"}).out, HasSubstr("\"measured\""));

    const Json first = answer({"results"}).front();
    EXPECT_TRUE(first.contains("lock") && first.contains("combination")) << "in the words of the domain";
    const std::string machine = first["machine"];

    const Json changes = answer({"whatif", "--workload", "lock-7"});
    EXPECT_EQ(changes["lock"], "lock-7");
    EXPECT_FALSE(changes["changes"].empty()) << "of the fastest combination";

    EXPECT_EQ(train("supervised", {})["model"], "supervised");
    EXPECT_EQ(train("meta", {"--method", "fomaml"})["model"], "meta");
    EXPECT_EQ(train("trees", {"--architecture", "trees"})["model"], "trees");
    EXPECT_EQ(train("by-row", {"--split-by", "row"})["model"], "by-row");
    const Json tuned =
        answer({"finetune", "--model", "meta", "--machine", machine, "--workloads", "5", "--name", "tuned"});
    EXPECT_EQ(tuned["model"], "tuned");

    const Json found = answer({"search", "--model", "supervised", "--workload", "lock-7", "--k", "5"});
    EXPECT_EQ(found["locks"][0]["lock"], "lock-7");
    EXPECT_EQ(found["locks"][0]["pool"], 625) << "all combinations";
    EXPECT_EQ(found["locks"][0]["candidates"].size(), 6U)
        << "the baseline stands behind those that were chosen";

    const Json reasons = answer({"reasons", "--model", "supervised", "--workload", "lock-7",
                                 "--configuration", "choice", "--against", "0000"});
    EXPECT_EQ(reasons["lock"], "lock-7");
    EXPECT_GT(reasons["margin"], 0) << "it prefers the combination that it chooses";
    EXPECT_FALSE(reasons["anchors"].is_null()) << reasons["missing"];

    EXPECT_EQ(run({"evaluate", "--models", "supervised,tuned", "--k", "5", "--json"}).exit_code, 0);
    EXPECT_THAT(run({"failures"}).out, HasSubstr("slower than the best known"));
    EXPECT_THAT(run({"failures", "--reasons", "1s", "--cases", "1"}).out, HasSubstr(" choice to the "));
    EXPECT_EQ(run({"report", "--reasons", "200ms", "--output", "report.html"}).exit_code, 0);
    EXPECT_THAT(read("report.html"), AllOf(HasSubstr("lock-"), HasSubstr(" choice to the ")));
}

TEST_F(LockStory, IsEvaluatedOnAMachineThatExistsAsADescriptionAlone) {
    ASSERT_EQ(run({"import", "locks.txt"}).exit_code, 0);
    EXPECT_THAT(run({"collect", "--configurations", "40", "--json"}).out, HasSubstr("\"measured\""));
    EXPECT_EQ(train("first", {})["model"], "first");
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "imagined"}).exit_code, 0);
    const Words words{"evaluate", "--models", "first", "--machine", "imagined", "--k", "3"};
    const Json first = answer(words);
    EXPECT_EQ(first["source"], "simulated");
    EXPECT_EQ(first["complete"], true);
    EXPECT_THAT(first["remarks"].dump(), HasSubstr("simulated from the description of imagined"));
    for (const Json& lock : first["models"][0]["locks"]) {
        EXPECT_EQ(lock["turns"], 0);
        for (const Json& candidate : lock["candidates"])
            EXPECT_EQ(candidate["status"], "measured") << candidate;
    }
    const std::size_t stored = answer({"results", "--machine", "imagined"}).size();
    EXPECT_EQ(answer(words)["models"], first["models"]);
    EXPECT_EQ(answer({"results", "--machine", "imagined"}).size(), stored);
}

TEST_F(LockStory, HasNoCommandOfAnotherDomain) {
    for (const char* const command : {"matrices", "schedules", "simulate", "explain", "import-records"})
        EXPECT_EQ(run({command}).exit_code, 2) << command;
    EXPECT_EQ(run({"import", "locks.txt", "--waco", "folder"}).exit_code, 2);
    EXPECT_EQ(run({"import", "locks.txt", "--machine", "X"}).exit_code, 2)
        << "a lock has no times of its own";
}

} // namespace
} // namespace sparsight::testing

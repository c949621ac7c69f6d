#include "app/learn/learn_fixture.h"

#include <gmock/gmock.h>

namespace sparsight::testing {

using ::testing::HasSubstr;

/// With the real sparsight-learn, on recorded machines.
class ExperimentTasks : public LearnTest {
protected:
    static Words words(const Words& more) {
        Words words{
            "experiment", "tasks",   "--dense",   "32",      "--steps", "2",         "--tuning-epochs",
            "1",          "--seeds", "2",         "--shots", "0,3",     "--sources", "scratch,real",
            "--targets",  "first",   "--threads", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(ExperimentTasks, WritesTablesFigureAndPageFromWhatIsKept) {
    const Outcome outcome = run(words({"--json", "--csv", "points.csv", "--figure", "curves.svg"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["complete"], true);
    ASSERT_EQ(json["comparisons"].size(), 1);
    EXPECT_EQ(json["comparisons"][0]["better"], "real");
    EXPECT_EQ(json["comparisons"][0]["seeds"], 2);
    EXPECT_TRUE(read("curves.svg").starts_with("<svg"));
    EXPECT_THAT(read("points.csv"), HasSubstr("first,real,2,3,0."));

    write("tasks.toml", "shots = [\"0\", \"3\"]\nseeds = 2\n");
    Words from_file = words({"--report", "page.html", "--markdown", "tables.md", "--config", "tasks.toml"});
    from_file.erase(std::ranges::find(from_file, "--seeds"), std::ranges::find(from_file, "--sources"));
    const Outcome again = run(from_file);
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("other real machines"));
    EXPECT_THAT(read("page.html"), HasSubstr("<svg"));
    EXPECT_THAT(read("tables.md"), HasSubstr("## Kendall's τ"));
}

TEST_F(ExperimentTasks, TellsPointsAsEventsAndErrorsWithTheirPlace) {
    const Outcome outcome = run(words({"--progress", "json"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto told = events(outcome.out);
    EXPECT_EQ(told.front()["event"], "start");
    EXPECT_EQ(told.front()["sources"], Json({"scratch", "real"}));
    EXPECT_EQ(events_called(told, "point").size(), 8);
    EXPECT_EQ(events_called(told, "start").size(), 1);
    EXPECT_EQ(events_called(told, "end").size(), 1);
    EXPECT_EQ(told.back()["complete"], true);

    write("tasks.toml", "seeds = 2\nsources = [\"dreams\"]\n");
    const Outcome wrong = run({"experiment", "tasks", "--dense", "32", "--config", "tasks.toml"});
    EXPECT_NE(wrong.exit_code, 0);
    EXPECT_THAT(wrong.err, HasSubstr("tasks.toml:2"));
}

} // namespace sparsight::testing

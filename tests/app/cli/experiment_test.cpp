#include "app/cli/cli_fixture.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <sstream>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::Not;

/// With the real sparsight-learn, on matrices that take no time.
class ExperimentReport : public CliTest {
protected:
    void simulate(const char* count) const {
        const Outcome outcome = run({"simulate", "simulated-matrices", "--count", count});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    }
    [[nodiscard]] Outcome report(Words words) const {
        write("train.toml", "epochs = 2\n");
        if (std::ranges::find(words, "--schedules") == words.end())
            words.insert(words.begin(), {"--schedules", "6"});
        words.insert(words.begin(), {"experiment", "report", "--quick", "--shots", "3", "--k", "3", "--dense",
                                     "8", "--config", "train.toml"});
        return run(words);
    }
};

TEST_F(ExperimentReport, HasItsTable2WithOursBesideIt) {
    simulate("15");
    const Outcome outcome = report({"--report", "page.html", "--markdown", "tables.md", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["complete"], true);
    ASSERT_EQ(json["table_2"].size(), 4);
    const Words models{"report-base-quick", "report-meta-quick", "report-base-quick", "report-tuned-quick"};
    for (std::size_t at = 0; at < 4; ++at) {
        const Json& row = json["table_2"][at];
        EXPECT_EQ(row["our_model"], models[at]);
        EXPECT_TRUE(row["value"].is_number()) << row;
        EXPECT_LE(row["low"], row["value"]);
    }
    EXPECT_EQ(json["table_2"][3]["reported"], 0.196);
    EXPECT_EQ(json["second"]["machine"], "B");
    EXPECT_EQ(json["second"]["source"], "simulated");
    EXPECT_THAT(read("page.html"), HasSubstr("(figure 7)"));
    EXPECT_THAT(read("tables.md"), HasSubstr("| Fine-tuned Meta |"));

    // The same factor everywhere: what WACO's model gains on the imagined machine is what it gains here,
    // apart from what the two searches chose.
    for (const Json& model : json["second"]["models"])
        EXPECT_EQ(model["matrices"].size(), json["first"]["models"][0]["matrices"].size());

    const Outcome again = report({"--json"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(parsed(again.out)["table_2"], json["table_2"]) << "nothing is trained or measured twice";
    EXPECT_THAT(again.err, Not(HasSubstr("made anew")));

    const Outcome by_name = report({"--json", "--second", "B"});
    EXPECT_EQ(by_name.exit_code, 0) << by_name.err;
    EXPECT_EQ(parsed(by_name.out)["table_2"], json["table_2"]) << "the imagined one, which is there now";

    const Outcome changed = report({"--json", "--schedules", "8"});
    ASSERT_EQ(changed.exit_code, 0) << changed.err;
    EXPECT_THAT(changed.err, HasSubstr("report-base-quick was made by other settings, and is made anew: "
                                       "what differs is data"));
    EXPECT_THAT(changed.err, HasSubstr("report-tuned-quick was made by other settings"));
}

TEST_F(ExperimentReport, TellsItsStagesAsEvents) {
    simulate("12");
    const Outcome outcome = report({"--progress", "json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::istringstream stream(outcome.out);
    std::vector<Json> events;
    for (std::string line; std::getline(stream, line);)
        events.push_back(parsed(line));
    EXPECT_EQ(events.front()["event"], "start");
    EXPECT_EQ(std::ranges::count(events, "stage", [](const Json& event) { return event["event"]; }), 6);
    EXPECT_EQ(events.back()["event"], "end");
    EXPECT_EQ(events.back()["table_2"].size(), 4);
}

TEST_F(ExperimentReport, SaysWhatItNeeds) {
    simulate("3");
    EXPECT_THAT(report({}).err, HasSubstr("there are 3 matrices with patterns: expected 10 or more"));
    EXPECT_THAT(report({"--weights", "waco"}).err, HasSubstr("no model named 'waco'"));
    EXPECT_THAT(report({"--second", "there"}).err, HasSubstr("no machine named 'there'"))
        << "before anything is measured";
    {
        auto workspace = Workspace::open(folder() / "workspace.sparsight");
        ASSERT_TRUE(workspace) << workspace.error().text();
        ASSERT_TRUE(record_machine(*workspace, "imagined", "simulated:roofline:here:imagined", "{}"));
    }
    EXPECT_THAT(report({"--second", "imagined"}).err, HasSubstr("the machine 'imagined' is simulated"));
    EXPECT_EQ(run({"experiment"}).exit_code, 2);
}

} // namespace sparsight::testing

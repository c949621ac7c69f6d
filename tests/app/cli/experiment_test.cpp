#include "app/cli/cli_fixture.h"
#include "app/learn/learn_fixture.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <algorithm>
#include <gmock/gmock.h>

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
    const std::vector<Json> all = events(outcome.out);
    EXPECT_EQ(all.front()["event"], "start");
    EXPECT_EQ(std::ranges::count(all, "stage", [](const Json& event) { return event["event"]; }), 6);
    EXPECT_EQ(all.back()["event"], "end");
    EXPECT_EQ(all.back()["table_2"].size(), 4);
}

TEST_F(ExperimentReport, SaysWhatItNeeds) {
    simulate("3");
    EXPECT_THAT(report({}).err, HasSubstr("there are 3 matrices with patterns: expected 10 or more"));
    EXPECT_THAT(report({"--weights", "waco"}).err, HasSubstr("no model 'waco'; it has "));
    EXPECT_THAT(report({"--second", "there"}).err,
                HasSubstr("there is no machine \"there\"; known machines: "))
        << "before anything is measured";
    {
        auto workspace = Workspace::open(folder() / "workspace.sparsight");
        ASSERT_TRUE(workspace) << workspace.error().text();
        ASSERT_TRUE(record_machine(*workspace, "imagined", "simulated:roofline:here:imagined", "{}"));
    }
    EXPECT_THAT(report({"--second", "imagined"}).err, HasSubstr("the machine 'imagined' is simulated"));
    EXPECT_EQ(run({"experiment"}).exit_code, 2);
}

/// With the real sparsight-learn, on recorded machines.
class ExperimentMethods : public LearnTest {};

TEST_F(ExperimentMethods, AdaptsAModelOfEachMethodByItsOwnRule) {
    write("quick.toml", "simulated = [\"deviating:2\"]\ndense = 32\nthreads = 1\ntasks_per_step = 1\n"
                        "support_matrices = 3\nquery_matrices = 2\ninner_rate = 0.05\n");
    const Words words{"experiment", "methods", "--machine", "second",
                      "--epochs",   "1",       "--shots",   "0,3",
                      "--seeds",    "2",       "--config",  "quick.toml",
                      "--figure",   "m.svg",   "--methods", "closed-form,anil,maml"};
    Words first = words;
    first.emplace_back("--json");
    const Outcome outcome = run(first);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["sources"], Json({"closed-form", "anil", "maml", "simulator"}));
    EXPECT_EQ(json["comparisons"].size(), 3);
    const auto pairs = [&](const char* method, int shots) {
        for (const Json& estimate : json["estimates"])
            if (estimate["source"] == method && estimate["shots"] == shots)
                return estimate["ordered_pair_accuracy"]["value"].get<double>();
        return 0.0;
    };
    EXPECT_DOUBLE_EQ(pairs("closed-form", 0), pairs("simulator", 0)) << "without measurements";
    EXPECT_NE(pairs("anil", 3), pairs("simulator", 3)) << "its inner steps move the head";
    EXPECT_NE(pairs("maml", 3), pairs("closed-form", 3)) << "each by the rule of its method";
    EXPECT_THAT(read("m.svg"), HasSubstr(">MAML</text>"));
    EXPECT_EQ(answer({"models", "show", "methods-maml"})["method"], "maml");
    EXPECT_THAT(run(words).out, HasSubstr("closed form"));
}

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

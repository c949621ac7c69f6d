#include "app/cli/cli_fixture.h"
#include "store/models.h"
#include "store/workspace.h"

namespace sparsight::testing {

using ::testing::HasSubstr;

class Demo : public CliTest {};

TEST_F(Demo, MeasuresItsMatricesAndTheUsersAndWritesAReport) {
    write_matrix("mine.mtx");
    write("broken.mtx", "junk");
    const Words words{"demo",     "mine.mtx", "broken.mtx", "--schedules",  "2", "--dense", "8",
                      "--folder", "out",      "--json",     "--no-learning"};
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 1) << "one file could not be read";
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: broken.mtx:1: "));

    const Json json = parsed(outcome.out);
    EXPECT_EQ(keys(json),
              (Words{"workspace", "csv", "html", "complete", "failed", "matrices", "evaluation"}));
    EXPECT_EQ(json["complete"], true);
    ASSERT_EQ(json["failed"].size(), 1);
    EXPECT_EQ(json["failed"][0]["file"], "broken.mtx");
    ASSERT_EQ(json["matrices"].size(), 4);
    for (const Json& matrix : json["matrices"]) {
        EXPECT_EQ(keys(matrix), (Words{"matrix", "fixed_csr_ms", "best_ms", "speedup", "best_schedule"}));
        EXPECT_GT(matrix["fixed_csr_ms"], 0);
        EXPECT_GE(matrix["speedup"], 1.0) << "fixed CSR itself is among those that may win";
    }
    EXPECT_THAT(read("out/report.html"), HasSubstr("mine"));
    EXPECT_THAT(read("out/report.csv"), HasSubstr("mine"));
    EXPECT_EQ(answer({"results", "--workspace", "out/demo.sparsight"}).size(), 4 * 3);

    const Json again = parsed(run(words).out);
    EXPECT_EQ(again["matrices"], json["matrices"]) << "nothing is measured twice";
}

/// Beside a copy of sparsight-cli stands a program that makes models and chooses as sparsight-learn does.
class LearningDemo : public CliTest {
protected:
    LearningDemo() {
        std::filesystem::create_directory(folder() / "bin");
        std::error_code elsewhere;
        std::filesystem::create_hard_link(SPARSIGHT_CLI, program(), elsewhere);
        if (elsewhere)
            std::filesystem::copy_file(SPARSIGHT_CLI, program());
    }
    [[nodiscard]] std::filesystem::path program() const { return folder() / "bin" / "sparsight-cli"; }
    [[nodiscard]] Outcome demo(Words words) const {
        words.insert(words.begin(), {program().string(), "demo", "--schedules", "2", "--dense", "8",
                                     "--folder", "out", "--json"});
        return ChildProcess(words, folder()).finish();
    }
    /// As if the demo had been there and made it.
    void add_known_model(const std::string& name, const std::string& learned_from) const {
        auto workspace = Workspace::open(folder() / "out/demo.sparsight");
        ASSERT_TRUE(workspace) << workspace.error().text();
        const std::string description =
            R"({"input": {"operator": "spmm"}, "training": {"matrices": [")" + learned_from + R"("]}})";
        ASSERT_TRUE(add_model(*workspace, {name, {}, {}, description}, {}));
    }
    void write_learner(const std::string& script) const {
        const auto file = write("bin/sparsight-learn", "#!/bin/sh\n" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }
};

TEST_F(LearningDemo, ReportsWhatWasMeasuredWhereItCannotLearn) {
    const Outcome outcome = demo({});
    EXPECT_EQ(outcome.exit_code, 1);
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["evaluation"], nullptr);
    EXPECT_EQ(json["matrices"].size(), 3);
    ASSERT_EQ(json["failed"].size(), 1);
    EXPECT_THAT(json["failed"][0]["error"].get<std::string>(), HasSubstr("sparsight-learn"));
    EXPECT_THAT(read("out/report.html"), HasSubstr("demo-mesh"));
}

TEST_F(LearningDemo, PassesOnWhatTheTrainingComplainsAbout) {
    write_learner("echo \"$@\" >> \"$(dirname \"$0\")/asked\"\n"
                  "echo '{\"event\": \"error\", \"file\": null, \"line\": null, \"error\": \"it "
                  "diverged\"}'\nexit 1\n");
    const Outcome outcome = demo({});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("error: it diverged"));
    EXPECT_THAT(read("bin/asked"), HasSubstr("--preset demo --method fomaml"));
    const Json results = answer({"results", "--workspace", "out/demo.sparsight"});
    bool has_lessons = false;
    for (const Json& row : results) {
        has_lessons = has_lessons || row["matrix"].get<std::string>().starts_with("lesson-");
        EXPECT_FALSE(row["matrix"].get<std::string>().starts_with("held-out-")) << "to be asked about only";
    }
    EXPECT_TRUE(has_lessons);
    EXPECT_EQ(parsed(outcome.out)["matrices"].size(), 3) << "lessons are not looked at";
}

TEST_F(LearningDemo, FineTunesOnTheLessonsOfItsSplitAlone) {
    ASSERT_EQ(demo({"--no-learning"}).exit_code, 0);
    add_known_model("demo-meta", "lesson-1");
    write_learner("echo \"$@\" >> \"$(dirname \"$0\")/asked\"\n[ \"$1\" = train ] || exit 1\n"
                  "echo '{\"event\": \"end\", \"model\": \"it\", \"complete\": true, \"stopped\": false}'\n");
    EXPECT_EQ(demo({}).exit_code, 1);
    EXPECT_THAT(read("bin/asked"), HasSubstr("--name demo-meta --renew")) << "it may be of less data";
    EXPECT_THAT(read("bin/asked"), HasSubstr("finetune --model demo-meta"));
    EXPECT_THAT(read("bin/asked"), HasSubstr("--split demo ")) << "else its tests may be learned from";
}

TEST_F(LearningDemo, TakesNoModelOfAnEarlierDemoForOneThatWasCutShort) {
    ASSERT_EQ(demo({"--no-learning"}).exit_code, 0);
    add_known_model("demo-meta", "lesson-1");
    write_learner("echo '{\"event\": \"end\", \"model\": null, \"complete\": false, \"stopped\": true}'\n");
    const Outcome outcome = demo({});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the time for demo-meta was over before it was trained"));
}

TEST_F(LearningDemo, TellsNoFiguresOfMatricesThatWereLearnedFrom) {
    ASSERT_EQ(demo({"--no-learning"}).exit_code, 0);
    add_known_model("demo-meta", "lesson-1");
    add_known_model("demo-tuned", "demo-mesh");
    write_learner("echo '{\"event\": \"end\", \"model\": \"it\", \"complete\": true, \"stopped\": false}'\n");
    const Outcome outcome = demo({"--budget", "2s"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("have learned from 1 of the matrices that they are asked about, "
                                       "demo-mesh for one"));
    EXPECT_EQ(parsed(outcome.out)["evaluation"], nullptr);
}

} // namespace sparsight::testing

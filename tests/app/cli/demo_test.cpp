#include "app/cli/cli_fixture.h"

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
    EXPECT_THAT(read("bin/asked"), HasSubstr("train --name demo-meta --preset demo --method fomaml"));
    const Json results = answer({"results", "--workspace", "out/demo.sparsight"});
    bool has_lessons = false;
    for (const Json& row : results) {
        has_lessons = has_lessons || row["matrix"].get<std::string>().starts_with("lesson-");
        EXPECT_FALSE(row["matrix"].get<std::string>().starts_with("held-out-")) << "to be asked about only";
    }
    EXPECT_TRUE(has_lessons);
    EXPECT_EQ(parsed(outcome.out)["matrices"].size(), 3) << "lessons are not looked at";
}

} // namespace sparsight::testing

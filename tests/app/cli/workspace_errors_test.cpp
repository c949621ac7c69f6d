#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;

class WorkspaceErrors : public CliTest {
protected:
    /// Every command that needs a workspace.
    [[nodiscard]] static std::vector<Words> commands() {
        return {{"import", "m.mtx"},
                {"simulate", "banded"},
                {"matrices"},
                {"stats", "cage8"},
                {"schedules", "sample", "--matrix", "cage8"},
                {"machine", "list"},
                {"machine", "probe", "--facts-only"},
                {"machine", "show"},
                {"machine", "add", "--preset", "laptop"},
                {"machine", "sample"},
                {"collect"},
                {"results"},
                {"export", "matrix", "cage8", "cage8.mtx"},
                {"export", "waco", "collected", "--machine", "x"},
                {"export", "results", "results.csv"}};
    }
    void expect_all_to_fail_on(const std::string& workspace, const std::string& why) const {
        for (Words words : commands()) {
            words.insert(words.end(), {"--workspace", workspace, "--json"});
            const Outcome outcome = run(words);
            EXPECT_EQ(outcome.exit_code, 3) << ::testing::PrintToString(words) << outcome.err;
            EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: " + workspace + ": " + why));
            const Json error = parsed(outcome.out)["error"];
            EXPECT_EQ(error["file"], workspace);
            EXPECT_THAT(error["message"].get<std::string>(), HasSubstr(why));
        }
    }
};

TEST_F(WorkspaceErrors, MissingOnesEndWithExitCode3AndAreNotMade) {
    write_matrix("m.mtx");
    expect_all_to_fail_on("missing.sparsight", "there is no such workspace");
    EXPECT_FALSE(std::filesystem::exists(folder() / "missing.sparsight"));
}

TEST_F(WorkspaceErrors, ForeignFilesEndWithExitCode3AndStayAsTheyAre) {
    write_matrix("m.mtx");
    write("foreign.txt", std::string(200, 'x'));
    expect_all_to_fail_on("foreign.txt", "this is not a Sparsight workspace");
    EXPECT_EQ(read("foreign.txt"), std::string(200, 'x'));
}

TEST_F(WorkspaceErrors, NewRefusesAFileThatIsThere) {
    write("taken", "precious");
    const Outcome outcome = run({"new", "taken"});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("taken: there is a file of this name already"));
    EXPECT_EQ(read("taken"), "precious");
}

TEST_F(WorkspaceErrors, NewMakesTheWorkspaceThatIsNamedInEitherWay) {
    EXPECT_EQ(answer({"new", "a.sparsight"}), (Json{{"workspace", "a.sparsight"}}));
    EXPECT_EQ(answer({"new", "--workspace", "b.sparsight"}), (Json{{"workspace", "b.sparsight"}}));
    EXPECT_EQ(answer({"new"}), (Json{{"workspace", "workspace.sparsight"}}));
    EXPECT_EQ(answer({"new", "c.sparsight", "--workspace", "a.sparsight"}),
              (Json{{"workspace", "c.sparsight"}}));
    for (const char* name : {"a.sparsight", "b.sparsight", "c.sparsight", "workspace.sparsight"})
        EXPECT_TRUE(std::filesystem::exists(folder() / name));
}

TEST_F(WorkspaceErrors, TheDefaultWorkspaceIsMadeByWhatFillsItAndMissedByWhatReadsIt) {
    EXPECT_EQ(run({"matrices"}).exit_code, 3);
    EXPECT_THAT(run({"matrices"}).err, HasSubstr("`sparsight-cli new workspace.sparsight` makes one"));
    const Outcome outcome = run({"simulate", "banded", "--param", "size=10", "lower=1"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("made the workspace workspace.sparsight"));
    EXPECT_EQ(answer({"matrices"}).size(), 1);
}

TEST_F(WorkspaceErrors, TheEnvironmentNamesTheWorkspaceToo) {
    const Outcome outcome =
        ChildProcess({"/bin/sh", "-c",
                      "export SPARSIGHT_WORKSPACE=e.sparsight; " + std::string(SPARSIGHT_CLI) + " new && " +
                          SPARSIGHT_CLI + " matrices --json && " + SPARSIGHT_CLI + " new another.sparsight"},
                     folder())
            .finish();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(parsed(outcome.out), Json::array());
    for (const char* name : {"e.sparsight", "another.sparsight"})
        EXPECT_TRUE(std::filesystem::exists(folder() / name));
}

} // namespace sparsight::testing

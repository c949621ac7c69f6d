// What sparsight-learn does, through sparsight-cli.
#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Learner : public CliTest {};

TEST_F(Learner, ItsCommandsAreListedAndExplained) {
    const std::string help = run({"--help"}).out;
    for (const char* command : {"train", "finetune", "models", "search"}) {
        EXPECT_THAT(help, HasSubstr(std::string("\n  ") + command));
        const Outcome outcome = run({command, "--help"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr(std::string("Usage: sparsight-cli ") + command));
        EXPECT_THAT(outcome.out, HasSubstr("\nDescription:\n"));
        EXPECT_THAT(outcome.out, HasSubstr(std::string("Examples:\n  sparsight-cli ") + command));
    }
    EXPECT_THAT(run({"trian"}).err, HasSubstr("did you mean 'train'?"));
}

TEST_F(Learner, AnswersThroughTheSameOutputsAndExitCodes) {
    EXPECT_EQ(run({"new", "w.sparsight"}).exit_code, 0);
    for (const Words& words : {Words{"models", "list", "--workspace", "w.sparsight", "--json"},
                               Words{"--workspace", "w.sparsight", "--json", "models", "list"},
                               Words{"--workspace=w.sparsight", "--seed", "3", "models", "list", "--json"}}) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(outcome.out, "[]\n");
    }
    EXPECT_EQ(run({"models", "list", "--workspace", "absent.sparsight"}).exit_code, 3);
    const Outcome wrong = run({"models", "fly"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, StartsWith("sparsight-cli: error: there is no command 'fly'"))
        << "as it was called";
}

TEST_F(Learner, IsMissedWhereItIsNotInstalled) {
    std::filesystem::copy_file(SPARSIGHT_CLI, folder() / "sparsight-cli");
    const Words alone{"/usr/bin/env", "PATH=/nowhere", (folder() / "sparsight-cli").string(),
                      "models",       "list",          "--json"};
    const Outcome outcome = ChildProcess(alone, folder()).finish();
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-learn, which trains and searches, is missing"));
    EXPECT_THAT(parsed(outcome.out)["error"]["message"].get<std::string>(), HasSubstr(folder().string()));

    std::filesystem::copy_file(SPARSIGHT_CLI, folder() / "sparsight-learn"); // something that can't be run
    std::filesystem::permissions(folder() / "sparsight-learn", std::filesystem::perms::owner_read);
    const Outcome refused = ChildProcess(alone, folder()).finish();
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("can't be started: Permission denied"));
}

TEST_F(Learner, IsFoundOnThePath) {
    std::filesystem::create_directory(folder() / "bin");
    std::filesystem::copy_file(SPARSIGHT_CLI, folder() / "bin/sparsight-cli");
    const std::string programs = std::filesystem::path(SPARSIGHT_CLI).parent_path().string();
    const Outcome outcome =
        ChildProcess({"/usr/bin/env", "PATH=" + programs, (folder() / "bin/sparsight-cli").string(), "models",
                      "list", "--help"},
                     folder())
            .finish();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

} // namespace sparsight::testing

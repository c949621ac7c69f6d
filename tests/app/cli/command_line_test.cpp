#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class CommandLine : public CliTest {};

TEST_F(CommandLine, TellsItsVersion) {
    const Outcome outcome = run({"--version"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, ::testing::MatchesRegex("sparsight-cli [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(CommandLine, NamesAWordThatIsNoCommandAndTheOneThatWasMeant) {
    const auto complaint = [&](const Words& words) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2);
        return outcome.err;
    };
    EXPECT_THAT(complaint({"colect"}), HasSubstr("there is no command 'colect'; did you mean 'collect'?"));
    EXPECT_THAT(complaint({"machine", "prob"}),
                HasSubstr("there is no command 'prob'; did you mean 'probe'?"));
    EXPECT_THAT(complaint({"something"}), HasSubstr("there is no command 'something'\n"));
    EXPECT_THAT(complaint({}), HasSubstr("subcommand is required"));
}

TEST_F(CommandLine, TakesNoSeedThatWouldWrapAround) {
    for (const char* seed : {"-1", "18446744073709551616", "1.5", "x"}) {
        const Outcome outcome = run({"simulate", "uniform", "--seed", seed});
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("expected a whole number from 0 to 18446744073709551615"));
    }
}

TEST_F(CommandLine, EveryCommandTakesItsOptionsFromAFileToo) {
    ASSERT_EQ(run({"new", "w.sparsight"}).exit_code, 0);
    write("options.toml",
          "workspace = \"w.sparsight\"\nmodels = [\"one\", \"other\"]\nk = 3\nagain = true\n");
    EXPECT_THAT(run({"evaluate", "--config", "options.toml"}).err,
                HasSubstr("the workspace has no model named 'one'"));
    EXPECT_THAT(run({"--config", "options.toml", "evaluate", "--models", "mine"}).err,
                HasSubstr("the workspace has no model named 'mine'"))
        << "the command line comes first";
    write("json.toml", "json = true\n");
    EXPECT_EQ(parsed(run({"matrices", "--workspace", "w.sparsight", "--config", "json.toml"}).out),
              Json::array());
    write("files.toml", "files = [\"no-such-runtimes.txt\"]\nmachine = \"there\"\n");
    EXPECT_THAT(run({"import-runtimes", "--config", "files.toml", "--workspace", "w.sparsight"}).err,
                HasSubstr("no-such-runtimes.txt"));
    write("search.toml", "model = \"nobody\"\nmatrix = [\"nowhere\"]\n");
    EXPECT_THAT(run({"--config", "search.toml", "search", "--workspace", "w.sparsight"}).err,
                HasSubstr("the workspace has no model 'nobody'"));
    EXPECT_THAT(run({"search", "--workspace", "w.sparsight", "--config", "search.toml"}).err,
                HasSubstr("the workspace has no model 'nobody'"));
    write("model.toml", "model = \"nobody\"\n");
    EXPECT_THAT(run({"models", "show", "--config", "model.toml", "--workspace", "w.sparsight"}).err,
                HasSubstr("the workspace has no model 'nobody'"));
}

TEST_F(CommandLine, AFileOfOptionsIsRefusedWithItsLine) {
    const auto complaint = [&](const std::string& text) {
        write("options.toml", "# of an evaluation\n" + text);
        const Outcome outcome = run({"evaluate", "--models", "one", "--config", "options.toml"});
        EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
        return outcome.err;
    };
    EXPECT_THAT(complaint("kk = 3\n"),
                HasSubstr("options.toml:2: there is no setting 'kk'; there are models, "));
    EXPECT_THAT(complaint("again = true\nk = 0\n"), HasSubstr("options.toml:3: "));
    EXPECT_THAT(complaint("k = \n"), HasSubstr("options.toml:2: this is not TOML"));
    EXPECT_THAT(complaint("again = 3\n"), HasSubstr("expected true or false, not 3"));
    EXPECT_THAT(complaint("k = 1979-05-27\n"), HasSubstr("options.toml:2: 'k' is no setting"));
    const Outcome missing = run({"evaluate", "--models", "one", "--config", "missing.toml", "--json"});
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_EQ(parsed(missing.out)["error"]["file"], "missing.toml");
}

TEST_F(CommandLine, HelpListsEveryCommandAndExitCode) {
    const Outcome outcome = run({"--help"});
    EXPECT_EQ(outcome.exit_code, 0);
    for (const char* word : {"new",         "import",    "simulate", "matrices",
                             "stats",       "schedules", "machine",  "collect",
                             "demo",        "results",   "export",   "--workspace",
                             "--json",      "--seed",    "--quiet",  "SPARSIGHT_WORKSPACE",
                             "  0    done", "  1    ",   "  2    ",  "  3    ",
                             "  130  "})
        EXPECT_THAT(outcome.out, HasSubstr(word));
}

TEST_F(CommandLine, HelpOfEveryCommandHasADescriptionAndAnExampleThatRunsIt) {
    const std::vector<Words> commands{{"new"},
                                      {"import"},
                                      {"import-runtimes"},
                                      {"simulate"},
                                      {"matrices"},
                                      {"stats"},
                                      {"schedules"},
                                      {"schedules", "sample"},
                                      {"schedules", "show"},
                                      {"schedules", "check"},
                                      {"machine"},
                                      {"machine", "probe"},
                                      {"machine", "list"},
                                      {"machine", "show"},
                                      {"machine", "presets"},
                                      {"machine", "add"},
                                      {"machine", "sample"},
                                      {"collect"},
                                      {"demo"},
                                      {"results"},
                                      {"export"},
                                      {"export", "matrix"},
                                      {"export", "waco"},
                                      {"export", "results"}};
    for (const Words& command : commands) {
        Words words = command;
        words.emplace_back("--help");
        const Outcome outcome = run(words);
        std::string line = "sparsight-cli";
        for (const std::string& word : command)
            line += " " + word;
        EXPECT_EQ(outcome.exit_code, 0) << line;
        EXPECT_THAT(outcome.err, IsEmpty()) << line;
        EXPECT_THAT(outcome.out, HasSubstr("Usage: " + line));
        EXPECT_THAT(outcome.out, HasSubstr("\nDescription:\n  "));
        const std::size_t examples = outcome.out.find("\nExamples:\n");
        ASSERT_NE(examples, std::string::npos) << line;
        EXPECT_THAT(outcome.out.substr(examples), HasSubstr("  " + line));
    }
}

TEST_F(CommandLine, RefusesWhatItDoesNotUnderstandWithExitCode2) {
    const std::vector<Words> wrong{
        {},
        {"fly"},
        {"new", "a", "b"},
        {"import"},
        {"import", "a.mtx", "b.mtx", "--name", "c"},
        {"import", "--waco", "folder"},
        {"import", "a.mtx", "--machine", "x"},
        {"simulate"},
        {"simulate", "no-such-family"},
        {"simulate", "banded", "--param", "size"},
        {"simulate", "banded", "--param", "size=many"},
        {"simulate", "banded", "--param", "size=-1"},
        {"simulate", "banded", "--param", "size=5", "size=6"},
        {"simulate", "banded", "--count", "0"},
        {"matrices", "extra"},
        {"matrices", "--seed", "one"},
        {"stats"},
        {"schedules"},
        {"schedules", "sample"},
        {"schedules", "sample", "--rows", "3"},
        {"schedules", "sample", "--rows", "3", "--cols", "3", "--operator", "spgemm"},
        {"schedules", "show"},
        {"machine"},
        {"collect", "--operator", "gemm"},
        {"collect", "--dense", "0"},
        {"collect", "--threads", "0"},
        {"collect", "--protocol", "fast"},
        {"collect", "--budget", "soon"},
        {"collect", "--max-bytes", "much"},
        {"collect", "--progress", "loud"},
        {"collect", "--from", "file", "--schedules", "3"},
        {"results", "--unknown"},
        {"export", "matrix", "a", "a.txt"}};
    for (const Words& words : wrong) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2) << ::testing::PrintToString(words) << outcome.err;
        EXPECT_THAT(outcome.out, IsEmpty()) << ::testing::PrintToString(words);
        EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: ")) << ::testing::PrintToString(words);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder())) << "a wrong command line does nothing";
}

TEST_F(CommandLine, NamesTheWrongValueAndWhatIsExpected) {
    EXPECT_THAT(run({"collect", "--operator", "gemm"}).err,
                HasSubstr("'gemm' is no operator: expected spmm, spmv or sddmm"));
    EXPECT_THAT(run({"simulate", "bandit"}).err,
                HasSubstr("there is no family 'bandit'; there are uniform, banded"));
    EXPECT_THAT(run({"simulate", "banded", "--param", "width=3"}).err,
                HasSubstr("banded has no parameter 'width'"));
}

TEST_F(CommandLine, GivesErrorsAsJsonWhereJsonIsAskedFor) {
    for (const Words& words : {Words{"--json", "fly"}, Words{"collect", "--dense", "0", "--json"},
                               Words{"simulate", "no-such-family", "--json"}}) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2);
        const Json json = parsed(outcome.out);
        EXPECT_EQ(keys(json), Words{"error"});
        EXPECT_EQ(keys(json["error"]), (Words{"file", "line", "message"}));
        EXPECT_THAT(outcome.err, HasSubstr(json["error"]["message"].get<std::string>()));
    }
}

TEST_F(CommandLine, TakesItsGeneralOptionsBeforeAndAfterTheCommand) {
    ASSERT_EQ(run({"new", "w.sparsight"}).exit_code, 0);
    EXPECT_EQ(parsed(run({"--workspace", "w.sparsight", "--json", "matrices"}).out), Json::array());
    EXPECT_EQ(parsed(run({"matrices", "--json", "--workspace", "w.sparsight"}).out), Json::array());
    EXPECT_EQ(parsed(run({"machine", "list", "--workspace", "w.sparsight", "--json"}).out), Json::array());
    const Words sample{"schedules", "sample", "--rows", "64", "--cols", "64"};
    const auto with = [&](Words first, const Words& last) {
        first.insert(first.end(), last.begin(), last.end());
        return run(first).out;
    };
    EXPECT_EQ(with({"--seed", "7"}, sample), with(sample, {"--seed", "7"}));
    EXPECT_NE(with({"--seed", "7"}, sample), with(sample, {"--seed", "8"}));
}

TEST_F(CommandLine, FileNamesMayBeNamesOfCommands) {
    std::filesystem::rename(write_matrix("m.mtx"), folder() / "new");
    write_matrix("matrices");
    const Json json = answer({"import", "new", "matrices"});
    EXPECT_EQ(json["failed"], Json::array());
    EXPECT_EQ(json["imported"].size(), 2);
}

TEST_F(CommandLine, QuietLeavesOnlyResultsAndErrors) {
    EXPECT_THAT(run({"new", "w.sparsight", "--quiet"}).err, IsEmpty());
    EXPECT_THAT(run({"matrices", "--quiet", "--workspace", "w.sparsight"}).err, IsEmpty());
    EXPECT_THAT(run({"new", "w.sparsight", "--quiet"}).err,
                StartsWith("sparsight-cli: error: w.sparsight: "));
}

TEST_F(CommandLine, SaysWhenItsResultsCannotBeWritten) {
    const Outcome outcome =
        ChildProcess({"/bin/sh", "-c", std::string(SPARSIGHT_CLI) + " simulate --list > /dev/full"}, folder())
            .finish();
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("can't be written to stdout"));
}

} // namespace sparsight::testing

#include "app/cli/cli_fixture.h"

#include <sstream>

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

TEST_F(CommandLine, HasOneExitCodeForInputThatCannotBeUsedWhetherThereIsOtherInputOrNot) {
    write_matrix("m.mtx");
    ASSERT_EQ(run({"new"}).exit_code, 0);
    EXPECT_EQ(run({"import", "none.mtx"}).exit_code, 1);
    EXPECT_EQ(run({"import", "none.mtx", "m.mtx"}).exit_code, 1);
    EXPECT_EQ(answer({"matrices"}).size(), 1) << "the rest was done";
    EXPECT_EQ(run({"import"}).exit_code, 2);
    EXPECT_THAT(run({"--help"}).out, HasSubstr("1    some or all of the input could not be used;"));
}

TEST_F(CommandLine, AnEmptyNameOfAMachineIsNotThisComputer) {
    write_matrix("m.mtx");
    ASSERT_EQ(run({"new"}).exit_code, 0);
    write("empty.toml", "machine = \"\"\n");
    for (const Words& words :
         {Words{"whatif", "--matrix", "m.mtx", "--machine", ""}, Words{"results", "--machine", ""},
          Words{"explain", "--matrix", "m.mtx", "--schedule", "csr", "--machine", ""},
          Words{"machine", "show", ""}, Words{"whatif", "--matrix", "m.mtx", "--config", "empty.toml"}}) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2) << words.front();
        EXPECT_THAT(outcome.err, HasSubstr("machine: expected a name, but it is empty")) << words.front();
    }
    const Outcome blank = run({"machine", "add", "--preset", "laptop", "--name", " "});
    EXPECT_EQ(blank.exit_code, 2);
    EXPECT_THAT(blank.err, HasSubstr("--name: expected a name that is more than blanks"));
}

TEST_F(CommandLine, EveryCommandTakesItsOptionsFromAFileToo) {
    ASSERT_EQ(run({"new", "w.sparsight"}).exit_code, 0);
    write("options.toml",
          "workspace = \"w.sparsight\"\nmodels = [\"one\", \"other\"]\nk = 3\nagain = true\n");
    EXPECT_THAT(run({"evaluate", "--config", "options.toml"}).err,
                HasSubstr("the workspace has no model 'one'"));
    EXPECT_THAT(run({"--config", "options.toml", "evaluate", "--models", "mine"}).err,
                HasSubstr("the workspace has no model 'mine'"))
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
                                      {"import-records"},
                                      {"import-blocks"},
                                      {"block"},
                                      {"block", "show"},
                                      {"block", "bound"},
                                      {"block", "errors"},
                                      {"block", "explain"},
                                      {"block", "predict"},
                                      {"block", "simulate"},
                                      {"block", "decode"},
                                      {"hot-loop"},
                                      {"experiment", "blocks"},
                                      {"block", "answer-simulations"},
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
                                      {"export", "results"},
                                      {"export", "records"}};
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

class Examples : public CliTest {
protected:
    /// As they stand in a command's help; what they hand to another program through a pipe is left to that.
    [[nodiscard]] Words examples_of(Words command) const {
        command.emplace_back("--help");
        std::istringstream help(run(command).out);
        Words examples;
        bool is_inside = false;
        for (std::string line; std::getline(help, line) && !(is_inside && line.empty());) {
            if (is_inside)
                examples.push_back(line.substr(0, line.find(" | ")));
            is_inside = is_inside || line == "Examples:";
        }
        return examples;
    }

    [[nodiscard]] Outcome run_in_shell(const std::string& line) const {
        const std::string programs = std::filesystem::path(SPARSIGHT_CLI).parent_path().string();
        return ChildProcess(
                   {"/bin/sh", "-c",
                    "PATH=" + programs + ":$PATH; export SPARSIGHT_WORKSPACE=experiment.sparsight; " + line},
                   folder())
            .finish();
    }
};

TEST_F(Examples, OfEveryCommandRun) {
    for (const char* name : {"matrices", "other", "collected"})
        std::filesystem::create_directory(folder() / name);
    for (const char* name : {"cage8.mtx", "web-Google.mtx", "matrices/bcsstk17.mtx"})
        write_matrix(name);
    ASSERT_EQ(
        run_in_shell("gzip cage8.mtx matrices/bcsstk17.mtx && tar -czf web-Google.tar.gz web-Google.mtx")
            .exit_code,
        0);
    write("other/cage8.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n");
    write("collected/cage8.txt", "1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32 = 1.5\n");
    write("runtimes.csv", "matrix,schedule,ms\ncage8,1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32,1.5\n");
    write("all-machines.csv",
          "machine,matrix,schedule,ms\nX,cage8,1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32,1.5\n");
    ASSERT_EQ(run_in_shell("gzip runtimes.csv").exit_code, 0);
    write("gemm4096.csv", "workload,machine,tile_x,time_ms\ngemm4096,A100,8,1.5\n");
    write("log.csv", "workload,tile_x,tile_y,time_ms,tuner\nconv,8,4,1.5,grid\n");
    write("machines.csv", "machine,cores\nA100,108\n");
    write("new-gpu.toml", "cores = 82\n");
    ASSERT_EQ(run_in_shell("xz gemm4096.csv").exit_code, 0);
    const std::filesystem::path records = std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "tests/data/records";
    std::filesystem::copy_file(records / "autotvm_old.log", folder() / "conv2d.log");
    write("gfx906_60.HIP.fdb.txt",
          "1-2-2-3x3-2-5-5-16-0x0-2x2-1x1-0-NCHW-FP32-F=A:ConvAsm1x1U,0.5,0,A,<unused>\n");
    write("convolution_A100.json", R"({"device_name": "A100", "kernel_name": "k", "tune_params_keys": ["a"],
        "cache": {"1": {"a": 1, "time": 2}}})");

    write("nell-2.tns", "1 1 1 1\n2 1 2 0.5\n");
    write("loop.s", "again:\n  addq $8, %rax\n  cmpq %rbx, %rax\n  jne again\n");
    write("kernel.c", "int spmv(int a) { return a + 1; }\n");
    ASSERT_EQ(run_in_shell("cc -c kernel.c").exit_code, 0);
    write("throughputs.csv", "instruction,throughput_cycles\n\"IMUL (R64, R64)\",1\n");
    write("ports.csv", "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n"
                       "haswell,\"IMUL (R64, R64)\",3,1.00 / 1.00,1 / 1,1*p1\n");
    write("osaca.csv", "uarch,mnemonic,operands_att_order,latency,throughput_cycles,uops,port_pressure\n"
                       "ivb,IMUL,\"gpr, gpr\",3,1,1,1*p1\n");
    write("blocks.csv", "block_id,hex,tp_hsw,tp_skl\nproduct,4801d8480fafc3,400,399\n");
    ASSERT_EQ(run_in_shell("xz --keep blocks.csv").exit_code, 0);

    const std::vector<Words> commands{{"new"},
                                      {"import"},
                                      {"import-records"},
                                      {"import-blocks"},
                                      {"block"},
                                      {"block", "show"},
                                      {"block", "bound"},
                                      {"block", "errors"},
                                      {"block", "explain"},
                                      {"block", "predict"},
                                      {"block", "simulate"},
                                      {"block", "decode"},
                                      {"hot-loop"},
                                      {"block", "answer-simulations"},
                                      {"import-runtimes"},
                                      {"matrices"},
                                      {"stats"},
                                      {"schedules"},
                                      {"schedules", "sample"},
                                      {"schedules", "show"},
                                      {"schedules", "check"},
                                      {"collect"},
                                      {"results"},
                                      {"export"},
                                      {"export", "matrix"},
                                      {"export", "waco"},
                                      {"export", "results"},
                                      {"export", "records"},
                                      {"machine", "list"},
                                      {"machine", "show"},
                                      {"machine", "presets"},
                                      {"machine", "add"},
                                      {"machine", "sample"},
                                      {"simulate"},
                                      {"whatif"},
                                      {"explain"}};
    for (const Words& command : commands) {
        const Words examples = examples_of(command);
        EXPECT_FALSE(examples.empty()) << ::testing::PrintToString(command);
        for (const std::string& example : examples) {
            const Outcome outcome = run_in_shell(example);
            EXPECT_EQ(outcome.exit_code, 0) << example << "\n" << outcome.err;
        }
    }
}

// What sparsight-learn does, through sparsight-cli.

class Learner : public CliTest {};

TEST_F(Learner, ItsCommandsAreListedAndExplained) {
    const std::string help = run({"--help"}).out;
    for (const char* command : {"train", "finetune", "models", "search", "tune-simulator"}) {
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

#include "app/cli/cli_fixture.h"

#include <sstream>

namespace sparsight::testing {

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

    const std::vector<Words> commands{{"new"},
                                      {"import"},
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

} // namespace sparsight::testing

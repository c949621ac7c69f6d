#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Export : public CliTest {
protected:
    Export() {
        write_matrix("m.mtx");
        EXPECT_EQ(run({"import", "m.mtx"}).exit_code, 0);
    }
};

TEST_F(Export, WritesAMatrixThatImportsAsTheSameOne) {
    for (const char* file : {"copy.mtx", "copy.csr"}) {
        const Json json = answer({"export", "matrix", "m", file});
        EXPECT_EQ(json, (Json{{"file", file}, {"rows", 3}, {"cols", 4}, {"nnz", 5}}));
        EXPECT_EQ(answer({"import", file, "--name", "m"})["imported"][0]["already_there"], true) << file;
    }
}

TEST_F(Export, ConvertsAFileWithoutAWorkspace) {
    std::filesystem::remove(folder() / "workspace.sparsight");
    ASSERT_EQ(run({"export", "matrix", "m.mtx", "m.csr"}).exit_code, 0);
    EXPECT_EQ(std::filesystem::file_size(folder() / "m.csr"), 4 * (3 + 4 + 5));
}

TEST_F(Export, WritesResultsAsCsv) {
    ASSERT_EQ(run({"collect", "--schedules", "2", "--dense", "8"}).exit_code, 0);
    EXPECT_EQ(answer({"export", "results", "a.csv"}), (Json{{"file", "a.csv"}, {"results", 3}}));
    ASSERT_EQ(run({"results", "--csv", "b.csv"}).exit_code, 0);
    const std::string csv = read("a.csv");
    EXPECT_EQ(csv, read("b.csv"));
    EXPECT_THAT(csv, StartsWith("matrix,machine,operator,dense,protocol,schedule,status,median_ms,spread_ms,"
                                "speedup_over_fixed_csr,bytes,reason,measured\n"));
    EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
    EXPECT_THAT(csv, HasSubstr(",spmm,8,adaptive,1 1 "));
}

TEST_F(Export, WritesWacosFolderWithOrWithoutPatterns) {
    ASSERT_EQ(run({"collect", "--schedules", "1", "--dense", "8"}).exit_code, 0);
    const std::string machine = answer({"machine", "list"})[0]["fingerprint"];
    const Words words{"export",  "waco", "with",       "--machine", machine,
                      "--dense", "8",    "--protocol", "adaptive"};
    EXPECT_THAT(run(words).err, HasSubstr("wrote 2 measurements of 1 matrix to with"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "with" / "m.csr"));
    Words without = words;
    without[2] = "without";
    without.emplace_back("--without-patterns");
    ASSERT_EQ(run(without).exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(folder() / "without" / "m.txt"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "without" / "m.csr"));
    EXPECT_THAT(run({"export", "waco", "--help"}).out, ::testing::Not(HasSubstr("{false}")));
}

TEST_F(Export, TreatsAnUnknownMachineOrProtocolAsResultsDoes) {
    ASSERT_EQ(run({"collect", "--schedules", "1", "--dense", "8"}).exit_code, 0);
    for (const Words& command : {Words{"export", "waco", "out"}, Words{"results"}}) {
        Words words = command;
        words.insert(words.end(), {"--machine", "nobody"});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_THAT(outcome.err, HasSubstr("the workspace knows no machine 'nobody'"));
    }
    const std::string machine = answer({"machine", "list"})[0]["fingerprint"];
    for (const Words& command : {Words{"export", "waco", "out", "--machine", machine}, Words{"results"},
                                 Words{"export", "results", "r.csv"}}) {
        Words words = command;
        words.insert(words.end(), {"--protocol", "fast"});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_THAT(outcome.err,
                    HasSubstr("nothing is measured by a protocol 'fast'; there are adaptive, waco"));
    }
    EXPECT_EQ(run({"results", "--protocol", "waco"}).exit_code, 0) << "a known one without measurements";
}

TEST_F(Export, SaysWhereItCouldNotWrite) {
    const Outcome outcome = run({"export", "matrix", "m", "nowhere/m.mtx"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("nowhere/m.mtx"));
}

} // namespace sparsight::testing

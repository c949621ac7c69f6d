#include "app/cli/cli_fixture.h"

#include <set>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Schedules : public CliTest {
protected:
    static constexpr const char* tiled = "1 2 8 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 2 32";
};

TEST_F(Schedules, AreSampledReproduciblyAndAreValid) {
    for (const char* op : {"spmm", "spmv", "sddmm"})
        for (const char* sampler : {"waco", "uniform"}) {
            const Words words{"schedules", "sample", "--operator", op,        "--rows",
                              "500",       "--cols", "300",        "--count", "20",
                              "--sampler", sampler,  "--threads",  "3"};
            const std::string text = run(words).out;
            EXPECT_EQ(run(words).out, text);
            EXPECT_EQ(lines(text).size(), 20);
            EXPECT_EQ(answer(words), Json(lines(text)));
            write("schedules.txt", "\n" + text);
            EXPECT_EQ(answer({"schedules", "check", "schedules.txt", "--operator", op}),
                      (Json{{"valid", 20}, {"invalid", Json::array()}}));
        }
}

TEST_F(Schedules, DefectsAreListedWithFileLineAndReason) {
    write("some.txt", std::string(tiled) + " = 1.25\n\n" + "0 2 8 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 2 32\n" +
                          tiled + " = fast\n1 2 8\n");
    const Outcome outcome = run({"schedules", "check", "some.txt", tiled, "1 2 3", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    const Json json = parsed(outcome.out);
    EXPECT_EQ(keys(json), (Words{"valid", "invalid"}));
    EXPECT_EQ(json["valid"], 2);
    ASSERT_EQ(json["invalid"].size(), 4);
    for (const Json& defect : json["invalid"])
        EXPECT_EQ(keys(defect), (Words{"file", "line", "error"}));
    EXPECT_EQ(json["invalid"][0]["file"], "some.txt");
    EXPECT_EQ(json["invalid"][0]["line"], 3);
    EXPECT_EQ(json["invalid"][1]["line"], 4);
    EXPECT_EQ(json["invalid"][2]["line"], 5);
    EXPECT_EQ(json["invalid"][3]["file"], nullptr);
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: some.txt:3: "));
}

TEST_F(Schedules, AFileThatIsNotThereIsNotTakenForASchedule) {
    const Outcome outcome = run({"schedules", "check", "absent.txt"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("absent.txt: there is no such file"));
}

TEST_F(Schedules, AreExplainedInWordsAndAsC) {
    const std::string text = run({"schedules", "show", tiled, "--rows", "100", "--cols", "50"}).out;
    EXPECT_THAT(text, HasSubstr("spmm: C(i,j) = Σk A(i,k) · B(k,j)"));
    EXPECT_THAT(text, HasSubstr("i not split, k = 2·k1 + k0, j = 8·j1 + j0"));
    EXPECT_THAT(text, HasSubstr("i1 → k1 → j1 → k0 → j0"));
    EXPECT_THAT(text, HasSubstr("i1 uncompressed, k1 compressed, k0 uncompressed"));
    EXPECT_THAT(text, HasSubstr("i1, in chunks of 32, on 2 threads"));
    EXPECT_THAT(text, HasSubstr("void spmm("));
}

TEST_F(Schedules, AreExplainedAsJson) {
    const Json json = answer({"schedules", "show", tiled, "--dense", "64"});
    EXPECT_EQ(keys(json), (Words{"schedule", "canonical", "nickname", "operator", "splits", "loops",
                                 "formats", "parallel", "threads", "chunk", "extents", "c", "storage"}));
    EXPECT_EQ(json["splits"], (Json{{"i", 1}, {"k", 2}, {"j", 8}}));
    EXPECT_EQ(json["loops"], (Json{"i1", "k1", "j1", "k0", "j0"}));
    EXPECT_EQ(json["extents"], (Json{{"i", 4096}, {"k", 4096}, {"j", 64}}));
    EXPECT_EQ(json["storage"], nullptr);
}

TEST_F(Schedules, ShowHowMuchTheyStoreOfAMatrixBesideFixedCsr) {
    write_matrix("m.mtx");
    const Json json = answer({"schedules", "show", tiled, "--matrix", "m.mtx"});
    EXPECT_EQ(json["extents"]["i"], 3);
    EXPECT_EQ(json["extents"]["k"], 4);
    const Json& storage = json["storage"];
    EXPECT_EQ(keys(storage), (Words{"levels", "bytes", "fixed_csr_bytes", "refused"}));
    // Rows 0 and 2 have entries in both pairs of columns, row 1 in the first one: five blocks of two.
    EXPECT_EQ(storage["levels"][1],
              (Json{{"loop", "k1"}, {"format", "compressed"}, {"extent", 2}, {"positions", 5}}));
    EXPECT_EQ(storage["levels"][2]["positions"], 10);
    EXPECT_EQ(storage["bytes"], 4 * (3 + 1) + 4 * 5 + 4 * 10);
    EXPECT_EQ(storage["fixed_csr_bytes"], 4 * (3 + 1) + 8 * 5);
    EXPECT_EQ(storage["refused"], nullptr);
    const std::string text = run({"schedules", "show", tiled, "--matrix", "m.mtx"}).out;
    EXPECT_THAT(text, HasSubstr("storage   76 B, 1.36 times fixed CSR's 56 B"));
}

TEST_F(Schedules, ShowTheirMachineCodeAlone) {
    const std::string line = "1 1 i1 i0 k1 k0 1 1 0 1 i1 2 32";
    EXPECT_THAT(run({"schedules", "show", "--operator", "spmv", line, "--c"}).out, HasSubstr("void spmv("));
    EXPECT_THAT(run({"schedules", "show", "--operator", "spmv", line, "--llvm"}).out,
                HasSubstr("define void"));
    EXPECT_THAT(run({"schedules", "show", "--operator", "spmv", line, "--c"}).out,
                Not(HasSubstr("operator  spmv")));
    const std::string assembly = run({"schedules", "show", "--operator", "spmv", line, "--assembly"}).out;
    EXPECT_THAT(assembly, HasSubstr("\tret"));
    EXPECT_THAT(assembly, Not(HasSubstr("operator  spmv")));
}

TEST_F(Schedules, ShowWhatEachLineCostsOnAMatrix) {
    write("tiny.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 5\n1 1\n1 3\n2 2\n3 4\n4 1\n");
    const Words words{"schedules", "show",      tiled,       "--matrix", "tiny.mtx", "--dense",   "32",
                      "--costs",   "--machine", "epyc-7543", "--cpu",    "x86-64",   "--threads", "4"};
    const std::string text = run(words).out;
    EXPECT_THAT(text, HasSubstr("in all, simulated on"));
    EXPECT_THAT(text, HasSubstr("for (int64_t "));
    const Json costs = answer(words)["costs"];
    EXPECT_EQ(keys(costs), (Words{"machine", "ms", "terms", "lines", "hot_loop", "not_analysed"}));
    double sum = 0;
    for (const Json& line : costs["lines"])
        sum += line["ms"].get<double>();
    EXPECT_NEAR(sum, costs["ms"].get<double>(), 1e-9);
    if (costs["not_analysed"].is_null()) {
        EXPECT_THAT(text, HasSubstr("hot loop on x86-64"));
        EXPECT_THAT(text, HasSubstr(costs["hot_loop"]["assembly"].get<std::string>()));
    }
}

TEST_F(Schedules, HaveNoCostsWithoutAMatrix) {
    const Outcome outcome = run({"schedules", "show", tiled, "--costs"});
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("--matrix"));
    EXPECT_NE(run({"schedules", "show", tiled, "--count"}).exit_code, 0) << "it goes with --costs";
}

TEST_F(Schedules, TellWhatTheProcessorCountsOrWhyItDoesNot) {
    write("tiny.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 1\n2 2\n");
    const Json json = answer({"schedules", "show", tiled, "--matrix", "tiny.mtx", "--dense", "32", "--costs",
                              "--count", "--threads", "1"});
    ASSERT_TRUE(json.contains("counted"));
    EXPECT_NE(json["counted"].is_null(), json["no_counters"].is_null());
}

TEST_F(Schedules, AnInvalidOneIsNotShown) {
    const Outcome outcome = run({"schedules", "show", "1 2 8 i0 i1"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: "));
}

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
                                "speedup_over_fixed_csr,bytes,reason,measured,engine,reference_ms,"
                                "scatter_ms,error_ms,drift_ms,disturbance,nickname\n"));
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
        EXPECT_THAT(outcome.err, HasSubstr("there is no machine \"nobody\"; known machines: "));
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

#include "app/cli/cli_fixture.h"
#include "store/sqlite.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <sstream>
#include <sys/stat.h>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::Not;

class Matrices : public CliTest {
protected:
    Matrices() {
        write_matrix("m.mtx");
        EXPECT_EQ(run({"import", "m.mtx"}).exit_code, 0);
    }
};

TEST_F(Matrices, AreListedWithSourceAndStatistics) {
    const Json json = answer({"matrices"});
    ASSERT_EQ(json.size(), 1);
    EXPECT_EQ(keys(json[0]), (Words{"name", "rows", "cols", "nnz", "source", "statistics"}));
    EXPECT_EQ(json[0]["name"], "m");
    EXPECT_EQ(json[0]["rows"], 3);
    EXPECT_EQ(json[0]["cols"], 4);
    EXPECT_EQ(json[0]["nnz"], 5);
    const Json& statistics = json[0]["statistics"];
    EXPECT_EQ(statistics["row_length_max"], 2);
    EXPECT_DOUBLE_EQ(statistics["density"], 5.0 / 12);
    EXPECT_EQ(statistics["empty_columns"], 0);
    EXPECT_EQ(answer({"matrices"}), json) << "and the same again, when they are kept in the workspace";
}

TEST_F(Matrices, WhoseEntriesAreUnknownHaveNoNumbers) {
    std::filesystem::create_directory(folder() / "collected");
    write("collected/ghost.txt", "1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32 = 1.5\n");
    ASSERT_EQ(run({"import", "--waco", "collected", "--machine", "x"}).exit_code, 0);
    const Json ghost = answer({"matrices"})[1];
    EXPECT_EQ(ghost["name"], "ghost");
    for (const char* key : {"rows", "cols", "nnz", "statistics"})
        EXPECT_EQ(ghost[key], nullptr) << key;
    const Outcome outcome = run({"stats", "ghost"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the workspace knows 'ghost' by its name alone"));
    EXPECT_THAT(run({"matrices"}).out, HasSubstr("\nghost      ?        ?        ?          ?  collected\n"));
}

TEST_F(Matrices, CanBeListedWhereTheWorkspaceCannotBeWritten) {
    using std::filesystem::perms;
    std::filesystem::permissions(folder() / "workspace.sparsight", perms::owner_read);
    EXPECT_EQ(answer({"matrices"})[0]["statistics"]["nnz"], 5);
}

TEST_F(Matrices, StatisticsComeWithTheirDefinitions) {
    const Json json = answer({"stats", "m"});
    EXPECT_EQ(keys(json), (Words{"name", "rows", "cols", "nnz", "source", "statistics", "definitions"}));
    EXPECT_EQ(keys(json["statistics"]), keys(json["definitions"]));
    EXPECT_EQ(answer({"stats", "--matrix", "m"}), json) << "as other commands name it";
    const std::string text = run({"stats", "m"}).out;
    for (const auto& [name, definition] : json["definitions"].items())
        EXPECT_THAT(text, HasSubstr(definition.get<std::string>()));
}

TEST_F(Matrices, StatisticsOfAFileAreThoseOfTheMatrixInTheWorkspace) {
    EXPECT_EQ(answer({"stats", "m.mtx"})["statistics"], answer({"stats", "m"})["statistics"]);
}

TEST_F(Matrices, AnUnknownNameIsAnErrorThatNamesTheKnownOnes) {
    const Outcome outcome = run({"stats", "n"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err,
                HasSubstr("the workspace has no matrix 'n'; it has m; nor is there a file of this name"));
    EXPECT_EQ(run({"results", "--matrix", "n"}).exit_code, 1);
}

class Import : public CliTest {};

TEST_F(Import, ListsWhatWasImportedAndWhatFailedWithFileAndLine) {
    write("doubled.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1.5\n1 1 2\n2 2 0\n");
    write("broken.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 7\n");
    write("short.csr", "abc");
    const Outcome outcome = run({"import", "doubled.mtx", "broken.mtx", "short.csr", "absent.mtx", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);

    const Json json = parsed(outcome.out);
    EXPECT_EQ(keys(json), (Words{"imported", "failed"}));
    EXPECT_EQ(json["imported"], (Json::array({{{"name", "doubled"},
                                               {"rows", 2},
                                               {"cols", 2},
                                               {"nnz", 2},
                                               {"source", (folder() / "doubled.mtx").string()},
                                               {"duplicates_merged", 1},
                                               {"explicit_zeros", 1},
                                               {"already_there", false}}})));
    ASSERT_EQ(json["failed"].size(), 3);
    for (const Json& failure : json["failed"]) {
        EXPECT_EQ(keys(failure), (Words{"file", "line", "error"}));
        EXPECT_THAT(outcome.err, HasSubstr(failure["error"].get<std::string>()));
    }
    EXPECT_EQ(json["failed"][0]["file"], "broken.mtx");
    EXPECT_EQ(json["failed"][0]["line"], 3);
    EXPECT_EQ(json["failed"][1]["file"], "short.csr");
    EXPECT_EQ(json["failed"][1]["line"], nullptr);
    EXPECT_EQ(json["failed"][2]["file"], "absent.mtx");
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: broken.mtx:3: "));
    EXPECT_EQ(answer({"matrices"}).size(), 1) << "what failed leaves nothing behind";
}

TEST_F(Import, LeavesAMatrixThatIsThereAlreadyAsItIs) {
    write_matrix("m.mtx");
    EXPECT_EQ(answer({"import", "m.mtx"})["imported"][0]["already_there"], false);
    EXPECT_EQ(answer({"import", "m.mtx"})["imported"][0]["already_there"], true);
    EXPECT_EQ(answer({"matrices"}).size(), 1);
}

TEST_F(Import, RefusesAnotherMatrixOfTheSameNameUntilItIsGivenOne) {
    write_matrix("m.mtx");
    ASSERT_EQ(run({"import", "m.mtx"}).exit_code, 0);
    write("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n");
    const Outcome outcome = run({"import", "m.mtx"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("m.mtx: another matrix is called m already"));
    EXPECT_THAT(outcome.err, HasSubstr("another name with --name"));
    EXPECT_EQ(answer({"import", "m.mtx", "--name", "other"})["imported"][0]["name"], "other");
}

TEST_F(Import, PrintsATableForPeople) {
    write_matrix("m.mtx");
    const Outcome outcome = run({"import", "m.mtx"});
    EXPECT_EQ(outcome.out, "matrix  rows  columns  entries  remarks\n"
                           "m          3        4        5\n");
    EXPECT_THAT(outcome.err, HasSubstr("1 imported, 0 of them there before; 0 failed"));
}

TEST_F(Import, NamesThatAreNotUtf8DoNotBreakJson) {
    write_matrix("bad\xff\x1b[2J.mtx");
    const Outcome outcome = run({"import", "bad\xff\x1b[2J.mtx", "absent\xff\x1b[2J.mtx", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(parsed(outcome.out)["imported"].size(), 1);
    EXPECT_THAT(outcome.err, HasSubstr("absent??[2J.mtx"));
}

TEST_F(Import, TakesEveryKindOfFile) {
    SPARSIGHT_NEEDS_SHARED("matrices");
    Words words{"import"};
    for (const auto& entry : std::filesystem::directory_iterator(shared_path("matrices")))
        if (entry.path().string().ends_with(".mtx.gz") && entry.file_size() < 20'000)
            words.push_back(std::filesystem::absolute(entry.path()).string());
    words.push_back(std::filesystem::absolute(shared_path("waco/original/c-46.csr")).string());
    const Json json = answer(words);
    EXPECT_GT(words.size(), 10);
    EXPECT_EQ(json["imported"].size(), words.size() - 1);
    EXPECT_EQ(json["failed"], Json::array());
}

TEST_F(Import, TakesAndGivesBackWacosFolderForm) {
    SPARSIGHT_NEEDS_SHARED("waco/original/SpMM");
    const auto original = std::filesystem::absolute(shared_path("waco/original")).lexically_normal();
    const Words words{"import",     "--waco",          (original / "SpMM").string(),
                      "--patterns", original.string(), "--machine",
                      "Xeon",       "--operator",      "spmm",
                      "--json"};
    const Outcome outcome = run(words);
    const Json json = parsed(outcome.out);
    EXPECT_EQ(keys(json),
              (Words{"matrices", "patterns", "measurements", "failed_runs", "outliers", "failed"}));
    EXPECT_GT(json["measurements"], 0);
    EXPECT_EQ(outcome.exit_code, json["failed"].empty() ? 0 : 1);

    EXPECT_EQ(run({"export", "waco", "back", "--machine", "Xeon", "--operator", "spmm"}).exit_code, 0);
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder() / "back")) {
        const auto before = original / "SpMM" / entry.path().filename();
        if (entry.path().extension() != ".txt" || !std::filesystem::exists(before))
            continue;
        ++compared;
        std::ifstream stream(before);
        EXPECT_EQ(read("back/" + entry.path().filename().string()),
                  std::string(std::istreambuf_iterator<char>(stream), {}))
            << before;
    }
    EXPECT_GT(compared, 0);
}

TEST_F(Import, RefusesAPipeAtOnceInsteadOfWaitingForItsWriter) {
    ASSERT_EQ(::mkfifo((folder() / "pipe.mtx").c_str(), 0600), 0);
    for (const Words& words : {Words{"import", "pipe.mtx"}, Words{"stats", "pipe.mtx"}}) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_THAT(outcome.err, ::testing::HasSubstr("pipe.mtx: is a pipe, not a file"));
    }
}

class ImportRuntimes : public CliTest {
protected:
    static constexpr const char* table = "matrix,rows,cols,nnz,schedule,ms\n"
                                         "m,3,4,5,8 4 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16,75.75\n"
                                         "m,3,4,5,8 4 4 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16,inf\n"
                                         "n,5,5,9,8 4 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16,2500\n";
};

TEST_F(ImportRuntimes, AddsThemWithTheEntriesOfTheirMatrices) {
    write("runtimes.csv", table);
    std::filesystem::create_directory(folder() / "matrices");
    write_matrix("matrices/m.mtx");
    const Words words{"import-runtimes", "runtimes.csv", "--machine", "Xeon", "--matrices", "matrices"};
    const Json first = answer(words);
    EXPECT_EQ(keys(first), (Words{"matrices", "patterns", "measurements", "already_there", "replaced",
                                  "failed_runs", "outliers", "failed"}));
    EXPECT_EQ(first["matrices"], 2);
    EXPECT_EQ(first["patterns"], 1);
    EXPECT_EQ(first["measurements"], 3);
    EXPECT_EQ(first["already_there"], 0);
    EXPECT_EQ(first["failed_runs"], 1);
    EXPECT_EQ(first["outliers"], 1);
    EXPECT_EQ(first["failed"], Json::array());
    const Json results = answer({"results", "--machine", "Xeon"});
    EXPECT_EQ(results.size(), 3) << results;

    const Json again = answer(words);
    EXPECT_EQ(again["already_there"], 3);
    EXPECT_EQ(again["patterns"], 0);
    EXPECT_EQ(answer({"results", "--machine", "Xeon"}), results);
}

TEST_F(ImportRuntimes, ListsWhatCouldNotBeTakenAndTakesTheRest) {
    write("runtimes.csv", std::string(table) + "m,3,4,5,nonsense,1\n");
    write("other.csv", "a,b\n1,2\n");
    const Outcome outcome =
        run({"import-runtimes", "other.csv", "runtimes.csv", "absent.csv", "--machine", "Xeon", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["measurements"], 3);
    ASSERT_EQ(json["failed"].size(), 3);
    EXPECT_EQ(json["failed"][0]["file"], "other.csv");
    EXPECT_EQ(json["failed"][0]["line"], 1);
    EXPECT_EQ(json["failed"][1]["file"], "runtimes.csv");
    EXPECT_EQ(json["failed"][1]["line"], 5);
    EXPECT_EQ(json["failed"][2]["file"], "absent.csv");
    EXPECT_THAT(outcome.err, HasSubstr("runtimes.csv:5: only 1 word where"));
}

TEST_F(ImportRuntimes, OfATableThatDoesNotSayNeedTheirMachine) {
    write("runtimes.csv", table);
    const Outcome outcome = run({"import-runtimes", "runtimes.csv"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("runtimes.csv:1: this table does not say whose runtimes it holds"));
    EXPECT_EQ(run({"import-runtimes"}).exit_code, 2);
}

TEST_F(ImportRuntimes, TellsWhoFollowsItWhatHappens) {
    write("runtimes.csv", std::string(table) + "m,3,4,5,nonsense,1\n");
    const Outcome outcome =
        run({"import-runtimes", "runtimes.csv", "--machine", "Xeon", "--progress", "json"});
    EXPECT_EQ(outcome.exit_code, 1);
    std::vector<Json> events;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);)
        events.push_back(parsed(line));
    ASSERT_GE(events.size(), 3U);
    EXPECT_EQ(events.front()["event"], "start");
    EXPECT_EQ(events.front()["job"], "import-runtimes");
    EXPECT_EQ(events[events.size() - 2]["event"], "failed");
    EXPECT_EQ(events.back()["event"], "end");
    EXPECT_EQ(events.back()["measurements"], 3);
    EXPECT_EQ(events.back()["complete"], true);
}

TEST_F(ImportRuntimes, TakesWacosFoldersToo) {
    std::filesystem::create_directory(folder() / "collected");
    write("collected/m.txt", "1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32 = 1.5\n");
    const Json json = answer({"import-runtimes", "collected", "--machine", "Xeon"});
    EXPECT_EQ(json["matrices"], 1);
    EXPECT_EQ(json["measurements"], 1);
}

TEST_F(ImportRuntimes, PrintsASummaryForPeople) {
    write("runtimes.csv", table);
    EXPECT_EQ(run({"import-runtimes", "runtimes.csv", "--machine", "Xeon"}).out,
              "3 measurements of 2 matrices: 0 there before, 0 replaced, 1 of failed runs, 1 outlier\n"
              "entries added to 0 matrices; 0 problems\n");
}

class ImportRecords : public CliTest {};

TEST_F(ImportRecords, ReadsFilesOfOtherTunersAndWritesThemForOthers) {
    write("k.json", R"({"device_name": "A", "kernel_name": "k", "tune_params_keys": ["tile"], "cache": {
"1": {"tile": 1, "time": 2.5},
"2": {"tile": 2, "time": "InvalidConfig"},
"4": {"time": 1}}})");
    const Outcome imported = run({"import-records", "k.json", "--json"});
    EXPECT_EQ(imported.exit_code, 1);
    EXPECT_EQ(parsed(imported.out)["measurements"], 2);
    EXPECT_EQ(parsed(imported.out)["failed_runs"], 1);
    EXPECT_EQ(parsed(imported.out)["failed"][0]["line"], 4);
    const Outcome exported = run({"export", "records", "k.csv", "--json"});
    EXPECT_EQ(exported.exit_code, 0) << exported.err;
    EXPECT_EQ(keys(parsed(exported.out)),
              (Words{"file", "measurements", "workloads", "machines", "failed_runs", "damaged"}));
    EXPECT_EQ(file_content(folder() / "k.csv"), "workload,machine,space,tile,time_ms,std_ms,n_rep,status\n"
                                                "k,A,k,1,2.5,,,ok\nk,A,k,2,,,,InvalidConfig\n");
    EXPECT_EQ(run({"export", "records", "k.txt"}).exit_code, 2);
    const Outcome none = run({"export", "records", "k.json", "--machine", "B"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_THAT(none.err, HasSubstr("the workspace has no such tuning record on B"));
}

TEST_F(ImportRecords, BringsTimesOfAnyKernelInAndResultsShowThemInTheirOwnWords) {
    write("conv.csv",
          "workload,machine,run,tile,unroll,time_ms,std_ms,n_rep\n"
          "conv,A,old,8,0,2,0.1,5\nconv,A,old,16,1,1.5,,\nconv,A,new,8,0,3,0.1,5\nconv,A,new,x\n");
    const Outcome outcome = run({"import-records", "conv.csv", "--json"});
    EXPECT_EQ(outcome.exit_code, 1) << "one line has too few fields";
    const Json json = parsed(outcome.out);
    EXPECT_EQ(keys(json),
              (Words{"workloads", "machines", "configurations", "settings", "measurements", "already_there",
                     "replaced", "failed_runs", "repeated", "without_facts", "problems", "failed"}));
    EXPECT_EQ(json["measurements"], 3);
    EXPECT_EQ(json["failed"][0]["line"], 5);

    const Json results = answer({"results", "--domain", "records"});
    ASSERT_EQ(results.size(), 3);
    EXPECT_EQ(keys(results[0]), (Words{"workload", "machine", "space", "condition", "configuration", "status",
                                       "median_ms", "spread_ms", "bytes", "engine", "reference_ms",
                                       "scatter_ms", "error_ms", "drift_ms", "disturbance"}))
        << "there is no baseline, so no speedup";
    EXPECT_EQ(results[0]["condition"], "run=new");
    EXPECT_EQ(results[1]["configuration"], "tile=16 unroll=1");
    EXPECT_TRUE(results[1]["spread_ms"].is_null()) << "the table does not say";
    EXPECT_EQ(answer({"results", "--domain", "records", "--best"}).size(), 2) << "one of each run";
    EXPECT_EQ(answer({"results", "--domain", "records", "--space", "other"}), Json::array());
    EXPECT_EQ(answer({"results"}), results) << "the workspace opens with what it got first";
    EXPECT_EQ(answer({"results", "--domain", "sparse"}), Json::array()) << "of matrices there are none";
    EXPECT_THAT(run({"results", "--domain", "records"}).out, HasSubstr("condition"));
    ASSERT_EQ(run({"export", "results", "all.csv", "--domain", "records"}).exit_code, 0);
    EXPECT_THAT(read("all.csv"),
                HasSubstr("workload,machine,space,protocol,condition,configuration,status,median_ms,"));
    EXPECT_THAT(run({"results", "--domain", "bread"}).err, HasSubstr("expected one of: sparse, records"));
    EXPECT_EQ(run({"results", "--operator", "mul"}).exit_code, 2);
}

TEST_F(ImportRecords, TheCommandOfAllDomainsReadsThemToo) {
    write("conv.csv", "workload,machine,run,tile,time_ms\nconv,A,old,8,2\nconv,A,old,16,1\nconv,A,new,8,3\n");
    const Json first = answer({"import", "conv.csv", "--domain", "records", "--space", "tiles"});
    EXPECT_EQ(first["measurements"], 3);
    EXPECT_EQ(answer({"results"})[0]["space"], "tiles");
    EXPECT_EQ(answer({"import", "conv.csv", "--space", "tiles"})["already_there"], 3)
        << "the workspace has their domain now";
    const Outcome refused = run({"import", "conv.csv", "--name", "c"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("the domain records has no option --name"));
}

TEST_F(ImportRecords, WhatIfShowsEveryChangeOfOneDecisionWithItsTime) {
    write("conv.csv", "workload,machine,tile,unroll,time_ms\nconv,A,8,0,4\nconv,A,16,0,2\nconv,A,8,1,3\n");
    ASSERT_EQ(run({"import-records", "conv.csv"}).exit_code, 0);
    const Words asked{"whatif", "--workload", "conv", "--machine", "A", "--configuration", "tile=8 unroll=0"};
    const Json json = answer(asked);
    EXPECT_EQ(keys(json), (Words{"workload", "machine", "space", "protocol", "condition", "configuration",
                                 "status", "median_ms", "spread_ms", "sentence", "notes", "changes"}));
    EXPECT_EQ(json["configuration"], "tile=8 unroll=0");
    EXPECT_EQ(json["median_ms"], 4);
    ASSERT_EQ(json["changes"].size(), 2);
    EXPECT_EQ(keys(json["changes"][0]), (Words{"decision", "before", "after", "configuration", "status",
                                               "median_ms", "spread_ms", "ratio", "in_noise"}));
    EXPECT_EQ(json["changes"][0]["after"], "16") << "the fastest change comes first";
    EXPECT_EQ(json["changes"][0]["ratio"], 0.5);
    EXPECT_EQ(json["changes"][1]["ratio"], 0.75);
    EXPECT_THAT(run(asked).out, HasSubstr("Changing tile from 8 to 16 makes conv 2 times as fast on A."));
    EXPECT_EQ(answer({"whatif", "--workload", "conv"})["configuration"], "tile=16 unroll=0") << "the fastest";
    EXPECT_THAT(run({"whatif", "--workload", "none"}).err, HasSubstr("the workspace has no workload 'none'"));
    EXPECT_EQ(run({"whatif", "--workload", "conv", "--set", "cores=2"}).exit_code, 2)
        << "nothing is simulated here";
}

TEST_F(ImportRecords, WhatIfOfAConfigurationLooksInTheSpaceThatHasIt) {
    write("wide.csv", "workload,machine,tile,time_ms\nconv,A,8,4\nconv,A,16,2\nconv,A,32,3\n");
    write("narrow.csv", "workload,machine,unroll,time_ms\nconv,A,0,2\nconv,A,1,1\n");
    ASSERT_EQ(run({"import-records", "wide.csv", "narrow.csv"}).exit_code, 0);
    EXPECT_EQ(answer({"whatif", "--workload", "conv"})["space"], "wide") << "with the most times";
    const Words asked{"whatif", "--workload", "conv", "--configuration", "unroll=0"};
    EXPECT_EQ(answer(asked)["space"], "narrow");
    EXPECT_EQ(answer(asked)["changes"][0]["decision"], "unroll");
    EXPECT_THAT(run({"whatif", "--workload", "conv", "--configuration", "pad=0"}).err, HasSubstr("pad"));
}

TEST_F(ImportRecords, WhatIfOfASettingLooksInThatOne) {
    write("wide.csv", "workload,machine,tile,time_ms\nconv,A,8,4\nconv,A,16,2\nconv,A,32,3\n");
    write("narrow.csv", "workload,machine,unroll,time_ms\nconv,A,0,2\nconv,A,1,1\n");
    ASSERT_EQ(run({"import-records", "wide.csv", "narrow.csv"}).exit_code, 0);
    EXPECT_EQ(answer({"whatif", "--workload", "conv", "--space", "narrow"})["space"], "narrow");
    EXPECT_EQ(answer({"whatif", "--workload", "conv", "--setting", "narrow"})["space"], "narrow");
    EXPECT_THAT(
        run({"whatif", "--workload", "conv", "--space", "foo"}).err,
        HasSubstr("conv has no times of configurations of foo; it has times of configurations of narrow"));
}

TEST_F(ImportRecords, WhatIfAsksForTheMachineWhereSeveralHaveTimes) {
    write("conv.csv", "workload,machine,tile,time_ms\nconv,A,8,4\nconv,A,16,2\nconv,B,8,3\nconv,B,16,1\n");
    ASSERT_EQ(run({"import-records", "conv.csv"}).exit_code, 0);
    EXPECT_THAT(run({"whatif", "--workload", "conv"}).err, HasSubstr("(--machine): A, B"));
    EXPECT_EQ(answer({"whatif", "--workload", "conv", "--machine", "B"})["machine"], "B");
}

TEST_F(ImportRecords, ASheetIsShownOfAMachineThatNothingElseIsKnownOf) {
    write("conv.csv", "workload,machine,tile,time_ms\nconv,A,8,4\nconv,A,16,2\n");
    write("machines.csv", "machine,cores\nA,82\n");
    ASSERT_EQ(run({"import-records", "conv.csv", "--machines", "machines.csv"}).exit_code, 0);
    EXPECT_EQ(answer({"machine", "show", "A"})["facts"]["cores"], 82);
    const Json unknown = answer({"machine", "show", "A"})["unknown"];
    EXPECT_THAT(unknown, ::testing::Contains("warp_size"));
    EXPECT_THAT(run({"machine", "show", "A"}).out, ::testing::ContainsRegex("cores +82 "));
    EXPECT_THAT(run({"machine", "show", "A"}).out, ::testing::ContainsRegex("warp_size +\\? "));
    EXPECT_THAT(run({"machine", "validate", "A"}).err, HasSubstr("A has no runtimes of matrices"));
}

TEST_F(ImportRecords, AMachineIsAddedByItsDataSheetAndRecordsJoinIt) {
    write("gpu.toml", "cores = 82\nmax_shared_memory_per_block = \"99KiB\"\nl3_kb = unknown\n");
    const Json added = answer({"machine", "add", "A", "--data-sheet", "gpu.toml"});
    EXPECT_EQ(added["name"], "A");
    EXPECT_EQ(added["facts"], (Json{{"max_shared_memory_per_block", 101376}, {"cores", 82}}));
    EXPECT_THAT(added["unknown"], ::testing::Contains("l3_kb"));
    write("conv.csv", "workload,machine,tile,time_ms\nconv,A,8,4\nconv,A,16,2\nconv,B,8,3\nconv,B,16,9\n");
    ASSERT_EQ(run({"import-records", "conv.csv"}).exit_code, 0);
    EXPECT_EQ(answer({"machine", "list"}).size(), 2);
    EXPECT_EQ(answer({"machine", "show", "A"})["facts"], added["facts"]);
    const Json described = answer({"machine", "add", "B", "--data-sheet", "mi50"});
    EXPECT_EQ(described["describes_recorded"], true);
    EXPECT_EQ(described["facts"]["vendor"], "AMD");
    EXPECT_THAT(run({"machine", "presets", "--data-sheets"}).out, HasSubstr("MI50"));

    write("wrong.toml", "cores = 82\nboost_clock_mhz = 1.7 GHz\n");
    const auto wrong = run({"machine", "add", "C", "--data-sheet", "wrong.toml"});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_THAT(wrong.err, HasSubstr("wrong.toml:2: boost_clock_mhz: found \"1.7 GHz\", expected a number of "
                                     "MHz above 0, or unknown"));
    EXPECT_EQ(run({"machine", "add", "C", "--name", "D", "--data-sheet", "gpu.toml"}).exit_code, 2);
    EXPECT_EQ(run({"machine", "add", "--preset", "laptop", "--data-sheet", "gpu.toml"}).exit_code, 2);
    EXPECT_THAT(run({"machine", "add", "--data-sheet", "gpu.toml"}).err, HasSubstr("has no name"));

    const Json compared = answer({"machine", "compare", "--csv", "pairs.csv"});
    EXPECT_EQ(compared["workload"], "conv");
    EXPECT_EQ(compared["pairs"].size(), 4);
    EXPECT_EQ(compared["pairs"][1]["slowdown"], 2);
    EXPECT_THAT(read("pairs.csv"), HasSubstr("conv,B,A,3,false,-1,0,2,2,tile=16"));
    EXPECT_THAT(run({"machine", "compare", "--figure", "tau"}).out, HasSubstr("Kendall tau"));
    EXPECT_EQ(run({"machine", "compare", "--figure", "rho"}).exit_code, 2);
}

TEST_F(ImportRecords, WhatIfNamesTheDecisionThatIsWrongAndItsValues) {
    write("conv.csv", "workload,machine,tile,unroll,time_ms\nconv,A,8,0,4\nconv,A,16,0,2\nconv,A,8,1,3\n");
    ASSERT_EQ(run({"import-records", "conv.csv"}).exit_code, 0);
    const auto complaint = [&](const std::string& configuration) {
        return run({"whatif", "--workload", "conv", "--configuration", configuration}).err;
    };
    EXPECT_THAT(complaint("tile=9 unroll=0"), HasSubstr("tile has no value \"9\"; possible values: 8, 16"));
    EXPECT_THAT(complaint("tlie=8 unroll=0"),
                HasSubstr("there is no decision \"tlie\"; known decisions: tile, unroll"));
}

TEST_F(ImportRecords, EveryCommandRefusesOptionsOfOtherDomainsInTheSameWords) {
    write("conv.csv", "workload,machine,tile,time_ms\nconv,A,8,4\nconv,A,16,2\n");
    ASSERT_EQ(run({"import-records", "conv.csv"}).exit_code, 0);
    for (const Words& words :
         {Words{"results", "--dense", "8"}, Words{"whatif", "--workload", "conv", "--dense", "8"},
          Words{"whatif", "--workload", "conv", "--domain", "sparse", "--space", "conv"},
          Words{"train", "--name", "m", "--space", "conv", "--dense", "8"},
          Words{"failures", "--simulated-on", "laptop"},
          Words{"import", "--waco", ".", "--domain", "records"},
          Words{"import", "--waco", ".", "--machines", "machines.csv"}})
        EXPECT_THAT(run(words).err,
                    ::testing::ContainsRegex("error: the domain [a-z]+ has no option --[a-z-]+"))
            << words.front() << " " << words.back();
}

TEST_F(ImportRecords, WhatIsWrongIsToldBeforeTheSpaceThatIsMissing) {
    write("two.csv", "workload,machine,tile,time_ms\nconv,A,8,4\nconv,A,16,2\n");
    write("one.csv", "workload,machine,unroll,time_ms\nconv,A,0,4\nconv,A,1,2\n");
    ASSERT_EQ(run({"import-records", "one.csv", "two.csv"}).exit_code, 0);
    const Outcome missing = run({"train", "--name", "m"});
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_THAT(missing.err, HasSubstr("--space is required: the workspace has measurements of "));
    EXPECT_THAT(run({"train", "--name", "m", "--architecture", "dream"}).err,
                HasSubstr("architecture is \"dream\""));
    EXPECT_THAT(run({"collect"}).err, Not(HasSubstr("--space is required"))) << "nothing can be measured";
}

TEST_F(ImportRecords, WhatIsDamagedIsToldWhereItIsLeftOut) {
    write("conv.csv", "workload,machine,tile,unroll,time_ms\nconv,A,8,0,4\nconv,A,16,0,2\nconv,A,8,1,3\n");
    ASSERT_EQ(run({"import-records", "conv.csv"}).exit_code, 0);
    EXPECT_THAT(run({"results", "--best"}).err, Not(HasSubstr("damaged")));
    {
        auto workspace = Workspace::open(folder() / "workspace.sparsight");
        ASSERT_TRUE(workspace);
        ASSERT_TRUE(workspace->database().run("UPDATE measurements SET median_ms = 1 WHERE id = 3"));
    }
    constexpr const char* told = "1 measurement in the workspace file is damaged and has no time";
    EXPECT_THAT(run({"results", "--best"}).err, HasSubstr(told));
    EXPECT_THAT(run({"results", "--json"}).err, HasSubstr(told));
    EXPECT_THAT(run({"export", "results", "all.csv"}).err, HasSubstr(told));
    EXPECT_THAT(run({"whatif", "--workload", "conv"}).err, HasSubstr(told));
    EXPECT_EQ(answer({"whatif", "--workload", "conv"})["notes"], Json({told}));
}

TEST_F(ImportRecords, ModelsOfRecordsAreShownAndSearchedInTheirWords) {
    std::string table = "workload,machine,tile,unroll,time_ms\n";
    for (const char* machine : {"A", "B"})
        for (int tile = 1; tile <= 12; ++tile)
            for (int unroll = 0; unroll < 4; ++unroll)
                table += "conv," + std::string(machine) + "," + std::to_string(tile) + "," +
                         std::to_string(unroll) + "," + std::to_string(tile + 0.25 * unroll) + "\n";
    write("conv.csv", table);
    ASSERT_EQ(run({"import-records", "conv.csv"}).exit_code, 0);
    const Outcome trained =
        run({"train", "--name", "base", "--machines", "A", "--epochs", "2", "--threads", "1"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_THAT(trained.err, HasSubstr("regret is among all held-out configurations of each workload ("));
    const Outcome tuned = run({"finetune", "--name", "tuned", "--model", "base", "--machine", "B", "--rows",
                               "10", "--epochs", "1", "--threads", "1"});
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;

    const Json settings = answer({"models", "show", "tuned"})["settings"];
    EXPECT_EQ(settings["rows"], "10");
    EXPECT_EQ(settings["configurations_per_workload"], "32");
    for (const char* other : {"matrices", "workloads", "schedules_per_matrix"})
        EXPECT_FALSE(settings.contains(other)) << other;
    EXPECT_THAT(run({"models", "show", "tuned"}).out, Not(HasSubstr("simulator")));

    const Words asked{"search", "--model", "tuned", "--workload", "conv", "--machine", "B", "--k", "3"};
    const Json found = answer(asked);
    for (const Json& candidate : found["workloads"][0]["candidates"])
        EXPECT_TRUE(candidate["recorded_ms"].is_number()) << candidate;
    EXPECT_THAT(run(asked).out, HasSubstr("recorded ms"));
    Words of_matrices = asked;
    of_matrices.insert(of_matrices.end(), {"--dense", "8"});
    EXPECT_THAT(run(of_matrices).err, HasSubstr("the domain records has no option --dense"));
}

TEST_F(ImportRecords, MachinesAreListedWithTheFactsOfTheirSheet) {
    write("conv.csv", "workload,machine,tile,time_ms\nconv,A,8,4\nconv,B,16,2\n");
    write("machines.csv", "machine,arch,cores\nA,Turing,72\n");
    ASSERT_EQ(run({"import-records", "conv.csv", "--machines", "machines.csv"}).exit_code, 0);
    const Json machines = answer({"machine", "list"});
    ASSERT_EQ(machines.size(), 2);
    EXPECT_EQ(machines[0]["facts"], (Json{{"arch", "Turing"}, {"cores", 72}}));
    EXPECT_FALSE(machines[1].contains("facts"));
    EXPECT_THAT(run({"machine", "list"}).out, HasSubstr("arch Turing, cores 72"));
}

class Simulate : public CliTest {};

TEST_F(Simulate, ListsEveryFamilyWithItsParametersRangesAndSource) {
    const Json families = answer({"simulate", "--list"});
    EXPECT_GT(families.size(), 15);
    for (const Json& family : families) {
        EXPECT_EQ(keys(family), (Words{"name", "title", "description", "source", "parameters"}));
        EXPECT_FALSE(family["source"].get<std::string>().empty()) << family["name"];
        for (const Json& parameter : family["parameters"])
            EXPECT_EQ(keys(parameter), (Words{"name", "description", "unit", "default", "minimum", "maximum",
                                              "integer", "choices"}));
    }
    EXPECT_EQ(families.back()["name"], "simulated-matrices");
    const std::string text = run({"simulate", "--list"}).out;
    for (const Json& family : families)
        EXPECT_THAT(text, HasSubstr(family["name"].get<std::string>() + ": "));
}

TEST_F(Simulate, AddsAMatrixThatSaysHowItWasMade) {
    const Json json = answer(
        {"simulate", "banded", "--param", "size=50", "lower=2", "upper=1", "--name", "band", "--seed", "3"});
    EXPECT_EQ(keys(json), (Words{"simulated", "failed"}));
    ASSERT_EQ(json["simulated"].size(), 1);
    const Json& matrix = json["simulated"][0];
    EXPECT_EQ(keys(matrix), (Words{"name", "rows", "cols", "nnz", "source", "already_there"}));
    EXPECT_EQ(matrix["name"], "band");
    EXPECT_EQ(matrix["rows"], 50);
    EXPECT_EQ(matrix["source"], "generated: banded lower=2 size=50 upper=1 seed=3");
    EXPECT_EQ(answer({"matrices"})[0]["source"], matrix["source"]);
}

TEST_F(Simulate, GivesEachOfSeveralMatricesASeedOfItsOwn) {
    const Json three =
        answer({"simulate", "uniform", "--param", "rows=40", "cols=40", "--count", "3", "--seed", "5"});
    ASSERT_EQ(three["simulated"].size(), 3);
    EXPECT_EQ(three["simulated"][0]["name"], "uniform-5");
    EXPECT_EQ(three["simulated"][2]["name"], "uniform-7");
    const Json last = answer({"simulate", "uniform", "--param", "rows=40", "cols=40", "--seed", "7"});
    EXPECT_EQ(last["simulated"][0]["already_there"], true) << "the same matrix as the third of the three";
}

TEST_F(Simulate, ANameThatIsTakenByAnotherMatrixFailsAndIsListed) {
    ASSERT_EQ(run({"simulate", "arrow", "--param", "size=20"}).exit_code, 0);
    const Outcome outcome = run({"simulate", "arrow", "--param", "size=30", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(parsed(outcome.out)["simulated"], Json::array());
    EXPECT_EQ(parsed(outcome.out)["failed"].size(), 1);
    EXPECT_THAT(outcome.err, HasSubstr("another matrix is called arrow-1 already"));
}

TEST_F(Simulate, MakesTheReportsCollection) {
    const Words words{"simulate", "simulated-matrices", "--count",        "4",
                      "--param",  "maximum-rows=60",    "maximum-cols=70"};
    const Json json = answer(words);
    ASSERT_EQ(json["simulated"].size(), 4);
    for (const Json& matrix : json["simulated"]) {
        EXPECT_LE(matrix["rows"], 60);
        EXPECT_LE(matrix["cols"], 70);
    }
    EXPECT_EQ(json["simulated"][3]["name"], "matrix3");
    Words more = words;
    more[3] = "6";
    const Json again = answer(more)["simulated"];
    EXPECT_EQ(again[3]["already_there"], true) << "more of them changes none";
    EXPECT_EQ(again[4]["already_there"], false);
}

TEST_F(Simulate, ACombinationThatAFamilyRefusesIsAFailureOfThatMatrix) {
    const Outcome outcome =
        run({"simulate", "uniform", "--param", "rows=100000000", "cols=2000000000", "density=1", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(parsed(outcome.out)["failed"].size(), 1);
    EXPECT_THAT(outcome.err, HasSubstr("the limit is"));
}

} // namespace sparsight::testing

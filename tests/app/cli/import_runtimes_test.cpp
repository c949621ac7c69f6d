#include "app/cli/cli_fixture.h"

#include <sstream>

namespace sparsight::testing {

using ::testing::HasSubstr;

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
    EXPECT_THAT(outcome.err, HasSubstr("runtimes.csv:5: only 1 words"));
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

} // namespace sparsight::testing

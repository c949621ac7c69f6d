#include "app/cli/cli_fixture.h"

#include "support/shared_data.h"
#include <sys/stat.h>

namespace sparsight::testing {

using ::testing::HasSubstr;

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
    EXPECT_EQ(outcome.out, "matrix  rows  columns  non-zeros  remarks\n"
                           "m          3        4          5\n");
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

} // namespace sparsight::testing

#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;

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
    EXPECT_THAT(run({"matrices"}).out,
                HasSubstr("\nghost      ?        ?          ?          ?  collected\n"));
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

} // namespace sparsight::testing

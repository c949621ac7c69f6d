#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;

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

#include "app/learn/learn_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Models : public LearnTest {};

TEST_F(Models, AreListedAndShown) {
    EXPECT_EQ(answer({"models", "list"}), Json::array());
    trained("first", {"--no-baseline"});
    const Json list = answer({"models", "list"});
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(keys(list[0]), (Words{"name", "architecture", "operator", "method", "machines", "matrices",
                                    "metrics", "parent", "run", "bytes", "created"}));
    EXPECT_EQ(list[0]["method"], "supervised");
    const Json shown = answer({"models", "show", "first"});
    EXPECT_EQ(shown["matrix_names"].size(), list[0]["matrices"]);
    EXPECT_THAT(run({"models", "list"}).out, HasSubstr("first  statistics    spmm      supervised"));
    EXPECT_THAT(run({"models", "show", "first"}).out, HasSubstr("first: statistics for spmm, supervised"));
    const Outcome absent = run({"models", "show", "second"});
    EXPECT_EQ(absent.exit_code, 1);
    EXPECT_THAT(absent.err, HasSubstr("the workspace has no model 'second'; it has first"));
}

TEST_F(Models, GoThroughAFileUnchanged) {
    trained("first", {"--no-baseline", "--method", "meta-sgd"});
    const std::string bytes = exported("first");
    const Json imported = answer({"models", "import", "first.model", "--name", "copy"});
    EXPECT_EQ(imported["imported"][0]["name"], "copy");
    EXPECT_EQ(exported("copy"), bytes);
}

TEST_F(Models, NameWhatCannotBeImportedAndImportTheRest) {
    trained("first", {"--no-baseline"});
    (void)exported("first");
    std::filesystem::copy_file(folder() / "first.model", folder() / "second.model");
    write("foreign.model", "this is no model");
    write("cut.model", read("first.model").substr(0, 1000));
    const Outcome outcome = run({"models", "import", "foreign.model", "second.model", "cut.model",
                                 "first.model", "absent.model", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    const Json answer = parsed(outcome.out);
    ASSERT_EQ(answer["imported"].size(), 1U);
    EXPECT_EQ(answer["imported"][0]["name"], "second");
    ASSERT_EQ(answer["failed"].size(), 4U);
    EXPECT_EQ(answer["failed"][0]["file"], "foreign.model");
    EXPECT_THAT(answer["failed"][2]["error"].get<std::string>(), HasSubstr("called first already"));
}

TEST_F(Models, AreRemoved) {
    trained("first", {"--no-baseline"});
    const Outcome outcome = run({"models", "remove", "first", "second", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(parsed(outcome.out)["removed"], Json({"first"}));
    EXPECT_EQ(parsed(outcome.out)["failed"].size(), 1U);
    EXPECT_EQ(answer({"models", "list"}), Json::array());
}

} // namespace sparsight::testing

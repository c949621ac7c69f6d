#include "app/cli/evaluation_fixture.h"
#include "domains/sparse/storage/matrices.h"
#include "store/runs.h"
#include "support/results.h"

#include <csignal>
#include <gmock/gmock.h>
#include <unistd.h>

namespace sparsight::testing {

using ::testing::HasSubstr;

TEST_F(Evaluate, WarnsWhereAMatrixWasTrainedOn) {
    const Outcome outcome = evaluate({"--models", "first", "--matrices", "arrow,banded"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("1 of the matrices was in the training data, such as arrow"));
    EXPECT_THAT(outcome.out, HasSubstr("2 matrices, spmm with dense extent 8"));
}

TEST_F(Evaluate, LeavesOutWhatModelsWereValidatedWithAndOtherFormsOfWhatTheyLearnedFrom) {
    {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        const auto banded = *find_matrix(workspace, "banded");
        Split split{"parent-split", {}};
        split[SplitPart::Validation].push_back(banded->id);
        ASSERT_TRUE(save_split(workspace, split));
        const auto run = start_run(workspace, "train", R"({"name": "parent", "split": "parent-split"})");
        const auto parent =
            add_model(workspace, {"parent", *run, {}, R"({"input": {"operator": "spmm"}})"}, {});
        ASSERT_TRUE(
            add_model(workspace,
                      {"child",
                       {},
                       *parent,
                       R"({"input": {"operator": "spmm"}, "training": {"matrices": ["stencil-2d_16x4_0"]}})"},
                      {}));
    }
    const Json json = evaluated({"--models", "child"});
    ASSERT_EQ(json["models"][0]["matrices"].size(), 1);
    EXPECT_EQ(json["models"][0]["matrices"][0]["matrix"], "arrow");
}

TEST_F(Evaluate, LeavesOutTwinsUnderOtherNamesOfWhatAModelLearnedFrom) {
    {
        auto workspace = must(Workspace::open(folder() / "workspace.sparsight"));
        const CsrPattern arrow = must(load_pattern(workspace, must(find_matrix(workspace, "arrow"))->id));
        must(add_matrix(workspace, {"renamed", "test", {}}, arrow));
        CsrPattern wider = transpose(arrow);
        wider.cols += 5;
        must(add_matrix(workspace, {"turned-and-wider", "test", {}}, wider));
    }
    const Json json = evaluated({"--models", "first"});
    Words matrices;
    for (const Json& matrix : json["models"][0]["matrices"])
        matrices.push_back(matrix["matrix"]);
    EXPECT_THAT(matrices, ::testing::UnorderedElementsAre("banded", "stencil-2d"));
}

TEST_F(Evaluate, LeavesOutAMatrixThatCannotBeSearched) {
    write_matrix("broken.mtx");
    ASSERT_EQ(run({"import", "broken.mtx"}).exit_code, 0);
    Words words{"--models", "first", "--json"};
    const Outcome outcome = evaluate(words);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("broken: can not be read"));
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["models"][0]["matrices"].size(), 2);
    ASSERT_EQ(json["left_out"].size(), 1);
    EXPECT_EQ(json["left_out"][0]["matrix"], "broken");
    EXPECT_EQ(json["left_out"][0]["reason"], "can not be read");
}

TEST_F(Evaluate, PassesOnWhatTheLearnerComplainsAbout) {
    const Outcome outcome = evaluate({"--models", "silent"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("error: silent can not be read"));
}

TEST_F(Evaluate, SaysThatTheLearnerDiedAndItsLastWords) {
    write_learner("\necho 'terminate called' >&2\nkill -9 $$\n");
    const Outcome outcome = evaluate({"--models", "first"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("error: terminate called"));
}

TEST_F(Evaluate, SaysThatTheLearnerIsMissing) {
    std::filesystem::remove(folder() / "bin/sparsight-learn");
    EXPECT_THAT(evaluate({"--models", "first"}).err,
                HasSubstr("sparsight-learn, which trains and searches, is missing"));
}

TEST_F(Evaluate, StopsTheLearnerWhenItIsStopped) {
    write_learner("\ntrap 'touch \"$(dirname \"$0\")/stopped\"; exit 130' TERM\n"
                  "touch \"$(dirname \"$0\")/asked\"\nwhile :; do sleep 0.05; done\n");
    ChildProcess process({program().string(), "evaluate", "--models", "first", "--progress", "json"},
                         folder());
    while (const auto line = process.next_line())
        if (line->find("progress") != std::string::npos)
            break;
    while (!std::filesystem::exists(folder() / "bin/asked"))
        ::usleep(10'000);
    process.send(SIGTERM);
    const Outcome outcome = process.finish();
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder() / "bin/stopped"));
}

TEST_F(Evaluate, KnowsNoSearchByLuck) {
    EXPECT_EQ(evaluate({"--models", "first", "--method", "luck"}).exit_code, 2);
    EXPECT_TRUE(read("bin/asked").empty());
}

} // namespace sparsight::testing

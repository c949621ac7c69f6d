// The program itself, asked through its input as the window asks it; and the models that it keeps.
#include "app/learn/learn_fixture.h"

#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "workflow/learning/reasons/resident_models.h"
#include "workflow/learning/reasons/time_prediction.h"

#include <fstream>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ServeTest : public LearnTest {
protected:
    static void SetUpTestSuite() { improve_library_settings(); }

    /// Trees, which take a moment only.
    void train(const std::string& name, const std::string& machines = "first,second") const {
        trained(name, {"--architecture", "trees", "--machines", machines});
    }
    static std::string schedule(int chunk) {
        return fmt::format("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 {}", chunk);
    }
    [[nodiscard]] std::string question(int id, const std::string& ask, const Json& more) const {
        Json line{{"version", 1}, {"id", id}, {"ask", ask}, {"workspace", file().string()}};
        line.update(more);
        return line.dump() + "\n";
    }
    [[nodiscard]] static Json pairs() {
        return {{"model", "trees"},
                {"machine", "first"},
                {"pairs", Json::array({Json::array({"uniform-3", schedule(32)}),
                                       Json::array({"uniform-3", schedule(8)})})}};
    }
    /// The lines of a process that got these and then the end of its input.
    [[nodiscard]] std::vector<Json> served(const std::string& questions, Outcome* outcome = nullptr) const {
        std::ofstream(folder() / "questions.jsonl") << questions;
        const Outcome end =
            ChildProcess({"/bin/sh", "-c", "exec \"$0\" --serve < questions.jsonl", SPARSIGHT_CLI}, folder())
                .finish();
        if (outcome != nullptr)
            *outcome = end;
        std::vector<Json> answers;
        for (const std::string& line : lines(end.out))
            answers.push_back(parsed(line));
        return answers;
    }
};

TEST_F(ServeTest, PredictsWhatThePredictCommandDoes) {
    train("trees");
    Outcome end;
    const auto answers = served(question(1, "predict", pairs()) + question(2, "predict", pairs()), &end);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_THAT(answers[0]["ready"].get<std::string>(), HasSubstr("sparsight-learn"));
    ASSERT_TRUE(answers[1].contains("answer")) << answers[1];
    const Json alone = answer({"predict", "--model", "trees", "--machine", "first", "--pair", "uniform-3",
                               schedule(32), "--pair", "uniform-3", schedule(8)});
    EXPECT_EQ(answers[1]["answer"]["matrices"], alone["matrices"]);
    EXPECT_EQ(answers[2]["answer"], answers[1]["answer"]) << "the second time from memory";
}

TEST_F(ServeTest, AnswersMistakesAndGoesOn) {
    train("trees");
    Json unknown = pairs();
    unknown["model"] = "oak";
    Json wrong = pairs();
    wrong["pairs"][0][1] = "no schedule";
    const auto answers =
        served("nonsense\n" + question(1, "predict", unknown) + question(2, "predict", wrong) +
               question(3, "dance", Json::object()) +
               question(4, "open", {{"workspace", (folder() / "absent.sparsight").string()}}) +
               question(5, "predict", {{"model", "trees"}, {"machine", "first"}}) +
               question(6, "predict", pairs()) + "{\"version\": 9, \"id\": 7, \"ask\": \"load\"}\n");
    ASSERT_EQ(answers.size(), 9U);
    std::map<std::string, Json> by_id;
    for (std::size_t at = 1; at < answers.size(); ++at)
        by_id[answers[at]["id"].dump()] = answers[at];
    const auto message = [&](const char* id) { return by_id[id]["error"]["message"].get<std::string>(); };
    EXPECT_THAT(message("null"), HasSubstr("no JSON object"));
    EXPECT_THAT(message("1"), HasSubstr("oak"));
    EXPECT_EQ(by_id["2"]["error"]["fault"], "input");
    EXPECT_THAT(message("3"), HasSubstr("expected open, load, predict or cancel"));
    EXPECT_EQ(by_id["4"]["error"]["file"], (folder() / "absent.sparsight").string());
    EXPECT_THAT(message("5"), HasSubstr("\"pairs\" is missing"));
    EXPECT_TRUE(by_id["6"].contains("answer")) << by_id["6"];
    EXPECT_THAT(message("7"), HasSubstr("\"version\" is 9, expected 1"));
}

TEST_F(ServeTest, TellsWhatAModelIs) {
    train("trees");
    const auto answers = served(question(1, "load", {{"model", "trees"}}));
    ASSERT_EQ(answers.size(), 2U);
    ASSERT_TRUE(answers[1].contains("answer")) << answers[1];
    const Json& told = answers[1]["answer"];
    EXPECT_EQ(told["domain"], "sparse");
    EXPECT_EQ(told["architecture"], "trees");
    EXPECT_EQ(told["machines"], Json({"first", "second"}));
}

TEST_F(ServeTest, EndsWhenItIsTold) {
    train("trees");
    // The input stays open, so that only the signal ends it.
    ChildProcess process({"/bin/sh", "-c", "mkfifo in; exec \"$0\" serve 0<>in", SPARSIGHT_CLI}, folder());
    const auto ready = process.next_line();
    ASSERT_TRUE(ready);
    EXPECT_THAT(*ready, HasSubstr("ready"));
    process.send(SIGTERM);
    EXPECT_EQ(process.finish().exit_code, 130);
}

class ResidentModelsTest : public ServeTest {
protected:
    ResidentModelsTest() {
        (void)registry_.add(make_sparse_domain());
        domains_.add(std::make_unique<SparseLearning>());
    }
    static ModelQuery query(const std::string& model) { return {.model = model, .machine = "first"}; }
    [[nodiscard]] double score(ResidentModels& models) const {
        const QueriedModel* const model = must(models.find(query("trees")));
        Observer nobody;
        return must(predict_times(*model, {query("trees"), {{"uniform-3", schedule(32)}}}, nobody, {}))
            .times.workloads.front()
            .times.front()
            .score;
    }

    DomainRegistry registry_;
    LearningDomains domains_;
};

TEST_F(ResidentModelsTest, AreLoadedOnceAndAnewWhereTheWorkspaceHasAnotherOfTheName) {
    train("trees");
    ResidentModels models(domains_);
    EXPECT_FALSE(models.find(query("trees"))) << "nothing is open";
    must(models.open(file()));
    const QueriedModel* const first = must(models.find(query("trees")));
    const double before = score(models);
    EXPECT_EQ(must(models.find(query("trees"))), first);
    must(models.open(file()));
    EXPECT_EQ(must(models.find(query("trees"))), first) << "it is the same file";
    ASSERT_EQ(run({"models", "remove", "trees"}).exit_code, 0);
    EXPECT_FALSE(models.find(query("trees")));
    train("trees", "second");
    EXPECT_NE(score(models), before);
}

TEST_F(ResidentModelsTest, StayWhereOnlyMeasurementsAreAdded) {
    train("trees");
    ResidentModels models(domains_);
    must(models.open(file()));
    const QueriedModel* const first = must(models.find(query("trees")));
    const double before = score(models);
    add_simulated_machine("other");
    EXPECT_EQ(must(models.find(query("trees"))), first);
    EXPECT_EQ(score(models), before);
}

TEST_F(ResidentModelsTest, AreAsManyAsMayBe) {
    for (const char* const name : {"trees", "oak"})
        train(name);
    ResidentModels few(domains_, {.models = 1});
    must(few.open(file()));
    ASSERT_TRUE(few.find(query("trees")));
    ASSERT_TRUE(few.find(query("oak")));
    EXPECT_EQ(few.loaded(), 1U);
    ResidentModels none(domains_, {.bytes = 1});
    must(none.open(file()));
    ASSERT_TRUE(none.find(query("trees")));
    EXPECT_TRUE(none.keep_within_limit());
    EXPECT_EQ(none.loaded(), 0U);
}

} // namespace
} // namespace sparsight::testing

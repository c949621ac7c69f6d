#include "app/learn/learn_fixture.h"
#include "store/splits.h"

#include <csignal>

namespace sparsight::testing {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Train : public LearnTest {};

TEST_F(Train, TellsEveryStepOnceAndEveryEpoch) {
    const Outcome outcome = run(train_words("first", {"--progress", "json", "--seed", "7"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto all = events(outcome.out);
    ASSERT_GE(all.size(), 3U);
    const Json& start = all.front();
    EXPECT_EQ(keys(start),
              (Words{"event", "job", "run", "name", "method", "architecture", "epochs", "steps_per_epoch",
                     "machines", "matrices", "split", "notes", "replaces", "resumed_at", "parameters"}));
    EXPECT_EQ(start["job"], "train");
    EXPECT_EQ(start["machines"], Json({"first", "second"}));
    EXPECT_EQ(start["matrices"]["train"].get<int>() + start["matrices"]["validation"].get<int>() +
                  start["matrices"]["test"].get<int>(),
              14);
    EXPECT_EQ(start["resumed_at"], nullptr);
    EXPECT_EQ(start["parameters"]["name"], "first");
    EXPECT_EQ(start["parameters"]["seed"], 7);
    EXPECT_EQ(start["parameters"]["rate"], 0.001);

    const int steps = 6 * start["steps_per_epoch"].get<int>();
    EXPECT_EQ(start["steps_per_epoch"], 2 * start["matrices"]["train"].get<int>()) << "on both machines";
    int told = 0;
    for (const Json& event : events_called(all, "steps")) {
        EXPECT_EQ(event["first"], told + 1);
        EXPECT_EQ(event["losses"].size(), event["gradient_norms"].size());
        told += static_cast<int>(event["losses"].size());
    }
    EXPECT_EQ(told, steps);

    const auto epochs = events_called(all, "epoch");
    ASSERT_EQ(epochs.size(), 6U);
    EXPECT_EQ(epochs.back()["step"], steps);
    EXPECT_EQ(keys(epochs.back()), (Words{"event", "epoch", "step", "training_loss", "rate", "seconds",
                                          "examples_per_second", "memory_bytes", "validation", "is_best"}));
    EXPECT_EQ(keys(epochs.back()["validation"]), (Words{"overall", "first", "second"}));
    EXPECT_LT(epochs.back()["training_loss"], epochs.front()["training_loss"]);
    EXPECT_GT(epochs.back()["memory_bytes"], 1'000'000);

    const Json& end = all.back();
    EXPECT_EQ(keys(end), (Words{"event", "run", "model", "ending", "epochs", "best_epoch", "metrics",
                                "baseline", "baseline_verdict", "seconds", "complete", "stopped"}));
    EXPECT_EQ(end["ending"], "finished");
    EXPECT_EQ(end["model"], "first");
    EXPECT_EQ(end["complete"], true);
    EXPECT_EQ(end["stopped"], false);
    EXPECT_GT(end["metrics"]["ordered_pair_accuracy"], 0.6);
    EXPECT_GT(end["baseline"]["ordered_pair_accuracy"], 0.6);
}

TEST_F(Train, KeepsTheModelItsSplitAndEveryMetricWithTheRun) {
    const Json summary = answer(train_words("first"));
    Workspace workspace = this->workspace();
    const auto model = must(find_model(workspace, "first"));
    ASSERT_TRUE(model);
    const RunRecord run = must(list_runs(workspace)).front();
    EXPECT_EQ(model->run, run.id);
    EXPECT_EQ(summary["run"], static_cast<std::int64_t>(run.id));
    EXPECT_EQ(run.kind, "train");
    EXPECT_EQ(run.state, RunState::Finished);
    EXPECT_EQ(Json::parse(run.parameters)["name"], "first");
    EXPECT_FALSE(must(find_training_state(workspace, run.id))) << "nothing is left to go on from";
    EXPECT_EQ(must(list_metric(workspace, run.id, "epoch/training_loss")).size(), 6U);
    EXPECT_EQ(must(list_metric(workspace, run.id, "validation/second/loss")).size(), 6U);
    const auto losses = must(list_metric(workspace, run.id, "loss"));
    const auto last = must(list_metric(workspace, run.id, "epoch/step")).back();
    EXPECT_EQ(static_cast<double>(losses.size()), last.value);
    EXPECT_EQ(losses.front().step, 1);
    EXPECT_THAT(must(metric_names(workspace, run.id)), Contains("validation/ordered_pair_accuracy"));
    EXPECT_EQ(must(list_metric(workspace, run.id, "test/loss")).front().value, summary["metrics"]["loss"]);
    const Json description = Json::parse(model->description);
    EXPECT_EQ(description["training"]["machines"], Json({"first", "second"}));
    EXPECT_FALSE(description["training"]["matrices"].empty());
}

TEST_F(Train, DoesTheSameOnceAndAgainOnlyWhereItIsAskedTo) {
    trained("first");
    const std::string model = exported("first");
    const Outcome again = run(train_words("first", {"--json"}));
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_EQ(parsed(again.out)["model"], "first");
    EXPECT_EQ(parsed(again.out)["epochs"], 6);
    EXPECT_THAT(again.err, HasSubstr("was trained with these settings before"));
    EXPECT_EQ(std::ranges::count(again.err, '\n'), 1) << "what was said at the first time: " << again.err;
    Workspace workspace = this->workspace();
    EXPECT_EQ(must(list_runs(workspace)).size(), 1U);

    const Outcome other = run(train_words("first", {"--rate", "0.01"}));
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("there is a model called first already"));
    EXPECT_EQ(run(train_words("first", {"--rate", "0.01", "--again"})).exit_code, 0);
    EXPECT_NE(exported("first"), model);
    EXPECT_EQ(must(list_models(workspace)).size(), 1U);
}

TEST_F(Train, IsReproducibleFromItsSeed) {
    for (const char* name : {"one", "two"})
        trained(name, {"--no-baseline"});
    trained("three", {"--no-baseline", "--seed", "2"});
    EXPECT_EQ(exported("one"), exported("two"));
    EXPECT_NE(exported("one"), exported("three"));
}

TEST_F(Train, LearnsToLearnByEveryMethod) {
    for (const char* method : {"maml", "fomaml", "reptile", "anil", "meta-sgd", "report"}) {
        const Json summary =
            answer(train_words(method, {"--method", method, "--epochs", "2", "--no-baseline"}));
        EXPECT_EQ(summary["model"], method);
        EXPECT_EQ(summary["baseline"], nullptr);
    }
}

TEST_F(Train, WithoutAnEpochOrByNoKnownMethodIsRefused) {
    const Outcome untrained = run(train_words("first", {"--epochs", "0"}));
    EXPECT_EQ(untrained.exit_code, 2);
    EXPECT_THAT(untrained.err, HasSubstr("epochs is 0; expected 1 or more"));
    const Outcome unknown = run(train_words("first", {"--method", "foo"}));
    EXPECT_THAT(unknown.err, HasSubstr("method is \"foo\"; expected supervised, maml, "));
    EXPECT_EQ(answer({"models", "list"}), Json::array());
}

TEST_F(Train, TreesAreAModelAsWellAndTellTheirRounds) {
    const Outcome outcome = run(train_words("trees", {"--architecture", "trees", "--progress", "json"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto rounds = events_called(events(outcome.out), "epoch");
    ASSERT_EQ(rounds.size(), 10U);
    EXPECT_EQ(rounds.front()["epoch"], 30);
    EXPECT_EQ(rounds.back()["step"], 300);
    EXPECT_LT(rounds.back()["training_loss"], rounds.front()["training_loss"]);
    EXPECT_EQ(keys(rounds.back()["validation"]), (Words{"overall", "first", "second"}));
    {
        Workspace workspace = this->workspace();
        const RunId id = must(list_runs(workspace)).front().id;
        const auto kept = must(list_metric(workspace, id, "validation/ordered_pair_accuracy"));
        ASSERT_EQ(kept.size(), 10U);
        EXPECT_EQ(kept.back().step, 300);
        EXPECT_EQ(kept.back().value, rounds.back()["validation"]["overall"]["ordered_pair_accuracy"]);
    }
    const Json summary = answer(train_words("trees", {"--architecture", "trees"}));
    EXPECT_EQ(summary["model"], "trees");
    EXPECT_EQ(summary["epochs"], 0) << "rounds are no epochs, also where it was trained before";
    EXPECT_GT(summary["metrics"]["ordered_pair_accuracy"], 0.6);
    EXPECT_EQ(answer({"models", "list"})[0]["architecture"], "trees");
}

TEST_F(Train, SaysWhoIsAheadTheNetworkOrTheTreesBesideIt) {
    const Json summary = answer(train_words("first", {"--epochs", "1", "--rate", "0.000001"}));
    const Json verdict = summary["baseline_verdict"];
    EXPECT_EQ(keys(verdict), (Words{"ahead", "points", "test_matrices", "sentence"}));
    EXPECT_EQ(verdict["ahead"], "trees") << "the network has learned nothing";
    EXPECT_GT(verdict["points"], 1);
    EXPECT_GE(verdict["test_matrices"], 1);
    const auto sentence = verdict["sentence"].get<std::string>();
    EXPECT_THAT(sentence, HasSubstr("boosted trees are ahead: of the pairs on "));
    EXPECT_THAT(sentence, HasSubstr("--preset best")) << "what to do about it";
    const Outcome again = run(train_words("first", {"--epochs", "1", "--rate", "0.000001"}));
    EXPECT_THAT(again.out, HasSubstr(sentence)) << "also when it was trained before";
    EXPECT_EQ(answer({"models", "show", "first"})["baseline_verdict"], verdict);
    EXPECT_THAT(run({"models", "show", "first"}).out, HasSubstr(sentence));
    EXPECT_THAT(run({"models", "list"}).out, HasSubstr("first: boosted trees are ahead: of the pairs on "));
}

TEST_F(Train, ImaginesMachinesByTheReportsFormula) {
    const Outcome outcome = run(train_words(
        "report", {"--machines", "first", "--simulated", "A,B", "--epochs", "1", "--progress", "json"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(events(outcome.out).front()["machines"], Json({"first", "A", "B"}));
    const Outcome wrong = run(train_words("other", {"--simulated", "C"}));
    EXPECT_THAT(wrong.err, HasSubstr("there is no machine 'C' to imagine"));
}

TEST_F(Train, ImaginesMachinesOfAFamilyThatDisagree) {
    const Outcome outcome =
        run(train_words("family", {"--machines", "first", "--simulated", "family:2,laptop", "--epochs", "1",
                                   "--progress", "json"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json machines = events(outcome.out).front()["machines"];
    ASSERT_EQ(machines.size(), 4U);
    EXPECT_EQ(machines[0], "first");
    EXPECT_THAT(machines[1].get<std::string>(), HasSubstr("sampled-"));
    EXPECT_EQ(machines[3], "Laptop (simulated)");
    EXPECT_THAT(outcome.err + outcome.out, HasSubstr("simulated mechanistically"));
    const Outcome wrong = run(train_words("other", {"--simulated", "family:many"}));
    EXPECT_THAT(wrong.err, HasSubstr("expected family:N"));
}

TEST_F(Train, LearnsFromImaginedMachinesAloneWhereNoneOfTheMeasuredIsWanted) {
    const Outcome outcome = run(train_words("imagined", {"--machines", "none", "--simulated", "family:2",
                                                         "--epochs", "1", "--progress", "json"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json machines = events(outcome.out).front()["machines"];
    ASSERT_EQ(machines.size(), 2U);
    for (const Json& machine : machines)
        EXPECT_THAT(machine.get<std::string>(), HasSubstr("sampled-"));
    const Outcome wrong = run(train_words("nothing", {"--machines", "none"}));
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_THAT(wrong.err, HasSubstr("machines is none, and there are no imagined ones"));
}

TEST_F(Train, GoesOnFromAParent) {
    trained("parent", {"--no-baseline"});
    const Json summary = answer(train_words("child", {"--parent", "parent", "--epochs", "1"}));
    EXPECT_EQ(summary["model"], "child");
    EXPECT_EQ(answer({"models", "show", "child"})["parent"], "parent");
    const Outcome wrong = run(train_words("other", {"--parent", "parent", "--architecture", "waconet"}));
    EXPECT_THAT(wrong.err, HasSubstr("the model 'parent' is of statistics; expected waconet"));
}

TEST_F(Train, NeedsMeasurements) {
    const Outcome outcome = run(train_words("none", {"--operator", "spmv"}));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-learn: error: "));
    const Outcome machine = run(train_words("none", {"--machines", "third"}));
    EXPECT_EQ(machine.exit_code, 1);
    EXPECT_THAT(machine.err, HasSubstr("third"));
    EXPECT_EQ(run({"train", "--name", "x", "--workspace", "absent.sparsight"}).exit_code, 3);
    Workspace workspace = this->workspace();
    EXPECT_THAT(must(list_runs(workspace)), IsEmpty());
}

TEST_F(Train, SaysWhereItDiverged) {
    const Outcome outcome = run(train_words("wild", {"--rate", "1e30", "--progress", "json"}));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("diverged"));
    EXPECT_EQ(events(outcome.out).back()["event"], "error");
    Workspace workspace = this->workspace();
    EXPECT_EQ(must(list_runs(workspace)).front().state, RunState::Failed);
    EXPECT_THAT(must(list_models(workspace)), IsEmpty());
}

TEST_F(Train, KeepsItsSplitWithItsModelAndReplacesNoneOfTheUsers) {
    Workspace workspace = this->workspace();
    const MatrixId matrix = must(find_matrix(workspace, "uniform-3"))->id;
    Split mine{"mine", {}};
    mine[SplitPart::Test].push_back(matrix);
    must(save_split(workspace, mine));
    const Outcome outcome = run(train_words("mine", {"--no-baseline"}));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("there is a split called mine that no training made"));
    EXPECT_EQ(must(find_split(workspace, "mine")), mine);

    trained("model", {"--no-baseline"});
    const auto kept = must(find_split(workspace, "model"));
    ASSERT_TRUE(kept);
    {
        Words words = train_words("model", {"--no-baseline", "--again", "--seed", "5", "--epochs", "500"});
        words.insert(words.end(), {"--progress", "json"});
        ChildProcess child(command_line(words), folder());
        while (const auto line = child.next_line())
            if (parsed(*line)["event"] == "epoch")
                break;
        child.send(SIGINT);
        EXPECT_EQ(child.finish().exit_code, 130);
    }
    EXPECT_EQ(must(find_split(workspace, "model")), kept) << "that of the model that is there";
    trained("model", {"--no-baseline", "--again", "--seed", "6"});
    EXPECT_NE(must(find_split(workspace, "model")), kept);
}

TEST_F(Train, RefusesANegativeSeedWithItsPlace) {
    write("train.toml", "epochs = 2\nseed = -1\n");
    for (const Words& words : {Words{"train", "--name", "x", "--config", "train.toml"},
                               Words{"finetune", "--name", "x", "--model", "m", "--machine", "second"}}) {
        if (words.front() == "finetune")
            write("train.toml", "dense = 32\nseed = -1\n");
        Words with_file = words;
        if (words.front() == "finetune")
            with_file.insert(with_file.end(), {"--config", "train.toml"});
        const Outcome outcome = run(with_file);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("train.toml:2: seed is -1; expected 0 or more"));
    }
}

} // namespace sparsight::testing

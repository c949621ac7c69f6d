#include "app/learn/learn_fixture.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <csignal>

namespace sparsight::testing {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Train : public LearnTest {};

TEST_F(Train, TheQuickDemoGeneratesMatricesWhereTheWorkspaceHasNone) {
    const auto empty = folder() / "empty.sparsight";
    (void)must(Workspace::create(empty, "empty"));
    const Words words{"train",    "--workspace", empty.string(), "--name", "quick",
                      "--preset", "quick-demo",  "--epochs",     "1",      "--json"};
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(parsed(outcome.out)["model"], "quick");
    EXPECT_THAT(outcome.err, ::testing::HasSubstr("12 matrices were generated"));
    Workspace workspace = must(Workspace::open(empty));
    const auto matrices = must(list_matrices(workspace));
    ASSERT_EQ(matrices.size(), 12U);
    for (const MatrixRecord& matrix : matrices)
        EXPECT_THAT(matrix.name, ::testing::StartsWith("generated-"));
}

TEST_F(Train, TheQuickDemoGeneratesTheMatricesThatAreMissing) {
    const auto small = folder() / "small.sparsight";
    {
        Workspace workspace = must(Workspace::create(small, "small"));
        (void)must(
            add_matrix(workspace, {"own", "test", {}}, must(generate_matrix("banded", {{"size", 900}}, 1))));
        // As if somebody had removed most of those of an earlier run.
        (void)must(add_matrix(workspace, {"generated-uniform", "test", {}},
                              must(generate_matrix("banded", {{"size", 700}}, 1))));
    }
    const Words words{"train",    "--workspace", small.string(), "--name", "quick",
                      "--preset", "quick-demo",  "--epochs",     "1",      "--json"};
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr("the workspace had only 2 matrices with data, so 10 matrices were generated"));
    Workspace workspace = must(Workspace::open(small));
    EXPECT_EQ(must(list_matrices(workspace)).size(), 12U);
}

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
    EXPECT_THAT(sentence, HasSubstr("boosted trees are ahead: they have "));
    EXPECT_THAT(sentence, HasSubstr("--preset best")) << "what to do about it";
    const Outcome again = run(train_words("first", {"--epochs", "1", "--rate", "0.000001"}));
    EXPECT_THAT(again.out, HasSubstr(sentence)) << "also when it was trained before";
    EXPECT_EQ(answer({"models", "show", "first"})["baseline_verdict"], verdict);
    EXPECT_THAT(run({"models", "show", "first"}).out, HasSubstr(sentence));
    EXPECT_THAT(run({"models", "list"}).out, HasSubstr("first: boosted trees are ahead: they have "));
}

TEST_F(Train, ImaginesMachinesByTheReportsFormula) {
    const Outcome outcome = run(train_words(
        "report", {"--machines", "first", "--simulated", "A,B", "--epochs", "1", "--progress", "json"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(events(outcome.out).front()["machines"], Json({"first", "A", "B"}));
    const Outcome wrong = run(train_words("other", {"--simulated", "C"}));
    EXPECT_THAT(wrong.err, HasSubstr("there is no machine \"C\"; known machines: "));
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
    EXPECT_THAT(wrong.err, Not(HasSubstr("`simulate`"))) << "there are matrices";
    ASSERT_TRUE(Workspace::create(folder() / "empty.sparsight", "test"));
    EXPECT_THAT(
        run({"train", "--name", "nothing", "--workspace", "empty.sparsight", "--machines", "none"}).err,
        HasSubstr("`simulate` makes some"));
}

TEST_F(Train, TakesASimulatedMachineOfTheWorkspaceForATask) {
    add_simulated_machine("mine");
    const Words quick{"--epochs", "1", "--no-baseline", "--progress", "json"};
    const auto start_of = [&](const std::string& name, const std::string& machines) {
        Words words = train_words(name, quick);
        words.insert(words.end(), {"--machines", machines});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return events(outcome.out).front();
    };
    const Json beside = start_of("beside", "first,mine");
    EXPECT_EQ(beside["machines"], Json({"first", "mine"}));
    EXPECT_THAT(beside["notes"].dump(),
                HasSubstr("mine: simulated mechanistically, with the schedules of first"));
    EXPECT_EQ(start_of("alone", "mine")["machines"], Json({"mine"}));
    EXPECT_EQ(answer({"models", "show", "alone"})["machines"], Json({"mine"}));
    const Json before = start_of("before", "mine")["matrices"];
    add_one_simulated_time("mine");
    EXPECT_EQ(start_of("again", "mine")["matrices"], before)
        << "a few stored times do not take the others away";
}

TEST_F(Train, DrawsSchedulesForSimulatedMachinesWhereNothingWasMeasured) {
    const Words spmv{"--operator", "spmv",          "--machines", "none", "--epochs",
                     "1",          "--no-baseline", "--progress", "json"};
    const auto drawn = [&](const std::string& name, const std::string& simulated) {
        Words words = train_words(name, spmv);
        words.insert(words.end(), {"--simulated", simulated});
        return run(words);
    };
    const Outcome outcome = drawn("drawn", "family:2");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json start = events(outcome.out).front();
    EXPECT_EQ(start["machines"].size(), 2U);
    EXPECT_EQ(start["matrices"]["train"].get<int>() + start["matrices"]["validation"].get<int>() +
                  start["matrices"]["test"].get<int>(),
              14);
    EXPECT_THAT(start["notes"].dump(), HasSubstr("100 schedules of each of 14 matrices are drawn"));
    const Outcome formula = drawn("formula", "A,B");
    EXPECT_EQ(formula.exit_code, 1);
    EXPECT_THAT(formula.err, HasSubstr("machines A and B need recorded runtimes, but none are stored"));
}

TEST_F(Train, SaysWhichOfTheGivenOptionsHaveNoEffect) {
    const Outcome supervised =
        run(train_words("first", {"--inner-steps", "3", "--epochs", "1", "--no-baseline"}));
    ASSERT_EQ(supervised.exit_code, 0) << supervised.err;
    EXPECT_THAT(supervised.err,
                HasSubstr("--inner-steps has no effect: supervised training has no inner loop"));
    const Outcome split =
        run(train_words("second", {"--split", "first", "--test-share", "0.5", "--validation-share", "0.1",
                                   "--epochs", "1", "--no-baseline"}));
    EXPECT_THAT(split.err, HasSubstr("--validation-share, --test-share have no effect: the split first says "
                                     "which matrices are for what"));
    const Outcome trees = run({"train", "--name", "trees", "--dense", "32", "--threads", "1", "--preset",
                               "demo", "--architecture", "trees", "--patience", "3"});
    EXPECT_THAT(trees.err, HasSubstr("--patience has no effect: boosted trees"));
    EXPECT_THAT(trees.err, ::testing::Not(HasSubstr("--epochs"))) << "the preset brought that";
}

TEST_F(Train, GoesOnFromAParent) {
    trained("parent", {"--no-baseline"});
    const Json summary = answer(train_words("child", {"--parent", "parent", "--epochs", "1"}));
    EXPECT_EQ(summary["model"], "child");
    EXPECT_EQ(answer({"models", "show", "child"})["parent"], "parent");
    const Outcome wrong = run(train_words("other", {"--parent", "parent", "--architecture", "waconet"}));
    EXPECT_THAT(wrong.err, HasSubstr("the model 'parent' is of statistics; expected waconet"));
}

TEST_F(Train, TestsAChildWithNothingThatItsParentHasSeenInAnyForm) {
    trained("parent", {"--no-baseline"});
    const Split of_parent = [&] {
        Workspace workspace = this->workspace();
        Split split = must(find_split(workspace, "parent")).value();
        const WorkloadId learned = split[SplitPart::Train].front();
        const WorkloadId twin =
            must(add_matrix(workspace, {"renamed", "test", {}}, must(load_pattern(workspace, learned))));
        for (const CountedSource& each : must(runtime_sources(workspace, Operator::SpMM, 32)))
            for (const StoredRuntime& runtime : must(list_runtimes(workspace, each.source)))
                if (runtime.matrix == learned) {
                    Measurement measurement;
                    measurement.status = runtime.status;
                    measurement.median = Milliseconds(runtime.median_ms.value_or(1));
                    measurement.repeats = 5;
                    must(record_measurement(workspace, {twin, each.source.machine, 32, each.source.protocol},
                                            runtime.schedule, measurement));
                }
        split[SplitPart::Train].push_back(twin);
        return split;
    }();
    for (const char* seed : {"2", "3"}) {
        const std::string name = std::string("child-") + seed;
        trained(name, {"--parent", "parent", "--epochs", "1", "--seed", seed, "--no-baseline"});
        Workspace workspace = this->workspace();
        const Split split = must(find_split(workspace, name)).value();
        EXPECT_THAT(split[SplitPart::Train],
                    ::testing::UnorderedElementsAreArray(of_parent[SplitPart::Train]));
        EXPECT_THAT(split[SplitPart::Validation],
                    ::testing::UnorderedElementsAreArray(of_parent[SplitPart::Validation]));
        EXPECT_THAT(split[SplitPart::Test], ::testing::UnorderedElementsAreArray(of_parent[SplitPart::Test]));
        EXPECT_THAT(split[SplitPart::Test], ::testing::Not(IsEmpty()));
    }
}

TEST_F(Train, LeavesOutOfAGivenSplitWhatTheParentHasSeen) {
    trained("parent", {"--no-baseline"});
    {
        Workspace workspace = this->workspace();
        const Split parent = must(find_split(workspace, "parent")).value();
        Split leaking{"leaking", {}};
        leaking[SplitPart::Train] = {parent[SplitPart::Train][0], parent[SplitPart::Train][1]};
        leaking[SplitPart::Validation] = {parent[SplitPart::Train][2], parent[SplitPart::Validation][0]};
        leaking[SplitPart::Test] = {parent[SplitPart::Train][3], parent[SplitPart::Test][0]};
        must(save_split(workspace, leaking));
    }
    const Outcome outcome = run(train_words("child", {"--parent", "parent", "--epochs", "1", "--split",
                                                      "leaking", "--progress", "json", "--no-baseline"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(events(outcome.out).front()["matrices"], (Json{{"train", 2}, {"validation", 1}, {"test", 1}}));
    EXPECT_THAT(events(outcome.out).front()["notes"].dump(),
                HasSubstr("2 matrices are left out of validation and test: parent has seen them"));
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
    const WorkloadId matrix = must(find_matrix(workspace, "uniform-3"))->id;
    Split mine{"mine", {}};
    mine[SplitPart::Test].push_back(matrix);
    must(save_split(workspace, mine));
    const Outcome outcome = run(train_words("mine", {"--no-baseline"}));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("would replace the split mine, which no training made"));
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

// Presets, configuration files and options, each above the one before it.

class TrainSettings : public LearnTest {
protected:
    [[nodiscard]] Json parameters(const Words& more) const {
        Words words{"train", "--name", "m", "--dense", "32", "--epochs", "1", "--no-baseline", "--again"};
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"--progress", "json"});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return events(outcome.out).front()["parameters"];
    }
};

TEST_F(TrainSettings, ComeFromThePresetThenTheFileThenTheOptions) {
    write("train.toml", "# what is learned\n"
                        "machines = [\"first\"]\n"
                        "rate = 0.01\n"
                        "inner_rate = 1        # a whole number is a number\n"
                        "schedules_per_matrix = 8\n"
                        "seed = 5\n");
    const Json layered = parameters({"--preset", "demo", "--config", "train.toml", "--rate", "0.02"});
    EXPECT_EQ(layered["loss"], "logistic") << "of the preset";
    EXPECT_EQ(layered["machines"], Json({"first"})) << "of the file";
    EXPECT_EQ(layered["schedules_per_matrix"], 8);
    EXPECT_EQ(layered["inner_rate"], 1.0);
    EXPECT_EQ(layered["seed"], 5);
    EXPECT_EQ(layered["rate"], 0.02) << "of the command line";
    EXPECT_EQ(layered["epochs"], 1);
    EXPECT_EQ(layered["support_matrices"], 5) << "the default";
    EXPECT_EQ(parameters({"--config", "train.toml", "--seed", "9"})["seed"], 9);
}

TEST_F(TrainSettings, HaveGeneralNamesBesideTheOldOnes) {
    write("train.toml", "query_workloads = 4\nsupport_matrices = 3\n");
    const Json general = parameters(
        {"--config", "train.toml", "--configurations-per-workload", "8", "--support-workloads", "2"});
    EXPECT_EQ(general["schedules_per_matrix"], 8) << "runs are stored as ever";
    EXPECT_EQ(general["query_matrices"], 4);
    EXPECT_EQ(general["support_matrices"], 2);
    EXPECT_EQ(parameters({"--schedules-per-matrix", "8"})["schedules_per_matrix"], 8);
    const std::string help = run({"train", "--help"}).out;
    EXPECT_THAT(help, HasSubstr("--support-workloads,--support-matrices"));
    EXPECT_THAT(help, HasSubstr("waconet: sparse convolutions")) << "architectures are those of the domains";
    EXPECT_THAT(run({"train", "--name", "x", "--test-share", "0.95"}).err,
                HasSubstr("so that matrices are left to train with"))
        << "the noun of the domain";
}

TEST_F(TrainSettings, ComeFromTheSameFileBeforeAndBehindTheCommand) {
    write("train.toml", "name = \"m\"\npreset = \"demo\"\nbaseline = false\nrate = 0.01\ninner_rate = 1\n"
                        "machines = [\"first\"]\nagain = true\n");
    const auto told = [&](const Words& words) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return events(outcome.out).front()["parameters"];
    };
    const Words train{"train", "--dense", "32", "--epochs", "1", "--rate", "0.02", "--progress", "json"};
    Words before = train;
    before.insert(before.begin(), {"--config", "train.toml"});
    Words behind = train;
    behind.insert(behind.end(), {"--config", "train.toml"});
    const Json parameters = told(before);
    EXPECT_EQ(parameters["name"], "m") << "an option that is no setting";
    EXPECT_EQ(parameters["loss"], "logistic") << "of the preset";
    EXPECT_EQ(parameters["baseline"], false);
    EXPECT_EQ(parameters["inner_rate"], 1.0);
    EXPECT_EQ(parameters["machines"], Json({"first"}));
    EXPECT_EQ(parameters["rate"], 0.02) << "of the command line";
    EXPECT_EQ(told(behind), parameters);
}

TEST_F(TrainSettings, NameTheFileAndTheLineOfWhatIsWrong) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"rate = 0.1\nspeed = 3\n", "bad.toml:2: there is no setting 'speed'"},
        {"\nepochs = \"many\"\n", "bad.toml:2: epochs is \"many\"; expected a whole number"},
        {"epochs = 2.5\n", "bad.toml:1: epochs is 2.5; expected a whole number"},
        {"machines = [1]\n", "bad.toml:1: machines is [1]; expected a list of texts"},
        {"rate = -1.0\n", "bad.toml:1: rate is -1.0; expected a positive number"},
        {"method = \"magic\"\n", "bad.toml:1: method is \"magic\""},
        {"architecture = \"deep\"\n", "bad.toml:1: architecture is \"deep\"; expected statistics"},
        {"test_share = 2.0\n", "bad.toml:1: test_share is 2.0"},
        {"device = \"abacus\"\n", "bad.toml:1: device is \"abacus\""},
        {"rate = 0.1\n[section]\nx = 1\n", "bad.toml:2: 'section' is no setting"},
        {"rate = \n", "bad.toml:1: this is not TOML"},
        {"rate = 1.0\nrate = 2.0\n", "bad.toml:2: this is not TOML"},
    };
    for (const auto& [text, complaint] : wrong) {
        write("bad.toml", text);
        const Outcome outcome = run({"train", "--name", "m", "--config", "bad.toml"});
        EXPECT_EQ(outcome.exit_code, 2) << text;
        EXPECT_THAT(outcome.err, HasSubstr(complaint));
        EXPECT_THAT(outcome.out, IsEmpty());
    }
    const Outcome absent = run({"train", "--name", "m", "--config", "absent.toml"});
    EXPECT_EQ(absent.exit_code, 2);
    EXPECT_THAT(absent.err, HasSubstr("absent.toml"));
    Workspace workspace = this->workspace();
    EXPECT_THAT(must(list_runs(workspace)), IsEmpty()) << "nothing was begun";
}

TEST_F(TrainSettings, TakeOneWordForAListAndCountsWhereCountsAreMeant) {
    write("one.toml", "machines = \"first\"\n");
    EXPECT_EQ(parameters({"--config", "one.toml"})["machines"], Json({"first"}));
    trained("meta", {"--no-baseline", "--machines", "first"});
    const Words tune{"finetune", "--model", "meta",     "--machine", "second",     "--name", "tuned",
                     "--dense",  "32",      "--config", "tune.toml", "--progress", "json"};
    write("tune.toml", "matrices = 3\nshots = [0, 1]\nseeds = 1\n");
    const Outcome tuned = run(tune);
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
    EXPECT_EQ(events(tuned.out).front()["matrices"]["train"], 3);
    EXPECT_EQ(events(tuned.out).front()["parameters"]["shots"], Json({"0", "1"}));
    write("tune.toml", "epochs = 1\nmatrices = 3.5\n");
    const Outcome wrong = run(tune);
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err,
                HasSubstr("tune.toml:2: matrices is 3.5; expected a whole number, a text, or a list of "
                          "them"));
}

TEST_F(TrainSettings, NameTheOptionThatIsWrong) {
    const std::vector<std::pair<Words, std::string>> wrong{
        {{"--epochs", "many"}, "'many' is no whole number"},
        {{"--rate", "fast"}, "'fast' is no number"},
        {{"--rate", "0"}, "rate is 0.0; expected a positive number"},
        {{"--method", "magic"}, "method is \"magic\""},
        {{"--preset", "worst"}, "there is no preset 'worst'; there are demo, quick-demo, report, best"},
        {{"--threads", "0"}, "threads is 0; expected a whole number from 1"},
        {{"--operator", "gemm"}, "'gemm' is no operator: expected spmm, spmv or sddmm"},
        {{"--architecture", "trees", "--parent", "x"}, "trees can't begin with another model"},
        {{"--keep", "--finish"}, " excludes "},
    };
    for (const auto& [more, complaint] : wrong) {
        Words words{"train", "--name", "m"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2) << ::testing::PrintToString(more);
        EXPECT_THAT(outcome.err, HasSubstr(complaint));
    }
    EXPECT_EQ(run({"train"}).exit_code, 2) << "a model needs a name";
}

} // namespace sparsight::testing

// A run that is stopped or killed, at any moment, comes to the same model.
#include "app/learn/learn_fixture.h"
#include "store/runs.h"

#include <csignal>

namespace sparsight::testing {

using ::testing::HasSubstr;

class Resumed : public LearnTest {
protected:
    /// Reads until so many events of this name were told.
    static void follow(ChildProcess& child, const std::string& name, int count) {
        while (count > 0) {
            const auto line = child.next_line();
            ASSERT_TRUE(line) << "it ended before";
            if (parsed(*line)["event"] == name)
                --count;
        }
    }
    [[nodiscard]] std::vector<double> losses(RunId run) const {
        Workspace workspace = this->workspace();
        std::vector<double> values;
        for (const MetricPoint& point : must(list_metric(workspace, run, "loss"))) {
            EXPECT_EQ(point.step, static_cast<std::int64_t>(values.size()) + 1);
            values.push_back(point.value);
        }
        return values;
    }
    /// Of a model with such a name the first event is larger than a pipe: its writer can be caught there.
    static std::string long_name() { return std::string(50'000, 'n'); }
    [[nodiscard]] RunId newest_run() const {
        Workspace workspace = this->workspace();
        return must(list_runs(workspace)).back().id;
    }
};

const Words long_run{"--no-baseline", "--epochs", "60", "--method", "fomaml", "--inner-steps", "3"};

TEST_F(Resumed, KilledItGoesOnToTheSameBits) {
    trained("whole", long_run);
    const std::vector<double> expected = losses(newest_run());
    // Runs differ in their name alone, which is no part of a model.
    for (int epochs : {1, 7, 20}) {
        const std::string name = "killed" + std::to_string(epochs);
        Words words = train_words(name, long_run);
        words.insert(words.end(), {"--progress", "json"});
        {
            ChildProcess child(command_line(words), folder());
            follow(child, "epoch", epochs + 1); // told before it is saved: the one before it is there
            child.send(SIGKILL);
            EXPECT_EQ(child.finish().signal, SIGKILL);
        }
        const Outcome resumed = run(words);
        ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
        const Json start = events(resumed.out).front();
        ASSERT_TRUE(start["resumed_at"].is_object()) << start;
        EXPECT_GE(start["resumed_at"]["epoch"], epochs + 1);
        EXPECT_EQ(exported(name), exported("whole"));
        EXPECT_EQ(losses(newest_run()), expected) << "every step is kept once";
    }
}

TEST_F(Resumed, CtrlCSavesWhereItStandsAndTheSameCommandGoesOn) {
    trained("whole", long_run);
    for (const int signal : {SIGINT, SIGTERM}) {
        const std::string name = signal == SIGINT ? "interrupted" : "terminated";
        Words words = train_words(name, long_run);
        words.insert(words.end(), {"--progress", "json"});
        ChildProcess child(command_line(words), folder());
        follow(child, "epoch", 3);
        child.send(signal);
        const Outcome stopped = child.finish();
        EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
        const Json end = events(stopped.out).back();
        EXPECT_EQ(end["event"], "end");
        EXPECT_EQ(end["ending"], "stopped");
        EXPECT_EQ(end["model"], nullptr);
        EXPECT_EQ(end["complete"], false);
        EXPECT_EQ(end["stopped"], true);
        {
            Workspace workspace = this->workspace();
            EXPECT_EQ(must(list_runs(workspace)).back().state, RunState::Stopped);
            const RunId id = must(list_runs(workspace)).back().id;
            EXPECT_TRUE(must(find_training_state(workspace, id)));
            const auto worked = must(list_metric(workspace, id, "run/seconds"));
            ASSERT_EQ(worked.size(), 1U);
            EXPECT_LE(worked[0].value, end["seconds"].get<double>());
            must(record_metric(workspace, id, "run/seconds", {0, 1000}));
        }
        const Outcome resumed = run(words);
        EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
        EXPECT_GT(events(resumed.out).back()["seconds"], 1000) << "those before it was stopped count";
        EXPECT_EQ(exported(name), exported("whole"));
    }
}

TEST_F(Resumed, TheBestOfAStoppedRunCanBeKept) {
    Words words = train_words("early", long_run);
    words.insert(words.end(), {"--progress", "json"});
    {
        ChildProcess child(command_line(words), folder());
        follow(child, "epoch", 2);
        child.send(SIGINT);
        EXPECT_EQ(child.finish().exit_code, 130);
    }
    words.emplace_back("--finish");
    const Outcome finished = run(words);
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    const Json end = events(finished.out).back();
    EXPECT_EQ(end["model"], "early");
    EXPECT_EQ(end["ending"], "stopped");
    EXPECT_TRUE(end["metrics"].contains("ordered_pair_accuracy"));
    words.back() = "--again";
    words[2] = "other";
    words.back() = "--finish";
    EXPECT_NE(run(words).exit_code, 0) << "there is nothing to finish";
}

TEST_F(Resumed, KeepMakesAModelWhenItIsStopped) {
    Words words = train_words("early", long_run);
    words.insert(words.end(), {"--progress", "json", "--keep"});
    ChildProcess child(command_line(words), folder());
    follow(child, "epoch", 2);
    child.send(SIGINT);
    const Outcome kept = child.finish();
    EXPECT_EQ(kept.exit_code, 0) << kept.err;
    EXPECT_EQ(events(kept.out).back()["model"], "early");
}

TEST_F(Resumed, AgainGoesOnWithWhatAnInterruptedAgainHasBegun) {
    trained("model", long_run);
    const RunId first = newest_run();
    Words words = train_words("model", long_run);
    words.insert(words.end(), {"--progress", "json", "--again"});
    {
        ChildProcess child(command_line(words), folder());
        follow(child, "epoch", 3);
        child.send(SIGINT);
        EXPECT_EQ(child.finish().exit_code, 130);
    }
    const RunId second = newest_run();
    EXPECT_NE(second, first);
    Words plain = train_words("model", long_run);
    plain.insert(plain.end(), {"--progress", "json"});
    const Outcome done = run(plain);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(done.err, ::testing::HasSubstr("was trained with these settings before"));
    EXPECT_EQ(events(done.out).back()["run"], static_cast<std::int64_t>(first));
    const Outcome resumed = run(words);
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_TRUE(events(resumed.out).front()["resumed_at"].is_object());
    EXPECT_EQ(newest_run(), second);
    ASSERT_EQ(run(words).exit_code, 0);
    EXPECT_NE(newest_run(), second) << "finished, it is done again";
}

TEST_F(Resumed, ChangedTimesMakeAnotherRun) {
    Words words = train_words("model", long_run);
    words.insert(words.end(), {"--progress", "json"});
    {
        ChildProcess child(command_line(words), folder());
        follow(child, "epoch", 2);
        child.send(SIGINT);
        EXPECT_EQ(child.finish().exit_code, 130);
    }
    {
        Workspace workspace = this->workspace();
        const MachineId machine = must(recorded_machine(workspace, "first"));
        const WorkloadId matrix = must(find_matrix(workspace, "uniform-3"))->id;
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(123);
        measurement.repeats = 30;
        must(record_measurement(workspace, {matrix, machine, 32, "waco"},
                                canonical(fixed_csr(Operator::SpMM, 2)), measurement));
    }
    const Outcome changed = run(words);
    ASSERT_EQ(changed.exit_code, 0) << changed.err;
    EXPECT_EQ(events(changed.out).front()["resumed_at"], nullptr) << "as many times, but another one";
}

TEST_F(Resumed, StoppedWhileTreesAreTrainedItIsStoppedAndNotFailed) {
    Words words = train_words(long_name(), {"--architecture", "trees", "--progress", "json"});
    {
        ChildProcess child(command_line(words), folder());
        child.send_while_it_writes(SIGINT);
        const Outcome stopped = child.finish();
        EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
        EXPECT_EQ(events(stopped.out).back()["ending"], "stopped");
        Workspace workspace = this->workspace();
        EXPECT_EQ(must(list_runs(workspace)).back().state, RunState::Stopped);
        EXPECT_TRUE(must(list_models(workspace)).empty());
    }
    const RunId run_id = newest_run();
    EXPECT_EQ(run(words).exit_code, 0);
    EXPECT_EQ(newest_run(), run_id) << "it goes on";
}

TEST_F(Resumed, KeepBeforeTheFirstStepKeepsNothingAndSaysSo) {
    const Words words = train_words(long_name(), {"--no-baseline", "--progress", "json", "--keep"});
    ChildProcess child(command_line(words), folder());
    child.send_while_it_writes(SIGINT);
    const Outcome stopped = child.finish();
    EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
    EXPECT_EQ(events(stopped.out).back()["model"], nullptr);
    EXPECT_THAT(stopped.err, ::testing::HasSubstr("there is nothing to keep yet"));
    Workspace workspace = this->workspace();
    EXPECT_TRUE(must(list_models(workspace)).empty()) << "of random weights";
}

TEST_F(Resumed, OneProcessAtATimeTrainsAName) {
    const Words endless{"--no-baseline", "--epochs", "1000000"};
    Words words = train_words("model", endless);
    words.insert(words.end(), {"--progress", "json"});
    ChildProcess child(command_line(words), folder());
    follow(child, "epoch", 1);
    const Outcome second = run(words);
    EXPECT_EQ(second.exit_code, 1);
    EXPECT_THAT(second.err, ::testing::ContainsRegex("model is being trained by process [0-9]+ since 20"));
    const Outcome with_others = run(train_words("model", {"--no-baseline", "--epochs", "2"}));
    EXPECT_EQ(with_others.exit_code, 1) << "the model of the name would be lost for one of them";
    EXPECT_EQ(run(train_words("another", {"--no-baseline", "--epochs", "2"})).exit_code, 0);
    {
        Workspace workspace = this->workspace();
        const auto holders = must(live_holders(workspace));
        ASSERT_EQ(holders.size(), 1U);
        EXPECT_EQ(holders.front().run, must(list_runs(workspace)).front().id);
    }
    child.send(SIGKILL);
    (void)child.finish();
    {
        Workspace workspace = this->workspace();
        EXPECT_TRUE(must(live_holders(workspace)).empty());
    }
    ChildProcess resumed(command_line(words), folder());
    const auto start = resumed.next_line();
    ASSERT_TRUE(start);
    EXPECT_TRUE(parsed(*start)["resumed_at"].is_object()) << *start;
    resumed.send(SIGINT);
    EXPECT_EQ(resumed.finish().exit_code, 130);
}

TEST_F(Resumed, RenewMakesAnewWhatIsOfOtherSettings) {
    trained("model", {"--no-baseline"});
    const std::string before = exported("model");
    Words words = train_words("model", {"--no-baseline", "--progress", "json", "--renew"});
    const auto same = events(run(words).out);
    EXPECT_EQ(same.front()["replaces"], nullptr);
    EXPECT_EQ(exported("model"), before) << "nothing has changed";
    const Words changed =
        train_words("model", {"--no-baseline", "--progress", "json", "--renew", "--epochs", "3"});
    const Outcome outcome = run(changed);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(events(outcome.out).front()["replaces"],
              "model was made by other settings, and is made anew: what differs is epochs");
    EXPECT_NE(exported("model"), before);
    Workspace workspace = this->workspace();
    EXPECT_EQ(must(list_models(workspace)).size(), 1U);
}

TEST_F(Resumed, ANameThatIsTakenSaysWhatDiffersAndHowToMakeItAnew) {
    trained("model", {"--no-baseline"});
    const Outcome refused = run(train_words("model", {"--no-baseline", "--epochs", "3"}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("there is a model called model already"));
    EXPECT_THAT(refused.err, HasSubstr("with other settings (epochs): use another name, or --renew"));
    (void)exported("model");
    ASSERT_EQ(run({"models", "import", "model.model", "--name", "foreign"}).exit_code, 0);
    const Outcome foreign = run(train_words("foreign", {"--no-baseline"}));
    EXPECT_EQ(foreign.exit_code, 2);
    EXPECT_EQ(foreign.err.find("--renew"), std::string::npos) << "no run made it: --renew would not help";
}

TEST_F(Resumed, AModelThatTookTheNameMeanwhileIsNotReplaced) {
    trained("model", {"--no-baseline"});
    (void)exported("model");
    Words words = train_words("model", {"--no-baseline", "--epochs", "1000000", "--again", "--keep"});
    words.insert(words.end(), {"--progress", "json"});
    ChildProcess child(command_line(words), folder());
    follow(child, "epoch", 1);
    ASSERT_EQ(run({"models", "remove", "model"}).exit_code, 0);
    ASSERT_EQ(run({"models", "import", "model.model", "--name", "model"}).exit_code, 0);
    child.send(SIGINT);
    const Outcome outcome = child.finish();
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, ::testing::HasSubstr("another model took the name model meanwhile"));
    Workspace workspace = this->workspace();
    EXPECT_FALSE(must(find_model(workspace, "model"))->run) << "it is the one that was imported";
}

TEST_F(Resumed, RenewLeavesAModelThatNoRunMadeAlone) {
    trained("model", {"--no-baseline"});
    (void)exported("model");
    ASSERT_EQ(run({"models", "import", "model.model", "--name", "mine"}).exit_code, 0);
    const Outcome outcome = run(train_words("mine", {"--no-baseline", "--renew"}));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, ::testing::HasSubstr("there is a model called mine already"));
}

TEST_F(Resumed, AFinishedRunIsToldAgainAsItWas) {
    const Words words = train_words("model", {"--json"});
    const Json first = parsed(run(words).out);
    EXPECT_GT(first["best_epoch"], 0);
    EXPECT_GT(first["seconds"], 0);
    EXPECT_EQ(parsed(run(words).out), first);
    const Words trees = train_words("trees", {"--json", "--architecture", "trees"});
    const Json of_trees = parsed(run(trees).out);
    EXPECT_EQ(parsed(run(trees).out), of_trees);
}

TEST_F(Resumed, ASignalIsHeardWhileTheLibrariesAreLoaded) {
    for (const int signal : {SIGINT, SIGTERM}) {
        Words words = command_line(train_words("early", long_run));
        // Without the settings of the libraries the program loads itself a second time.
        const Words without{"/usr/bin/env", "-u", "OMP_WAIT_POLICY", "-u", "OPENBLAS_CORETYPE"};
        words.insert(words.begin(), without.begin(), without.end());
        ChildProcess child(words, folder());
        child.send_while_it_is_held(signal);
        const Outcome outcome = child.finish();
        EXPECT_EQ(outcome.signal, 0);
        EXPECT_EQ(outcome.exit_code, 130);
        EXPECT_THAT(outcome.err, ::testing::HasSubstr("stopped before it began"));
    }
}

TEST_F(Resumed, AMemoryLimitThatIsTooSmallToLoadTheLibrariesIsTold) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer itself needs more address space";
#endif
    Words words = command_line({"models", "list"});
    words.insert(words.begin(), {"/bin/sh", "-c", R"(ulimit -v "$0" && exec "$@")", "700000"});
    ChildProcess child(words, folder());
    const Outcome outcome = child.finish();
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the memory limit (ulimit -v) is below 1 GiB"));
}

TEST_F(Resumed, WhatWasStoppedBeforeItsFirstStepIsNoModel) {
    Words words = train_words("early", long_run);
    words.insert(words.end(), {"--progress", "json"});
    {
        ChildProcess child(command_line(words), folder());
        follow(child, "start", 1);
        child.send(SIGKILL);
        (void)child.finish();
    }
    {
        Workspace workspace = this->workspace();
        must(remove_training_state(workspace, newest_run()));
    }
    words.emplace_back("--finish");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, ::testing::HasSubstr("stopped before the first step"));
    Workspace workspace = this->workspace();
    EXPECT_FALSE(must(find_model(workspace, "early"))) << "of random weights";
}

} // namespace sparsight::testing

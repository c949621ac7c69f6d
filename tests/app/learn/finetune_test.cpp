#include "app/learn/learn_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"

#include <cmath>
#include <csignal>
#include <cstring>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <zlib.h>

namespace sparsight::testing {

using ::testing::Contains;
using ::testing::HasSubstr;

class Finetune : public LearnTest {
protected:
    Finetune() { trained("meta", {"--no-baseline", "--machines", "first", "--epochs", "20"}); }

    static Words words(const std::string& name, const Words& more = {}) {
        Words words{"finetune", "--model", "meta", "--machine", "second", "--name",
                    name,       "--dense", "32",   "--threads", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    void store_split(const std::string& name, const std::vector<int>& train,
                     const std::vector<int>& validation, const std::vector<int>& test) const {
        Workspace workspace = this->workspace();
        Split split{name, {}};
        for (const auto& [part, places] :
             {std::pair(SplitPart::Train, &train), std::pair(SplitPart::Validation, &validation),
              std::pair(SplitPart::Test, &test)})
            for (const int place : *places)
                split[part].push_back(must(find_matrix(workspace, fmt::format("uniform-{}", place)))->id);
        must(save_split(workspace, split));
    }
};

TEST_F(Finetune, AdaptsToAMachineThatTheModelDidNotKnow) {
    const Json summary = answer(words("tuned", {"--epochs", "20"}));
    EXPECT_EQ(keys(summary),
              (Words{"run", "model", "verdict", "gained_by", "asked", "used", "before", "after",
                     "simulator_alone", "doubt", "reliability", "remarks", "shots", "seconds"}));
    EXPECT_EQ(summary["gained_by"], "network");
    EXPECT_EQ(summary["simulator_alone"], Json::object()) << "no simulator is in it";
    EXPECT_EQ(summary["remarks"], Json::array());
    EXPECT_GT(summary["after"]["ordered_pair_accuracy"], summary["before"]["ordered_pair_accuracy"]);
    EXPECT_EQ(summary["shots"], Json::array());
    const Json shown = answer({"models", "show", "tuned"});
    EXPECT_EQ(shown["parent"], "meta");
    EXPECT_EQ(shown["machines"], Json({"second"}));
    EXPECT_EQ(shown["metrics"], summary["after"]);
}

TEST_F(Finetune, AdaptsToASimulatedMachineThatHasNoRuntimesYet) {
    add_simulated_machine("mine");
    Words to_mine = words("tuned", {"--epochs", "2"});
    *std::ranges::find(to_mine, "second") = "mine";
    const Json summary = answer(to_mine);
    EXPECT_TRUE(summary["after"].contains("ordered_pair_accuracy"));
    EXPECT_EQ(answer({"models", "show", "tuned"})["machines"], Json({"mine"}));
    add_one_simulated_time("mine");
    Words again = words("again", {"--epochs", "2"});
    *std::ranges::find(again, "second") = "mine";
    EXPECT_EQ(answer(again)["after"], summary["after"]) << "a stored time does not take the others away";
}

TEST_F(Finetune, SaysWhichOfTheGivenOptionsHaveNoEffect) {
    const Outcome tuned = run(words("tuned", {"--test-share", "0.5", "--seeds", "3", "--inner-rate", "0.1"}));
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
    EXPECT_THAT(tuned.err,
                HasSubstr("--test-share has no effect: the split meta says which matrices are for what"));
    EXPECT_THAT(tuned.err, HasSubstr("--seeds has no effect: only the shot curve reads that (--shots)"));
    EXPECT_THAT(tuned.err, HasSubstr("--inner-rate has no effect: the rule adam has no inner steps"));
}

TEST_F(Finetune, TellsThatTheMachineIsNotNewToTheModel) {
    Words known = words("known");
    *std::ranges::find(known, "second") = "first";
    EXPECT_THAT(run(known).err, HasSubstr("meta was already trained on first"));
    EXPECT_THAT(run(words("new")).err, ::testing::Not(HasSubstr("already trained on")));
}

class FinetuneOfABlend : public Finetune {
protected:
    FinetuneOfABlend() {
        Workspace workspace = this->workspace();
        const ModelRecord meta = *must(find_model(workspace, "meta"));
        Json description = Json::parse(meta.description);
        description["blend"] = {
            {"network", 0.5}, {"simulator", 2}, {"dense", 32}, {"machine", Json::object()}};
        (void)must(add_model(workspace, {"blend", {}, {}, description.dump()},
                             blended(must(load_weights(workspace, meta.id)), description["blend"])));
    }

private:
    /// The file of a model with this blend: a name of 8 bytes, a version of 4, a checksum of 4 of the rest,
    /// the length of the description in 8, the description, and the weights.
    static std::vector<std::byte> blended(std::span<const std::byte> file, const Json& blend) {
        std::string bytes(reinterpret_cast<const char*>(file.data()), file.size());
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data() + 16, sizeof length);
        auto description = nlohmann::ordered_json::parse(bytes.substr(24, length));
        description["blend"] = blend;
        const std::string text = description.dump();
        const std::uint64_t new_length = text.size();
        std::string checked(reinterpret_cast<const char*>(&new_length), sizeof new_length);
        checked += text + bytes.substr(24 + length);
        const auto sum = static_cast<std::uint32_t>(
            crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())));
        bytes.resize(12);
        bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum) += checked;
        const auto view = std::as_bytes(std::span(bytes));
        return {view.begin(), view.end()};
    }
};

TEST_F(FinetuneOfABlend, AdaptsItsNetworkAlone) {
    const Json of_network = answer(words("from-network", {"--split", "meta"}));
    Words of_blend = words("from-blend", {"--split", "meta"});
    *std::ranges::find(of_blend, "meta") = "blend";
    const Json tuned = answer(of_blend);
    EXPECT_EQ(tuned["after"], of_network["after"]);
    EXPECT_NE(tuned["before"], of_network["before"]) << "as it scored";
    EXPECT_THAT(tuned["remarks"].dump(), HasSubstr("the network alone is adapted"));
    EXPECT_THAT(tuned["remarks"].dump(), HasSubstr("was calibrated to first, and tells nothing of second"));
    EXPECT_FALSE(answer({"models", "show", "from-blend"})["description"].contains("blend"));
}

TEST_F(FinetuneOfABlend, ItIsStillShownAndSearchesAsWhatItIs) {
    EXPECT_THAT(
        run({"models", "show", "blend"}).out,
        HasSubstr("score = 0.5 · network + 2 · ln(milliseconds simulated on first, as calibrated, with "
                  "dense extent 32)"));
    const Json chosen = answer({"search", "--model", "blend", "--matrix", "uniform-0", "--dense", "32",
                                "--machine", "first", "--method", "index", "--k", "3"});
    EXPECT_GT(chosen["matrices"][0]["simulated"], 3);
    EXPECT_EQ(chosen["matrices"][0]["blend"], (Json{{"network", 0.5}, {"simulator", 2.0}}));
}

TEST_F(Finetune, TestsWithMatricesThatNeitherItNorTheModelLearnedFrom) {
    (void)answer(words("tuned"));
    const Json meta = answer({"models", "show", "meta"})["matrix_names"];
    for (const Json& learned : answer({"models", "show", "tuned"})["matrix_names"])
        EXPECT_THAT(meta, Contains(learned)) << "of the training part of the model's own split";
}

TEST_F(Finetune, ComparesWhatMatricesBuy) {
    const Outcome outcome = run(words("curve", {"--shots", "0,1,5,1000", "--seeds", "2", "--against",
                                                "scratch", "--scratch-epochs", "5", "--progress", "json"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto all = events(outcome.out);
    const auto shots = events_called(all, "shot");
    ASSERT_EQ(shots.size(), 8U) << "four numbers of matrices, two contenders";
    EXPECT_EQ(shots[0]["contender"], "meta");
    EXPECT_EQ(shots[1]["contender"], "scratch");
    EXPECT_EQ(shots[0]["seeds"].size(), 2U);
    EXPECT_EQ(keys(shots[0]["mean"]["loss"]), (Words{"mean", "low", "high"}));
    EXPECT_LT(shots.back()["shots"], 14) << "as many as there are";
    EXPECT_THAT(events_called(all, "start")[0]["notes"].dump(),
                HasSubstr("--shots 1000 asks for more matrices than there are"));
    EXPECT_EQ(all.back()["shots"].size(), 8U);
    Workspace workspace = this->workspace();
    const auto stored = must(list_metric(workspace, must(list_runs(workspace)).back().id,
                                         "shots/scratch/ordered_pair_accuracy/mean"));
    ASSERT_EQ(stored.size(), 4U);
    EXPECT_EQ(stored[1].step, 1);

    const Json again = answer(words(
        "curve", {"--shots", "0,1,5,1000", "--seeds", "2", "--against", "scratch", "--scratch-epochs", "5"}));
    EXPECT_EQ(again["shots"].size(), 8U) << "the same once more is only told";
    EXPECT_EQ(must(list_runs(workspace)).size(), 2U);
}

TEST_F(Finetune, AnAgainThatWasInterruptedGoesOnAndIsThenDoneAgain) {
    const auto runs = [this] {
        Workspace workspace = this->workspace();
        return must(list_runs(workspace));
    };
    ASSERT_EQ(run(words("curve")).exit_code, 0);
    const std::size_t before = runs().size();
    const Words again =
        words("curve", {"--shots", "0,1,2,3,4,5", "--seeds", "4", "--again", "--progress", "json"});
    {
        ChildProcess child(command_line(again), folder());
        for (auto line = child.next_line(); line && parsed(*line)["event"] != "shot";
             line = child.next_line()) {
        }
        child.send(SIGINT);
        EXPECT_EQ(child.finish().exit_code, 130);
    }
    ASSERT_EQ(runs().size(), before + 1);
    EXPECT_EQ(runs().back().state, RunState::Stopped);
    const Outcome resumed = run(again);
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(events_called(events(resumed.out), "shot").size(), 6U);
    EXPECT_GE(events(resumed.out).front()["resumed_at"]["points"], 1);
    EXPECT_EQ(events(resumed.out).front()["resumed_at"]["epoch"], 1);
    EXPECT_EQ(runs().size(), before + 1) << "it goes on";
    EXPECT_EQ(runs().back().state, RunState::Finished);
    ASSERT_EQ(run(again).exit_code, 0);
    EXPECT_EQ(runs().size(), before + 2) << "finished, it is done again";
}

TEST_F(Finetune, IsToldAgainAsItWas) {
    const Json first = answer(words("tuned", {"--shots", "1,3", "--seeds", "2"}));
    EXPECT_GT(first["seconds"], 0);
    const Json again = answer(words("tuned", {"--shots", "1,3", "--seeds", "2"}));
    for (const char* key :
         {"run", "model", "before", "after", "simulator_alone", "remarks", "shots", "seconds"})
        EXPECT_EQ(again[key], first[key]) << key;
    const auto told =
        events(run(words("tuned", {"--shots", "1,3", "--seeds", "2", "--progress", "json"})).out);
    EXPECT_EQ(told.front()["event"], "start");
    EXPECT_EQ(told.front()["run"], first["run"]);
}

TEST_F(Finetune, RenewFollowsItsModel) {
    ASSERT_EQ(run(words("tuned")).exit_code, 0);
    trained("meta", {"--no-baseline", "--machines", "first", "--epochs", "20", "--again"});
    const Outcome renewed = run(words("tuned", {"--renew"}));
    ASSERT_EQ(renewed.exit_code, 0) << renewed.err;
    EXPECT_THAT(renewed.err, HasSubstr("tuned was made by other settings, and is made anew: what differs is "
                                       "model_ids"));
}

TEST_F(Finetune, RefusesWhatCannotBe) {
    trained("trees", {"--architecture", "trees"});
    EXPECT_THAT(
        run({"finetune", "--model", "trees", "--machine", "second", "--name", "x", "--dense", "32"}).err,
        HasSubstr("trees, which can't be fine-tuned"));
    EXPECT_THAT(run(words("x", {"--matrices", "uniform-1,y"})).err,
                HasSubstr("the matrix 'y' was not measured"));
    EXPECT_THAT(run(words("x", {"--against", "nobody", "--shots", "1"})).err, HasSubstr("no model 'nobody'"));
    EXPECT_EQ(run(words("meta")).exit_code, 2) << "the name is taken";
    EXPECT_EQ(run(words("x", {"--shots", "few"})).exit_code, 2);
    EXPECT_EQ(run(words("x", {"--rule", "luck"})).exit_code, 2);
    EXPECT_THAT(run(words("x", {"--simulator", "calibrated"})).err, HasSubstr("--simulator"))
        << "no blends are made any more";
    EXPECT_EQ(run({"finetune", "--name", "x", "--machine", "second"}).exit_code, 2) << "of which model?";
}

TEST_F(Finetune, TestsWithNothingThatTheModelItsAncestorsOrRivalsLearnedFrom) {
    store_split("own", {0, 1, 2, 3, 4, 5}, {6}, {7, 8, 9, 10, 11, 12, 13});
    store_split("other", {7, 8}, {6}, {9});
    trained("ancestor", {"--no-baseline", "--machines", "first", "--split", "own"});
    trained("rival", {"--no-baseline", "--machines", "first", "--split", "other"});
    const auto tuned = [this](const std::string& model, const std::string& name, const Words& more = {}) {
        Words words{"finetune", "--model",    model, "--machine",  "second", "--name",  name, "--threads",
                    "1",        "--matrices", "3",   "--progress", "json",   "--dense", "32"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return events(outcome.out).front()["matrices"]["test"];
    };
    EXPECT_EQ(tuned("ancestor", "once"), 7) << "by the split of its run, which has another name";
    EXPECT_EQ(tuned("once", "twice"), 7) << "by that of its ancestor";
    EXPECT_EQ(tuned("once", "compared", {"--against", "rival"}), 5) << "the rival learned from two of them";
    const Json learned = answer({"models", "show", "ancestor"})["matrix_names"];
    for (const char* name : {"once", "twice"})
        for (const Json& matrix : answer({"models", "show", name})["matrix_names"])
            EXPECT_THAT(learned, Contains(matrix));
    const Outcome by_other = run({"finetune", "--model", "ancestor", "--machine", "second", "--name", "x",
                                  "--dense", "32", "--split", "other", "--against", "rival"});
    EXPECT_EQ(by_other.exit_code, 0) << by_other.err;
    store_split("validated", {7, 8}, {}, {6, 9});
    EXPECT_EQ(tuned("ancestor", "honest", {"--split", "validated"}), 1) << "the other selected its weights";
    store_split("seen", {7, 8}, {6}, {0, 1});
    EXPECT_THAT(run({"finetune", "--model", "ancestor", "--machine", "second", "--name", "y", "--dense", "32",
                     "--split", "seen"})
                    .err,
                HasSubstr("no matrix is left to test with"));
}

TEST_F(Finetune, SaysWhereThereAreFewerMatricesThanWereAskedFor) {
    const Outcome outcome = run(words("tuned", {"--matrices", "100"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("used: there are no more to learn from (at most 100 would be)"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("asked for"))) << "it was told before";
}

TEST_F(Finetune, IsAnotherRunOfAModelThatWasTrainedAnew) {
    (void)answer(words("tuned"));
    trained("meta", {"--no-baseline", "--machines", "first", "--epochs", "20", "--again"});
    const Outcome outcome = run(words("tuned"));
    EXPECT_EQ(outcome.exit_code, 2) << "not done before: the name is taken";
}

class Transfer : public LearnTest {
protected:
    /// `more` takes the place of what it says differently.
    static Words words(const Words& more = {}) {
        Words words{"transfer"};
        for (const auto& [option, value] :
             std::vector<std::pair<std::string, std::string>>{{"--dense", "32"},
                                                              {"--steps", "4"},
                                                              {"--tuning-epochs", "2"},
                                                              {"--seeds", "2"},
                                                              {"--shots", "0,3"},
                                                              {"--family", "2"},
                                                              {"--support-matrices", "2"},
                                                              {"--query-matrices", "2"},
                                                              {"--schedules-per-matrix", "8"},
                                                              {"--threads", "1"}})
            if (std::ranges::find(more, option) == more.end())
                words.insert(words.end(), {option, value});
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    /// A workspace with the same content.
    void copy(const std::string& name) const { std::filesystem::copy_file(file(), folder() / name); }
    [[nodiscard]] Json compared(const Words& more) const {
        Words all = words(more);
        all.emplace_back("--json");
        const Outcome outcome = run(all);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return parsed(outcome.out);
    }
};

TEST_F(Transfer, GivesEverySourceTheSameBudgetOnEveryTarget) {
    const Json json = compared({});
    ASSERT_EQ(json["targets"].size(), 2);
    EXPECT_EQ(json["targets"][0]["machine"], "first");
    EXPECT_EQ(json["targets"][0]["imagined_from"], "second");
    EXPECT_EQ(json["targets"][1]["imagined_from"], "first");
    EXPECT_EQ(json["points"].size(), 2 * 2 * 5 * 2) << "targets, seeds, sources, shots";
    std::map<std::string, std::int64_t> machines;
    std::set<std::int64_t> examples;
    ASSERT_EQ(json["trainings"].size(), 2 * 2 * 4) << "nothing is trained for the reference";
    for (const Json& training : json["trainings"]) {
        machines[training["source"].get<std::string>()] = training["machines"].get<std::int64_t>();
        examples.insert(training["examples"].get<std::int64_t>());
    }
    EXPECT_EQ(machines, (std::map<std::string, std::int64_t>{
                            {"paper", 2}, {"family", 2}, {"real", 1}, {"family+real", 3}}));
    EXPECT_EQ(examples, std::set<std::int64_t>{4 * 1 * 4 * 8})
        << "steps, machines of a step as the real one is alone, matrices, schedules";
    for (const Json& point : json["points"]) {
        EXPECT_GT(point["metrics"]["ordered_pair_accuracy"], 0.0);
        EXPECT_EQ(point["metrics"].contains("regret_at_20"), true);
    }
}

TEST_F(Transfer, KilledItGoesOnToTheSameFiguresAndDoesNothingTwice) {
    copy("other.sparsight");
    const Words own{"--targets", "first", "--sources", "scratch,family,real"};
    const Json whole = compared(own);
    Words events_of = words(own);
    events_of.insert(events_of.end(), {"--workspace", "other.sparsight", "--progress", "json"});
    for (const int signal : {SIGKILL, SIGINT}) {
        ChildProcess child(command_line(events_of), folder());
        for (int points = 3; points > 0;) {
            const auto line = child.next_line();
            ASSERT_TRUE(line) << "it ended before";
            points -= parsed(*line)["event"] == "point" ? 1 : 0;
        }
        child.send(signal);
        const Outcome stopped = child.finish();
        EXPECT_TRUE(stopped.signal == SIGKILL || stopped.exit_code == 130) << stopped.err;
    }
    const Outcome resumed = run(events_of);
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    const auto told = events(resumed.out);
    EXPECT_EQ(told.front()["resumed"], true);
    EXPECT_LE(events_called(told, "point").size(), 12U - 6U) << "what was known is not done again";
    EXPECT_EQ(told.back()["points"], whole["points"]);
    EXPECT_EQ(told.back()["trainings"], whole["trainings"]);

    const Outcome again = run(events_of);
    EXPECT_EQ(events_called(events(again.out), "point").size(), 0);
    EXPECT_EQ(events(again.out).back()["points"], whole["points"]);
}

TEST_F(Transfer, WhatAnotherSimulatorSaidIsNotTakenForDone) {
    const Words own{"--targets", "first", "--sources", "scratch,family", "--seeds", "1"};
    const Json now = compared(own);
    {
        Workspace workspace = this->workspace();
        const auto runs = must(list_runs(workspace));
        ASSERT_EQ(runs.size(), 1U);
        Json parameters = parsed(runs[0].parameters);
        const char* const imagined = "sampled-1-0000 with the schedules of second";
        ASSERT_TRUE(parameters["data"].contains(imagined)) << parameters["data"].dump(1);
        EXPECT_FALSE(parameters["data"].contains("A with the schedules of second")) << "no source has it";
        parameters["data"][imagined]["digest"] = "0123456789abcdef";
        must(remove_run(workspace, runs[0].id));
        const RunId old = must(start_run(workspace, "experiment tasks", parameters.dump()));
        must(end_run(workspace, old, RunState::Finished));
    }
    const Json anew = compared(own);
    EXPECT_EQ(anew["points"], now["points"]);
    EXPECT_EQ(compared(own)["run"], anew["run"]) << "done before, by the same simulator";
}

TEST_F(Transfer, SaysWhatItNeeds) {
    EXPECT_THAT(
        run(words({"--targets", "third"})).err,
        HasSubstr("no machine 'third' was measured for spmm at a dense extent of 32; there are first; "
                  "second"));
    EXPECT_THAT(run(words({"--sources", "dreams"})).err, HasSubstr("expected scratch, paper, family, real"));
    EXPECT_THAT(run(words({"--dense", "64"})).err, HasSubstr("fewer than two machines have runtimes"));
    {
        Workspace workspace = this->workspace();
        const MachineId id = must(recorded_machine(workspace, "tiny"));
        for (const SuperSchedule& schedule :
             {canonical(fixed_csr(Operator::SpMM, 2)),
              must(parse_schedule(Operator::SpMM, "4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"))}) {
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(static_cast<double>(schedule.split(Index::I)));
            must(record_measurement(workspace, {must(list_matrices(workspace)).front().id, id, 32, "waco"},
                                    schedule, measurement));
        }
    }
    const Outcome few = run(words({"--targets", "tiny"}));
    EXPECT_THAT(few.err, HasSubstr("tiny has usable runtimes of 1 matrix"));
    EXPECT_THAT(few.err, HasSubstr("import-runtimes"));
    EXPECT_EQ(run(words({"--targets", "TIN"})).err, few.err) << "a beginning names the same machine";
}

class GrayBoxRuns : public Finetune {
protected:
    GrayBoxRuns() {
        trained("gray", {"--no-baseline", "--preset", "gray-box", "--simulated", "deviating:2", "--epochs",
                         "2", "--dense", "32"});
    }
};

TEST_F(GrayBoxRuns, AreAdaptedInClosedFormBesideTheirSimulator) {
    const Json summary =
        answer({"finetune", "--model", "gray", "--machine", "second", "--name", "tuned", "--threads", "1"});
    EXPECT_TRUE(summary["simulator_alone"].contains("ordered_pair_accuracy"));
    EXPECT_GE(summary["after"]["ordered_pair_accuracy"], summary["simulator_alone"]["ordered_pair_accuracy"]);
    const Json shown = answer({"models", "show", "tuned"});
    EXPECT_EQ(shown["architecture"], "gray-box");
    ASSERT_FALSE(shown["deviations"].empty());
    EXPECT_EQ(keys(shown["deviations"].front()), (Words{"parameter", "factor", "low", "high"}));
    EXPECT_EQ(answer({"models", "show", "gray"})["deviations"], Json::array()) << "nothing was measured";
    EXPECT_EQ(answer({"models", "show", "gray"})["doubt"], nullptr);
    EXPECT_EQ(keys(summary["doubt"]), (Words{"residual", "temperature", "reach", "calibrated_on"}));
    EXPECT_GT(summary["doubt"]["residual"], 0);
    EXPECT_EQ(keys(summary["reliability"]),
              (Words{"pairs", "matrices", "error", "uncalibrated_error", "within", "differences", "bins"}));
    EXPECT_EQ(shown["doubt"], summary["doubt"]);
    EXPECT_EQ(shown["reliability"], summary["reliability"]);
    EXPECT_THAT(run({"models", "show", "tuned"}).out, HasSubstr("how sure the model is of the order"));
    const Json again =
        answer({"finetune", "--model", "gray", "--machine", "second", "--name", "tuned", "--threads", "1"});
    EXPECT_EQ(again["reliability"], summary["reliability"]) << "told again as it was";
}

TEST_F(GrayBoxRuns, TellWhatTheirSimulatorOrdersWhileTheyTrain) {
    const Outcome outcome =
        run(train_words("other", {"--no-baseline", "--preset", "gray-box", "--simulated", "deviating:2",
                                  "--epochs", "2", "--dense", "32", "--progress", "json"}));
    const auto epochs = events_called(events(outcome.out), "epoch");
    ASSERT_EQ(epochs.size(), 2U) << outcome.err;
    for (const Json& epoch : epochs) {
        EXPECT_EQ(keys(epoch["validation_of_simulator"]), keys(epoch["validation"])) << "the same machines";
        EXPECT_EQ(epoch["validation_of_simulator"], epochs.front()["validation_of_simulator"])
            << "it learns nothing";
    }
    Workspace workspace = this->workspace();
    const RunId run_of_model = must(find_model(workspace, "other")).value().run.value();
    const auto stored =
        must(list_metric(workspace, run_of_model, "validation_of_simulator/ordered_pair_accuracy"));
    ASSERT_EQ(stored.size(), 2U);
    EXPECT_EQ(stored.front().value,
              epochs.front()["validation_of_simulator"]["overall"]["ordered_pair_accuracy"]);
}

TEST_F(GrayBoxRuns, AreComparedWithTheirParts) {
    const Json summary = answer({"finetune", "--model", "gray", "--machine", "second", "--name", "curve",
                                 "--threads", "1", "--shots", "0,2", "--seeds", "3", "--against",
                                 "simulator,scratch,trees,trees:simulator,meta,blend:meta"});
    std::set<std::string> contenders;
    for (const Json& shot : summary["shots"])
        contenders.insert(shot["contender"].get<std::string>());
    EXPECT_EQ(contenders, (std::set<std::string>{"gray", "simulator", "scratch", "trees", "trees:simulator",
                                                 "meta", "blend:meta"}));
    const auto pairs = [&](const char* contender) {
        for (const Json& shot : summary["shots"])
            if (shot["contender"] == contender && shot["shots"] == 0)
                return shot["mean"]["ordered_pair_accuracy"]["mean"].get<double>();
        return 0.0;
    };
    EXPECT_DOUBLE_EQ(pairs("gray"), pairs("simulator")) << "without measurements";
    EXPECT_DOUBLE_EQ(pairs("trees:simulator"), pairs("simulator"));
}

TEST_F(GrayBoxRuns, AdviseWhatToMeasure) {
    add_simulated_machine("mine");
    const Json advice = answer({"advise", "--model", "gray", "--machine", "mine", "--count", "3"});
    EXPECT_EQ(keys(advice), (Words{"model", "machine", "setting", "known", "matrices", "notes"}));
    EXPECT_EQ(advice["setting"], "spmm dense=32");
    EXPECT_EQ(advice["known"], 0);
    ASSERT_EQ(advice["matrices"].size(), 3);
    EXPECT_LT(advice["matrices"][2]["doubt_left"], advice["matrices"][0]["doubt_left"]);
    const Outcome of_network = run({"advise", "--model", "meta", "--machine", "mine"});
    EXPECT_EQ(of_network.exit_code, 1);
    EXPECT_THAT(of_network.err, HasSubstr("meta is no gray box"));
    EXPECT_THAT(run({"advise", "--model", "gray", "--machine", "first"}).out,
                HasSubstr("no matrix is left to measure on first"));
}

TEST_F(GrayBoxRuns, PredictTimesAndOtherModelsOnlyScores) {
    const std::string csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
    const std::string chunks = "4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
    ASSERT_EQ(run({"finetune", "--model", "gray", "--machine", "second", "--name", "tuned", "--threads", "1"})
                  .exit_code,
              0);
    const auto asked = [&](const std::string& model) {
        return answer({"predict", "--model", model, "--machine", "second", "--dense", "32", "--pair",
                       "uniform-0", csr, "--pair", "uniform-0", chunks});
    };
    const Json tuned = asked("tuned");
    EXPECT_EQ(keys(tuned), (Words{"model", "machine", "tells_times", "matrices", "operator", "dense"}));
    EXPECT_EQ(tuned["tells_times"], true);
    const Json& first = tuned["matrices"][0]["schedules"][0];
    const Json& second = tuned["matrices"][0]["schedules"][1];
    EXPECT_EQ(keys(first), (Words{"schedule", "score", "simulated_ms", "learned_ms", "low_ms", "high_ms",
                                  "beats_baseline", "corrections"}));
    EXPECT_EQ(first["low_ms"], nullptr) << "the baseline itself was measured";
    EXPECT_LT(second["low_ms"], second["learned_ms"]);
    EXPECT_GT(second["high_ms"], second["learned_ms"]);
    EXPECT_EQ(second["beats_baseline"].get<double>() > 0.5, second["score"] < first["score"]);
    // Learned times are as far apart as the scores say, and so are simulated times and their corrections.
    const double difference = second["score"].get<double>() - first["score"].get<double>();
    const auto ratio = [&](const char* key) {
        return std::log(second[key].get<double>() / first[key].get<double>());
    };
    EXPECT_NEAR(ratio("learned_ms"), difference, 1e-4);
    double corrected = 0;
    for (const auto& [key, value] : second["corrections"].items())
        corrected += value.get<double>() - first["corrections"][key].get<double>();
    EXPECT_NEAR(ratio("simulated_ms") + corrected, difference, 1e-3);
    EXPECT_GT(std::abs(corrected), 1e-6) << "it has learned something";
    const Json network = asked("meta");
    EXPECT_EQ(network["tells_times"], false);
    EXPECT_EQ(network["matrices"][0]["schedules"][0]["learned_ms"], nullptr);
    EXPECT_EQ(network["matrices"][0]["schedules"][0]["corrections"], nullptr);
    EXPECT_THAT(run({"predict", "--model", "tuned", "--machine", "second", "--pair", "nothing", csr}).err,
                HasSubstr("the workspace has no matrix 'nothing'"));
}

TEST_F(GrayBoxRuns, SayWhichPartMisledThemWhereTheyPreferTheSlowerSchedule) {
    int wrong = 0;
    for (int matrix = 0; matrix < matrices_of_two_machines && wrong == 0; ++matrix) {
        const Outcome outcome = run({"reasons", "--model", "gray", "--machine", "second", "--dense", "32",
                                     "--matrix", fmt::format("uniform-{}", matrix), "--schedule", "best",
                                     "--against", "csr", "--only", "anchors", "--budget", "200ms", "--json"});
        if (outcome.exit_code != 0) // fixed CSR is the best
            continue;
        const Json told = parsed(outcome.out);
        EXPECT_EQ(told.contains("misled"), told["right"] == false);
        if (!told.contains("misled"))
            continue;
        ++wrong;
        EXPECT_EQ(told["misled"]["by"], "both") << "it was adapted to nothing";
    }
    EXPECT_GT(wrong, 0) << "the simulator knows nothing of the invented times";
}

TEST_F(GrayBoxRuns, AreMadeForOneExtentOfTheDenseIndex) {
    const Outcome other =
        run({"finetune", "--model", "gray", "--machine", "second", "--name", "wide", "--dense", "64"});
    EXPECT_NE(other.exit_code, 0);
    EXPECT_THAT(other.err, HasSubstr("the model simulates 32"));
}

TEST_F(Finetune, InClosedFormIsForGrayBoxesAlone) {
    const Outcome other = run(words("tuned", {"--rule", "closed-form"}));
    EXPECT_NE(other.exit_code, 0);
    EXPECT_THAT(other.err, HasSubstr("meta is none: choose inner or adam"));
}

} // namespace sparsight::testing

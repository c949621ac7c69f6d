#include "app/learn/learn_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/schedules.h"

#include <set>

namespace sparsight::testing {

using ::testing::HasSubstr;

class Search : public LearnTest {
protected:
    Search() { trained("first", {"--no-baseline"}); }

    [[nodiscard]] Json chosen(const Words& more) const {
        Words words{"search", "--model", "first", "--matrix", "uniform-3", "--dense", "32", "--threads", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return answer(words)["matrices"][0];
    }
    /// Ascending scores, but for fixed CSR at the end where it was not chosen; each schedule once.
    static void expect_ranked(const Json& choice, std::size_t k) {
        const Json& candidates = choice["candidates"];
        ASSERT_GE(candidates.size(), k);
        ASSERT_LE(candidates.size(), k + 1);
        std::set<std::string> schedules;
        bool has_fixed_csr = false;
        for (std::size_t place = 0; place < candidates.size(); ++place) {
            EXPECT_EQ(candidates[place]["rank"], place + 1);
            schedules.insert(candidates[place]["schedule"]);
            const auto text = candidates[place]["schedule"].get<std::string>();
            has_fixed_csr = has_fixed_csr || text.starts_with("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1");
            if (place > 0 && place < k) {
                EXPECT_LE(candidates[place - 1]["score"], candidates[place]["score"]);
            }
        }
        EXPECT_EQ(schedules.size(), candidates.size());
        EXPECT_TRUE(has_fixed_csr);
    }
};

TEST_F(Search, WalksToNearlyTheSameAsScoringAll) {
    const Json walked = chosen({"--k", "10", "--method", "index"});
    EXPECT_EQ(keys(walked), (Words{"matrix", "method", "pool", "scored", "embedding_ms", "search_ms",
                                   "simulated", "designs", "simulating_ms", "blend", "recall", "recall_at",
                                   "exhaustive_ms", "candidates"}));
    EXPECT_EQ(walked["blend"], nullptr);
    EXPECT_EQ(walked["recall_at"], 10);
    EXPECT_EQ(walked["simulated"], nullptr) << "the simulator has a share in fine-tuned models alone";
    EXPECT_EQ(walked["method"], "index");
    EXPECT_GE(walked["recall"], 0.9);
    EXPECT_GT(walked["exhaustive_ms"], 0);
    expect_ranked(walked, 10);
    const Json all = chosen({"--k", "10", "--method", "exhaustive"});
    EXPECT_EQ(all["recall"], nullptr);
    EXPECT_EQ(all["exhaustive_ms"], nullptr);
    EXPECT_EQ(all["pool"], all["scored"]);
    EXPECT_EQ(all["pool"], walked["pool"]);
    EXPECT_GT(all["scored"], walked["scored"]);
    EXPECT_GE(all["scored"], 2000) << "neighbours of what was good, and more where that is little";
    expect_ranked(all, 10);
    EXPECT_NEAR(all["candidates"][0]["score"].get<double>(), walked["candidates"][0]["score"].get<double>(),
                1e-3);
}

TEST_F(Search, SaysWhereSchedulesLieAndHowTheWalkWent) {
    const Json choice = chosen({"--k", "10", "--ef", "30", "--map"});
    const Json& map = choice["map"];
    EXPECT_EQ(keys(map), (Words{"rows", "sampled", "explained", "nodes", "walk"}));
    EXPECT_LE(map["sampled"], 2000);
    EXPECT_GE(map["rows"], map["sampled"]);
    EXPECT_LE(map["rows"], choice["pool"]);
    const double x = map["explained"][0];
    const double y = map["explained"][1];
    EXPECT_GT(y, 0);
    EXPECT_GE(x, y) << "the first axis has most of the variance";
    EXPECT_LE(x + y, 1 + 1e-9);

    const Json& nodes = map["nodes"];
    const Json& candidates = choice["candidates"];
    std::set<std::string> schedules;
    for (const Json& node : nodes)
        EXPECT_TRUE(schedules.insert(node["schedule"]).second) << "each once";
    for (std::size_t place = 0; place < candidates.size(); ++place) {
        EXPECT_EQ(nodes[place]["schedule"], candidates[place]["schedule"]) << "those that were chosen first";
        EXPECT_NEAR(nodes[place]["score"].get<double>(), candidates[place]["score"].get<double>(), 1e-3);
    }
    const auto seen = std::ranges::count_if(nodes, [](const Json& node) { return node["seen"].get<bool>(); });
    EXPECT_LT(static_cast<std::size_t>(seen), nodes.size()) << "a walk leaves most out";

    const Json& walk = map["walk"];
    ASSERT_GE(walk.size(), 30U) << "it looks at the neighbours of all that it keeps in view";
    EXPECT_EQ(walk[0]["node"], walk[0]["from"]);
    std::set<std::size_t> expanded;
    for (const Json& step : walk) {
        const std::size_t node = step["node"];
        ASSERT_LT(node, nodes.size());
        EXPECT_TRUE(nodes[node]["seen"]);
        expanded.insert(node);
    }
    EXPECT_EQ(walk.back()["layer"], 0);
    EXPECT_TRUE(expanded.contains(0)) << "the walk came to the best";

    EXPECT_EQ(chosen({"--k", "10", "--ef", "30", "--map"})["map"], map) << "the same picture each time";
    EXPECT_FALSE(chosen({"--k", "10"}).contains("map")) << "only where it is asked for";
}

TEST_F(Search, AMapWithoutAWalkHasSeenAllOfThePool) {
    const Json choice = chosen({"--k", "5", "--method", "exhaustive", "--map"});
    EXPECT_EQ(choice["map"]["walk"], Json::array());
    EXPECT_TRUE(std::ranges::all_of(choice["map"]["nodes"],
                                    [](const Json& node) { return node["seen"].get<bool>(); }));
    const Json recorded = chosen({"--k", "5", "--machine", "second", "--map"});
    EXPECT_EQ(recorded["map"]["rows"], 25);
    EXPECT_GE(recorded["map"]["nodes"].size(), 25U);
}

TEST_F(Search, MapsAMatrixThatNothingWasRecordedOf) {
    {
        Workspace workspace = this->workspace();
        const auto pattern =
            must(generate_matrix("uniform", {{"rows", 60}, {"cols", 50}, {"density", 0.05}}, 99));
        must(add_matrix(workspace, {"unmeasured", "test", {}}, pattern));
    }
    const Json choice = answer({"search", "--model", "first", "--matrix", "unmeasured", "--dense", "32",
                                "--machine", "second", "--method", "recorded", "--map"})["matrices"][0];
    EXPECT_EQ(choice["map"]["rows"], 0);
    EXPECT_EQ(choice["map"]["nodes"].size(), 1U) << "fixed CSR, which is tried in any case";
    EXPECT_EQ(choice["candidates"].size(), 1U);
}

TEST_F(Search, TheMapIsAnEventOfItsOwn) {
    const Outcome outcome = run({"search", "--model", "first", "--matrix", "uniform-3", "--dense", "32",
                                 "--map", "--progress", "json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto all = events(outcome.out);
    ASSERT_EQ(events_called(all, "map").size(), 1U);
    EXPECT_EQ(events_called(all, "map")[0]["matrix"], "uniform-3");
    EXPECT_FALSE(events_called(all, "map")[0]["walk"].empty());
    EXPECT_FALSE(events_called(all, "choice")[0].contains("map"));
    EXPECT_FALSE(all.back()["matrices"][0].contains("map")) << "it is large";
}

TEST_F(Search, ScoresAllByItselfWhereThatIsSoonerAndSaysSo) {
    const Json choice = chosen({"--k", "10"});
    EXPECT_EQ(choice["method"], "exhaustive");
    EXPECT_EQ(choice["scored"], choice["pool"]);
    EXPECT_EQ(choice["candidates"], chosen({"--k", "10", "--method", "exhaustive"})["candidates"]);
    EXPECT_THAT(run({"search", "--model", "first", "--matrix", "uniform-3", "--dense", "32"}).out,
                HasSubstr("which is sooner than a walk"));
    EXPECT_EQ(chosen({"--k", "10", "--map"})["method"], "index") << "a map shows a walk";
}

TEST_F(Search, SaysWhichOfTheGivenOptionsHaveNoEffect) {
    const auto said = [this](const Words& options) {
        Words words{"search", "--model", "first", "--matrix", "uniform-3", "--dense", "32"};
        words.insert(words.end(), options.begin(), options.end());
        return run(words).err;
    };
    const std::string exhaustive = said({"--method", "exhaustive", "--budget", "50", "--ef", "9", "--map"});
    EXPECT_THAT(exhaustive, HasSubstr("--budget has no effect: only --method evolution and annealing"));
    EXPECT_THAT(exhaustive, HasSubstr("--ef has no effect: only --method index walks"));
    EXPECT_THAT(exhaustive, HasSubstr("--map has no effect"));
    EXPECT_THAT(said({"--method", "evolution", "--budget", "50"}), ::testing::Not(HasSubstr("no effect")));
}

TEST_F(Search, CountsWhatItBeginsWithInTheBudget) {
    for (const char* method : {"evolution", "annealing"})
        for (const int budget : {40, 400, 3000}) {
            const Json found = chosen({"--k", "5", "--method", method, "--budget", std::to_string(budget)});
            EXPECT_LE(found["scored"], budget) << method;
            EXPECT_GE(found["scored"], budget / 2) << method;
            expect_ranked(found, 5);
        }
}

TEST_F(Search, GoesBeyondThePool) {
    const double pool = chosen({"--k", "5", "--method", "exhaustive"})["candidates"][0]["score"];
    for (const char* method : {"evolution", "annealing"}) {
        const Json found = chosen({"--k", "5", "--method", method, "--budget", "3000"});
        EXPECT_EQ(found["method"], method);
        EXPECT_LE(found["candidates"][0]["score"].get<double>(), pool + 1e-5) << method;
        expect_ranked(found, 5);
    }
}

TEST_F(Search, ChoosesAmongWhatWasRecordedForARecordedMachine) {
    const Json choice = chosen({"--k", "5", "--machine", "second"});
    EXPECT_EQ(choice["method"], "recorded");
    EXPECT_EQ(choice["scored"], 25);
    expect_ranked(choice, 5);
    Words words{"search", "--model",  "first",    "--matrix", "uniform-3", "--machine",
                "second", "--method", "recorded", "--dense",  "64"};
    EXPECT_THAT(run(words).err, HasSubstr("needs a --machine that has runtimes"));
}

TEST_F(Search, TreesScoreThePool) {
    trained("trees", {"--architecture", "trees"});
    const Outcome outcome =
        run({"search", "--model", "trees", "--matrix", "uniform-3", "--dense", "32", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json choice = parsed(outcome.out)["matrices"][0];
    EXPECT_EQ(choice["method"], "exhaustive");
    expect_ranked(choice, 20);
    EXPECT_FALSE(answer({"search", "--model", "trees", "--matrix", "uniform-3", "--dense", "32",
                         "--map"})["matrices"][0]
                     .contains("map"))
        << "they have no embeddings";
}

TEST_F(Search, TellsEachMatrixAsItIsDone) {
    const Outcome outcome = run({"search", "--model", "first", "--matrix", "uniform-1", "--matrix",
                                 "uniform-2", "--dense", "32", "--progress", "json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto all = events(outcome.out);
    EXPECT_EQ(all.front()["event"], "start");
    ASSERT_EQ(events_called(all, "choice").size(), 2U);
    EXPECT_EQ(all.back()["matrices"].size(), 2U);
    EXPECT_EQ(all.back()["matrices"][0]["candidates"], events_called(all, "choice")[0]["candidates"]);
}

TEST_F(Search, KeepsWhatItChoseWithARun) {
    Workspace workspace = this->workspace();
    const RunId evaluation = must(start_run(workspace, "evaluate", "{}"));
    const Json choice =
        chosen({"--k", "4", "--store", std::to_string(static_cast<std::int64_t>(evaluation))});
    const auto stored = must(list_choices(workspace, evaluation));
    ASSERT_EQ(stored.size(), choice["candidates"].size());
    EXPECT_EQ(to_text(stored[0].chosen.schedule), choice["candidates"][0]["schedule"]);
}

TEST_F(Search, NamesTheModelOrMatrixThatIsNotThere) {
    EXPECT_THAT(run({"search", "--model", "second", "--matrix", "uniform-1"}).err,
                HasSubstr("the workspace has no model 'second'; it has first"));
    EXPECT_THAT(run({"search", "--model", "first", "--matrix", "x"}).err, HasSubstr("no matrix 'x'"));
    EXPECT_EQ(run({"search", "--model", "first", "--matrix", "x", "--method", "luck"}).exit_code, 2);
    EXPECT_EQ(run({"search", "--model", "first"}).exit_code, 2);
}

TEST_F(Search, KnowsNothingOfWhatWasMeasuredOfTheSearchedMatrix) {
    const Words words{"--k", "20", "--method", "exhaustive"};
    const Json before = chosen(words);
    {
        Workspace workspace = this->workspace();
        const MachineId machine = must(recorded_machine(workspace, "first"));
        const WorkloadId matrix = must(find_matrix(workspace, "uniform-3"))->id;
        Random random(77);
        for (const SuperSchedule& schedule :
             sample_uniform(Operator::SpMM, extents(Operator::SpMM, 60, 50, 32), 50, 2, random)) {
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(1e-6);
            measurement.repeats = 30;
            must(record_measurement(workspace, {matrix, machine, 32, "waco"}, schedule, measurement));
        }
    }
    const Json after = chosen(words);
    EXPECT_EQ(after["scored"], before["scored"]);
    EXPECT_EQ(after["candidates"], before["candidates"]);
}

TEST_F(Search, ChoosesTheSameForAMatrixAloneAndAmongOthers) {
    const Json together = answer({"search", "--model", "first", "--matrix", "uniform-9", "--matrix",
                                  "uniform-3", "--dense", "32", "--threads", "1"})["matrices"][1];
    const Json alone = chosen({});
    EXPECT_EQ(together["candidates"], alone["candidates"]);
    EXPECT_EQ(together["scored"], alone["scored"]);
}

TEST_F(Search, GoesOnBehindAMatrixThatCannotBeRead) {
    {
        Workspace workspace = this->workspace();
        must(add_matrix_name(workspace, "by-name", "test"));
    }
    const Outcome outcome = run({"search", "--model", "first", "--matrix", "by-name", "--matrix", "uniform-2",
                                 "--dense", "32", "--progress", "json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("by-name: the pattern of this matrix is not known"));
    const auto all = events(outcome.out);
    ASSERT_EQ(events_called(all, "failure").size(), 1U);
    EXPECT_EQ(events_called(all, "failure")[0]["matrix"], "by-name");
    EXPECT_EQ(events_called(all, "choice").size(), 1U);
    EXPECT_EQ(all.back()["event"], "end");
    EXPECT_EQ(all.back()["complete"], false);
}

TEST_F(Search, RefusesAModelThatReadsMachinesWhereNothingIsKnownOfThisOne) {
    trained("reader", {"--machine-features", "--no-baseline"});
    EXPECT_THAT(run({"search", "--model", "reader", "--matrix", "uniform-3", "--dense", "32"}).err,
                HasSubstr("reads the description of a machine, and the workspace has none of this computer"));
}

} // namespace sparsight::testing

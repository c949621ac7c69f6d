#include "app/learn/learn_fixture.h"
#include "schedule/text.h"
#include "store/choices.h"

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
    const Json walked = chosen({"--k", "10"});
    EXPECT_EQ(keys(walked),
              (Words{"matrix", "method", "scored", "embedding_ms", "search_ms", "recall", "candidates"}));
    EXPECT_EQ(walked["method"], "index");
    EXPECT_GE(walked["recall"], 0.9);
    expect_ranked(walked, 10);
    const Json all = chosen({"--k", "10", "--method", "exhaustive"});
    EXPECT_EQ(all["recall"], nullptr);
    EXPECT_GT(all["scored"], walked["scored"]);
    EXPECT_GE(all["scored"], 2000) << "neighbours of what was good, and more where that is little";
    expect_ranked(all, 10);
    EXPECT_NEAR(all["candidates"][0]["score"].get<double>(), walked["candidates"][0]["score"].get<double>(),
                1e-3);
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
        const MatrixId matrix = must(find_matrix(workspace, "uniform-3"))->id;
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

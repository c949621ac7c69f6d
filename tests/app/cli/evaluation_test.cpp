#include "app/cli/evaluation_fixture.h"
#include "base/random.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/runs.h"
#include "store/sqlite.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace sparsight::testing {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST_F(Evaluate, MeasuresWhatModelsChooseOnMatricesThatTheyWereNotTrainedOn) {
    const Json json = evaluated({"--models", "first,second"});
    EXPECT_EQ(json["complete"], true);
    EXPECT_EQ(json["source"], "measured");
    ASSERT_EQ(json["models"].size(), 2);
    for (const Json& model : json["models"]) {
        ASSERT_EQ(model["matrices"].size(), 2) << "arrow was trained on";
        EXPECT_EQ(model["matrices"][0]["matrix"], "banded");
        EXPECT_EQ(model["matrices"][1]["matrix"], "stencil-2d");
        for (const Json& matrix : model["matrices"]) {
            ASSERT_EQ(matrix["candidates"].size(), 3);
            const double fixed_csr = matrix["fixed_csr_ms"];
            EXPECT_THAT(matrix["turns"].get<int>(), ::testing::AllOf(::testing::Ge(5), ::testing::Le(15)))
                << "all that is compared was measured once more, in as many turns as the noise asks for";
            EXPECT_DOUBLE_EQ(matrix["speedup"], fixed_csr / matrix["best_ms"].get<double>());
            EXPECT_GE(matrix["speedup_error"], 0);
            EXPECT_THAT((Words{matrix["candidates"][0]["schedule"], matrix["candidates"][1]["schedule"]}),
                        Contains(matrix["best_schedule"].get<std::string>()));
        }
        EXPECT_TRUE(model["mean_relative_speedup"]["low"].is_null()) << "of two families";
    }
    EXPECT_EQ(json["comparisons"].size(), 1);
    EXPECT_EQ(answer({"results"}).size(), 2 * 4) << "fixed CSR, the second choice of both, the first of each";
    ASSERT_EQ(asked().size(), 2);
    EXPECT_THAT(asked()[0], HasSubstr("search --model first --k 2 --workload banded --workload stencil-2d"));
    EXPECT_THAT(asked()[0], HasSubstr("--workspace workspace.sparsight"));
    EXPECT_THAT(asked()[0], HasSubstr("--machine ")) << "whose description a model may read";
}

TEST_F(Evaluate, ItsSpeedupsAreThoseOfTheFailures) {
    ASSERT_EQ(evaluated({"--models", "first,second"})["complete"], true);
    {
        // All choices lose, in turns that scatter and disagree on the fastest.
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        const auto runs = *list_runs(workspace);
        const auto run = std::ranges::find(runs, "evaluate", &RunRecord::kind);
        ASSERT_NE(run, runs.end());
        Random random(3);
        for (const char* matrix : {"banded", "stencil-2d"}) {
            const WorkloadId workload = (**find_matrix(workspace, matrix)).id;
            auto times = *list_turn_times(workspace, run->id, workload);
            for (ConfigurationTurns& each : times)
                for (double& milliseconds : each.turns_ms)
                    milliseconds =
                        (each.configuration.is_baseline ? 1 : 2) * std::exp(0.05 * random.normal());
            ASSERT_TRUE(record_turn_times(workspace, run->id, workload, times));
        }
    }
    const Json results = evaluated({"--models", "first,second"});
    const Json failures = answer({"failures"});
    int told = 0;
    for (const Json& failure : failures["cases"])
        for (const Json& model : results["models"])
            for (const Json& matrix : model["matrices"])
                if (model["model"] == failure["model"] && matrix["matrix"] == failure["matrix"])
                    for (const Json& sign : failure["signs"])
                        if (sign["kind"] == "slower_than_csr") {
                            ++told;
                            EXPECT_NEAR(matrix["speedup"].get<double>(),
                                        1 / (1 + sign["lost_share"].get<double>()), 1e-12);
                        }
    EXPECT_GT(told, 0);
}

TEST_F(Evaluate, KeepsAShareOfItsBudgetForTheTurns) {
    // So many that measuring all of them takes far longer than the budget.
    write_learner(R"sh(
echo '{"event": "start", "job": "search"}'
for matrix in banded stencil-2d; do
    printf '{"event": "choice", "matrix": "%s", "method": "index", "candidates": [' "$matrix"
    rank=1
    for split in 1 2 4 8 16 32 64; do for inner in 1 2 4 8 16 32 64; do for chunk in 1 2 4 8 16 32 64 128 256; do for dense in 1 2 4 8; do
        printf '{"rank": %s, "schedule": "%s %s %s i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 %s", "score": %s},' \
            $rank $split $inner $dense $chunk $rank
        rank=$((rank + 1))
    done; done; done; done
    printf '{"rank": %s, "schedule": "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32", "score": null}' $rank
    echo ']}'
done
echo '{"event": "end", "complete": true, "stopped": false}'
)sh");
    const Json json = evaluated({"--models", "first", "--matrices", "banded,stencil-2d", "--budget", "14s"});
    if (json["complete"] == true)
        GTEST_SKIP() << "this computer measures all of it within the budget";
    const Json& matrices = json["models"][0]["matrices"];
    ASSERT_FALSE(matrices.empty());
    EXPECT_GE(matrices[0]["turns"], 5) << "without a share nothing would be left for the turns";
}

TEST_F(Evaluate, AMatrixFileThatIsGoneBeforeTheTurnsIsNamedAndKeepsTheTimesThatItHas) {
    write_matrix("gone.mtx");
    ASSERT_EQ(run({"import", "gone.mtx"}).exit_code, 0);
    const Words words{"--models", "first", "--matrices", "banded,gone"};
    const Json before = evaluated(words);
    ASSERT_EQ(before["models"][0]["matrices"].size(), 2);
    {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        // As of a matrix that is too large for the workspace, which then refers to its file.
        ASSERT_TRUE(
            refer_to_payload(workspace, (*find_matrix(workspace, "gone"))->id, folder() / "gone.mtx"));
        ASSERT_TRUE(workspace.database().run("DELETE FROM rematches"));
    }
    std::filesystem::remove(folder() / "gone.mtx");
    Words again = words;
    again.emplace_back("--json");
    const Outcome outcome = evaluate(again);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("gone.mtx"));
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["failures"][0]["matrix"], "gone");
    for (const Json& matrix : json["models"][0]["matrices"])
        EXPECT_EQ(matrix["turns"] >= 5, matrix["matrix"] != "gone") << matrix["matrix"] << matrix["turns"];
}

TEST_F(Evaluate, WritesTablesAndAPage) {
    const Outcome outcome =
        evaluate({"--models", "first,second", "--csv", "a.csv", "--markdown", "a.md", "--report", "a.html"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("second against first: "));
    EXPECT_THAT(read("a.csv"), HasSubstr("second,stencil-2d,"));
    EXPECT_THAT(read("a.md"), HasSubstr("| first | "));
    EXPECT_THAT(read("a.html"), HasSubstr("<svg"));
    EXPECT_THAT(read("a.html"), HasSubstr("sparsight-cli 0."));
}

TEST_F(Evaluate, TellsWhatHappensAsEvents) {
    const Outcome outcome = evaluate({"--models", "first", "--progress", "json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto all = events(outcome.out);
    EXPECT_EQ(keys(all.front()), (Words{"event", "job", "models", "matrices", "k", "machine", "measured",
                                        "operator", "dense", "protocol"}));
    Words order;
    for (const Json& event : all)
        if (event["event"] != "progress" && event["event"] != "step")
            order.push_back(event["event"]);
    EXPECT_EQ(order,
              (Words{"start", "choice", "choice", "matrix", "result", "matrix", "result", "result", "end"}))
        << "a matrix's result comes when it is measured, and again when the last round has changed it";
    EXPECT_EQ(std::ranges::count(all, "step", [](const Json& event) { return event["event"]; }), 6);
    EXPECT_EQ(all.back()["models"][0]["model"], "first");
    EXPECT_EQ(all.back()["measured"], 6) << "the window tells it, and estimates by it";
    EXPECT_EQ(all.back()["failed"], 0);
    EXPECT_EQ(all.back()["complete"], true);
    EXPECT_EQ(all.back()["stopped"], false);
}

TEST_F(Evaluate, RefusesWhatIsNotThere) {
    EXPECT_THAT(evaluate({"--models", "nobody"}).err, HasSubstr("no model 'nobody'; it has first, "));
    EXPECT_THAT(evaluate({"--models", "first", "--matrices", "x"}).err, HasSubstr("no matrix named 'x'"));
    EXPECT_THAT(evaluate({"--models", "first", "--split", "x"}).err, HasSubstr("no split named 'x'"));
    EXPECT_THAT(evaluate({"--models", "first", "--machine", "x"}).err,
                HasSubstr("there is no machine \"x\"; known machines: "));
    EXPECT_THAT(evaluate({"--models", "first,other"}).err,
                HasSubstr("first chooses for spmm and other for spmv: expected models of one operator"));
    EXPECT_TRUE(read("bin/asked").empty());
}

} // namespace sparsight::testing

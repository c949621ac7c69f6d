#include "app/cli/cli_fixture.h"
#include "app/learn/learn_fixture.h"
#include "base/random.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>

namespace sparsight::testing {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Beside a copy of sparsight-cli stands a small program that answers as sparsight-learn does, and notes
/// what it was asked.
class Evaluate : public CliTest {
protected:
    Evaluate() {
        std::filesystem::create_directory(folder() / "bin");
        std::error_code elsewhere;
        std::filesystem::create_hard_link(SPARSIGHT_CLI, program(), elsewhere);
        if (elsewhere)
            std::filesystem::copy_file(SPARSIGHT_CLI, program());
        write_learner(R"sh(
echo "$@" >> "$(dirname "$0")/asked"
matrices=
while [ $# -gt 0 ]; do
    case $1 in
    --model) model=$2; shift ;;
    --workload) matrices="$matrices $2"; shift ;;
    esac
    shift
done
[ "$model" = silent ] && { echo '{"event": "error", "file": null, "line": null, "error": "silent can not be read"}'; exit 1; }
first='1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8'
[ "$model" = second ] && first='2 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 4'
echo '{"event": "start", "job": "search"}'
for matrix in $matrices; do
    [ "$matrix" = broken ] && { echo '{"event": "failure", "matrix": "broken", "error": "can not be read"}'; continue; }
    printf '{"event": "choice", "matrix": "%s", "method": "index", "candidates": [' "$matrix"
    printf '{"rank": 1, "schedule": "%s", "score": 0.5},' "$first"
    printf '{"rank": 2, "schedule": "1 1 4 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 2", "score": 0.75},'
    echo '{"rank": 3, "schedule": "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32", "score": null}]}'
done
echo '{"event": "end", "complete": true, "stopped": false}'
)sh");
        for (const char* family : {"banded", "arrow", "stencil-2d"})
            EXPECT_EQ(run({"simulate", family, "--name", family}).exit_code, 0);
        add_models();
    }

    [[nodiscard]] std::filesystem::path program() const { return folder() / "bin" / "sparsight-cli"; }
    void write_learner(const std::string& script) const {
        const auto file = write("bin/sparsight-learn", "#!/bin/sh" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }

    void add_models() const {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        for (const char* name : {"first", "second", "silent"})
            EXPECT_TRUE(
                add_model(
                    workspace,
                    {name, {}, {}, R"({"input": {"operator": "spmm"}, "training": {"matrices": ["arrow"]}})"},
                    {})
                    .has_value());
        EXPECT_TRUE(add_model(workspace, {"other", {}, {}, R"({"input": {"operator": "spmv"}})"}, {}));
    }

    [[nodiscard]] Outcome evaluate(Words words) const {
        words.insert(words.begin(), {program().string(), "evaluate"});
        words.insert(words.end(), {"--dense", "8", "--threads", "2", "--k", "2"});
        return ChildProcess(words, folder()).finish();
    }
    [[nodiscard]] Json evaluated(Words words) const {
        words.emplace_back("--json");
        const Outcome outcome = evaluate(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return parsed(outcome.out);
    }
    [[nodiscard]] Words asked() const { return lines(read("bin/asked")); }
};

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

TEST_F(Evaluate, AsksAndMeasuresNothingTwice) {
    const Json first = evaluated({"--models", "first"});
    const Json second = evaluated({"--models", "first"});
    EXPECT_EQ(first["models"], second["models"]);
    EXPECT_EQ(asked().size(), 1);
    EXPECT_EQ(evaluated({"--models", "first", "--again"})["complete"], true);
    EXPECT_EQ(asked().size(), 2);
}

TEST_F(Evaluate, PrintsAFinishedEvaluationWhateverTheOrderOfItsNamesAndSaysSo) {
    const Words words{"--models", "first,second", "--matrices", "stencil-2d,banded,arrow"};
    const Outcome before = evaluate(words);
    EXPECT_EQ(before.err.find("--again"), std::string::npos) << before.err;
    const Json first = evaluated(words);
    const Words others{"--models", "first,second", "--matrices", "arrow,banded,stencil-2d"};
    const Outcome after = evaluate(others);
    EXPECT_THAT(after.err, HasSubstr("these are the figures of the evaluation of 20"));
    EXPECT_THAT(after.err, HasSubstr("--again does it anew"));
    EXPECT_EQ(after.out, before.out) << "intervals, too, do not depend on the order";
    EXPECT_EQ(evaluated(others)["models"], first["models"]);
    EXPECT_EQ(evaluated({"--models", "second,first", "--matrices", "arrow,banded,stencil-2d"})["models"][0],
              first["models"][1]);
    EXPECT_EQ(asked().size(), 2) << "one search of each model";
}

TEST_F(Evaluate, SaysInWhatTheStoredEvaluationDiffers) {
    ASSERT_EQ(evaluated({"--models", "first"})["complete"], true);
    const Outcome other = evaluate({"--models", "first", "--matrices", "banded", "--seed", "7"});
    EXPECT_EQ(other.exit_code, 0) << other.err;
    EXPECT_THAT(other.err, HasSubstr("this evaluation is a new one: the stored one of 20"));
    EXPECT_THAT(other.err, HasSubstr("differs in matrices (2, now 1), seed (1, now 7)"));
    EXPECT_THAT(evaluate({"--models", "first,second"}).err, Not(HasSubstr("differs in")))
        << "these models were not compared before";
}

TEST_F(Evaluate, GoesOnWhereItsBudgetEnded) {
    const Json first = evaluated({"--models", "first", "--budget", "1ms"});
    EXPECT_EQ(first["complete"], false);
    const Json second = evaluated({"--models", "first"});
    EXPECT_EQ(second["complete"], true);
    EXPECT_EQ(asked().size(), 1) << "what was chosen stands";
    EXPECT_EQ(second["models"][0]["matrices"].size(), 2);
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
    measure_apart();
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

TEST_F(Evaluate, WarnsWhereAMatrixWasTrainedOn) {
    const Outcome outcome = evaluate({"--models", "first", "--matrices", "arrow,banded"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("1 of the matrices was in the training data, such as arrow"));
    EXPECT_THAT(outcome.out, HasSubstr("2 matrices, spmm with dense extent 8"));
}

TEST_F(Evaluate, LooksTimesUpThatWereRecordedElsewhere) {
    std::filesystem::create_directory(folder() / "collected");
    write("collected/banded.txt", "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32 = 6\n"
                                  "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8 = 4\n"
                                  "8 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8 = 3\n");
    ASSERT_EQ(run({"import", "--waco", "collected", "--machine", "Xeon", "--dense", "8"}).exit_code, 0);
    const Json json = evaluated({"--models", "first", "--machine", "Xeon"});
    EXPECT_EQ(json["source"], "recorded");
    const Json& model = json["models"][0];
    ASSERT_EQ(model["matrices"].size(), 1) << "the other one has no time of fixed CSR there";
    EXPECT_DOUBLE_EQ(model["matrices"][0]["speedup"], 1.5);
    EXPECT_DOUBLE_EQ(model["matrices"][0]["best_known_ms"], 3);
    EXPECT_EQ(model["without_time"], 1) << "the second choice was never tried there";
    EXPECT_THAT(asked()[0], HasSubstr("--machine recorded:Xeon"));
    EXPECT_THAT(
        evaluate({"--models", "first", "--machine", "Xeon", "--protocol", "waco", "--budget", "10s",
                  "--scored", "40"})
            .err,
        ::testing::AllOf(HasSubstr("--protocol, --budget have no effect: the times of Xeon are looked "
                                   "up, and nothing is measured"),
                         HasSubstr("--scored has no effect: only --method evolution")));
    {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        ASSERT_TRUE(add_model(
            workspace,
            {"blended",
             {},
             {},
             R"({"input": {"operator": "spmm"}, "training": {"machines": ["laptop"], "matrices": []},
                                   "blend": {"network": 1, "simulator": 2, "dense": 8}})"},
            {}));
    }
    EXPECT_EQ(json["remarks"].dump().find("calibrated"), std::string::npos);
    EXPECT_THAT(
        evaluated({"--models", "blended", "--machine", "Xeon"})["remarks"].dump(),
        HasSubstr("the simulator's share in blended was calibrated to laptop, and tells nothing of Xeon"));
    for (const Json& row : answer({"results"}))
        EXPECT_EQ(row["machine"], "Xeon") << "nothing is measured here";
}

TEST_F(Evaluate, LooksTurnsUpThatWereTakenOnAnotherComputer) {
    const Json before = evaluated({"--models", "first,second"});
    {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        const auto machines = *list_machines(workspace);
        ASSERT_EQ(machines.size(), 1U);
        auto& database = workspace.database();
        ASSERT_TRUE(database.run("UPDATE runs SET parameters = replace(parameters, ?, 'recorded:before')",
                                 machines.front().fingerprint));
        ASSERT_TRUE(database.run("UPDATE machines SET fingerprint = 'recorded:before', name = 'before'"));
    }
    const Json json = evaluated({"--models", "second", "--machine", "before"});
    EXPECT_EQ(json["source"], "recorded");
    const Json& matrices = json["models"][0]["matrices"];
    ASSERT_EQ(matrices.size(), 2);
    for (std::size_t at = 0; at < 2; ++at) {
        EXPECT_GE(matrices[at]["turns"], 5);
        EXPECT_EQ(matrices[at]["speedup"], before["models"][1]["matrices"][at]["speedup"]);
    }
}

TEST_F(Evaluate, SimulatesTheTimesThatASimulatedMachineLacks) {
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "imagined"}).exit_code, 0);
    const Words words{"--models", "first,second", "--machine", "imagined"};
    const Json first = evaluated(words);
    EXPECT_EQ(first["source"], "simulated");
    EXPECT_EQ(first["complete"], true);
    EXPECT_EQ(first["protocol"], "simulated");
    EXPECT_THAT(first["remarks"].dump(),
                ::testing::AllOf(HasSubstr("simulated from the description of imagined, not measured"),
                                 Not(HasSubstr("turns"))));
    for (const Json& model : first["models"]) {
        ASSERT_EQ(model["matrices"].size(), 2) << "arrow was trained on";
        EXPECT_EQ(model["without_time"], 0);
        for (const Json& matrix : model["matrices"]) {
            EXPECT_EQ(matrix["turns"], 0);
            EXPECT_GT(matrix["fixed_csr_ms"], 0);
            EXPECT_LE(matrix["best_known_ms"], matrix["best_ms"]);
        }
    }
    const Json rows = answer({"results"});
    EXPECT_GT(rows.size(), 2 * 50U) << "others to compare the choices with";
    for (const Json& row : rows)
        EXPECT_THAT(row["status"], ::testing::AnyOf("simulated", "too large"));

    EXPECT_EQ(evaluated(words)["models"], first["models"]);
    EXPECT_EQ(asked().size(), 2) << "what was chosen stands";
    EXPECT_EQ(answer({"results"}), rows) << "and what was simulated";

    const Outcome outcome = evaluate({"--models", "first", "--machine", "imagined", "--budget", "10s"});
    EXPECT_THAT(outcome.out, HasSubstr("simulated for imagined"));
    EXPECT_THAT(outcome.out, HasSubstr("simulated from the description of imagined, not measured"));
    EXPECT_THAT(outcome.err, HasSubstr("the times of imagined are simulated, and nothing is measured"));
}

TEST_F(Evaluate, SimulatesOnlyWhatIsMissing) {
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "imagined"}).exit_code, 0);
    ASSERT_EQ(run({"simulate-runtimes", "imagined", "--matrices", "banded", "--schedules", "3", "--dense",
                   "8", "--noise"})
                  .exit_code,
              0);
    const Json before = answer({"results", "--matrix", "banded"});
    const Json json = evaluated({"--models", "first", "--machine", "imagined", "--matrices", "banded"});
    EXPECT_EQ(json["models"][0]["without_time"], 0);
    const Json after = answer({"results", "--matrix", "banded"});
    EXPECT_LE(after.size(), before.size() + 2) << "the two choices, and no others";
    for (const Json& row : before)
        EXPECT_THAT(after, Contains(row)) << "a time that is there is not renewed";
}

TEST_F(Evaluate, StopsSimulatingWhenItIsStopped) {
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "imagined"}).exit_code, 0);
    ASSERT_EQ(
        run({"simulate", "simulated-matrices", "--count", "20", "--param", "maximum-rows=2000"}).exit_code,
        0);
    Words words{program().string(), "evaluate", "--models", "first", "--machine",  "imagined",
                "--dense",          "8",        "--k",      "2",     "--progress", "json"};
    ChildProcess process(words, folder());
    while (const auto line = process.next_line())
        if (line->find("simulating") != std::string::npos)
            break;
    process.send(SIGTERM);
    EXPECT_EQ(process.finish().exit_code, 130);
    EXPECT_EQ(evaluated({"--models", "first", "--machine", "imagined"})["complete"], true);
    EXPECT_EQ(asked().size(), 1) << "it goes on behind what was chosen";
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
    EXPECT_EQ(all.back()["complete"], true);
    EXPECT_EQ(all.back()["stopped"], false);
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

TEST_F(Evaluate, KnowsNoSearchByLuck) {
    EXPECT_EQ(evaluate({"--models", "first", "--method", "luck"}).exit_code, 2);
    EXPECT_TRUE(read("bin/asked").empty());
}

/// With the real sparsight-learn, on recorded machines.
class FailuresOfAGrayBox : public LearnTest {};

TEST_F(FailuresOfAGrayBox, SayWhichPartOfItMisledIt) {
    trained("gray", {"--no-baseline", "--preset", "gray-box", "--simulated", "deviating:2", "--epochs", "2",
                     "--dense", "32", "--quiet"});
    const Outcome evaluated = run({"evaluate", "--models", "gray", "--machine", "second", "--dense", "32",
                                   "--k", "1", "--matrices", "uniform-0,uniform-3,uniform-6,uniform-9"});
    ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
    const Json failures = answer({"failures", "--model", "gray"});
    ASSERT_FALSE(failures["cases"].empty()) << "the simulator knows nothing of the invented times";
    for (const Json& failure : failures["cases"]) {
        const Json& misled = failure["misled"];
        EXPECT_EQ(keys(misled), (Words{"by", "known", "simulated", "corrected", "mended", "distrusted",
                                       "distrusted_factor"}));
        EXPECT_GT(misled["known"], 1);
        // Nothing was measured for it, so that it corrects nothing.
        EXPECT_NEAR(misled["corrected"].get<double>() / misled["simulated"].get<double>(), 1, 1e-3);
        EXPECT_EQ(misled["by"], misled["simulated"] > 1 ? "neither" : "both");
        EXPECT_EQ(misled["distrusted"], nullptr);
    }
    const std::string text = run({"failures", "--model", "gray"}).out;
    EXPECT_THAT(text, HasSubstr("misled by"));
    EXPECT_THAT(text, HasSubstr("imulator and correction misled gray: they say "));
}

} // namespace sparsight::testing

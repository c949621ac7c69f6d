#include "app/cli/cli_fixture.h"
#include "store/matrices.h"
#include "store/models.h"
#include "store/results.h"
#include "store/splits.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <csignal>
#include <sstream>

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
    --matrix) matrices="$matrices $2"; shift ;;
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
    [[nodiscard]] std::vector<std::string> asked() const {
        std::vector<std::string> lines;
        std::istringstream stream(read("bin/asked"));
        for (std::string line; std::getline(stream, line);)
            lines.push_back(line);
        return lines;
    }
    static std::vector<Json> events(const std::string& out) {
        std::vector<Json> events;
        std::istringstream stream(out);
        for (std::string line; std::getline(stream, line);)
            events.push_back(parsed(line));
        return events;
    }
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
            EXPECT_EQ(matrix["turns"], 5) << "all that is compared was measured once more";
            EXPECT_DOUBLE_EQ(matrix["speedup"], fixed_csr / matrix["best_ms"].get<double>());
            EXPECT_GE(matrix["speedup_error"], 0);
            EXPECT_THAT((Words{matrix["candidates"][0]["schedule"], matrix["candidates"][1]["schedule"]}),
                        Contains(matrix["best_schedule"].get<std::string>()));
        }
        EXPECT_LE(model["mean_relative_speedup"]["low"], model["mean_relative_speedup"]["value"]);
    }
    EXPECT_EQ(json["comparisons"].size(), 1);
    EXPECT_EQ(answer({"results"}).size(), 2 * 4) << "fixed CSR, the second choice of both, the first of each";
    ASSERT_EQ(asked().size(), 2);
    EXPECT_THAT(asked()[0], HasSubstr("search --model first --k 2 --matrix banded --matrix stencil-2d"));
    EXPECT_THAT(asked()[0], HasSubstr("--workspace workspace.sparsight"));
    EXPECT_THAT(asked()[0], HasSubstr("--machine ")) << "whose description a model may read";
}

TEST_F(Evaluate, AsksAndMeasuresNothingTwice) {
    const Json first = evaluated({"--models", "first"});
    const Json second = evaluated({"--models", "first"});
    EXPECT_EQ(first["models"], second["models"]);
    EXPECT_EQ(asked().size(), 1);
    EXPECT_EQ(evaluated({"--models", "first", "--again"})["complete"], true);
    EXPECT_EQ(asked().size(), 2);
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
    const Json json = evaluated({"--models", "first", "--matrices", "banded,stencil-2d", "--budget", "8s"});
    if (json["complete"] == true)
        GTEST_SKIP() << "this computer measures all of it within the budget";
    const Json& matrices = json["models"][0]["matrices"];
    ASSERT_FALSE(matrices.empty());
    EXPECT_EQ(matrices[0]["turns"], 5) << "without a share nothing would be left for the turns";
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
            workspace.database().run("UPDATE patterns SET file = ?, structure = NULL, entry_values = NULL "
                                     "WHERE matrix_id = (SELECT id FROM matrices WHERE name = 'gone')",
                                     (folder() / "gone.mtx").string()));
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
        EXPECT_EQ(matrix["turns"], matrix["matrix"] == "gone" ? 0 : 5) << matrix["matrix"];
}

TEST_F(Evaluate, WarnsWhereAMatrixWasTrainedOn) {
    const Outcome outcome = evaluate({"--models", "first", "--matrices", "arrow,banded"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("1 of the matrices was trained on, arrow for one"));
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
    EXPECT_THAT(evaluate({"--models", "nobody"}).err, HasSubstr("no model named 'nobody'"));
    EXPECT_THAT(evaluate({"--models", "first", "--matrices", "x"}).err, HasSubstr("no matrix named 'x'"));
    EXPECT_THAT(evaluate({"--models", "first", "--split", "x"}).err, HasSubstr("no split named 'x'"));
    EXPECT_THAT(evaluate({"--models", "first", "--machine", "x"}).err, HasSubstr("no machine named 'x'"));
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

} // namespace sparsight::testing

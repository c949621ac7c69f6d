#include "app/cli/evaluation_fixture.h"
#include "store/machines.h"
#include "store/sqlite.h"

#include <csignal>
#include <gmock/gmock.h>

namespace sparsight::testing {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

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

} // namespace sparsight::testing

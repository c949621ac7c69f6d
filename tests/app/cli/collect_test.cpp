#include "app/cli/cli_fixture.h"
#include "store/models.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <set>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Collect : public CliTest {
protected:
    Collect() {
        for (const char* family : {"banded", "arrow"})
            EXPECT_EQ(run({"simulate", family, "--param", "size=60", "--name", family}).exit_code, 0);
    }
};

const Words summary_keys{"measured", "given_up", "failed",  "too_large",
                         "kept",     "skipped",  "seconds", "schedules_per_second",
                         "complete", "failures"};

TEST_F(Collect, MeasuresFixedCsrAndTheSchedulesAndStoresThem) {
    const Json summary = answer({"collect", "--schedules", "5", "--dense", "16", "--threads", "2"});
    EXPECT_EQ(keys(summary), summary_keys);
    EXPECT_EQ(summary["measured"].get<int>() + summary["failed"].get<int>(), 12)
        << "two matrices, 1 + 5 each";
    EXPECT_EQ(summary["skipped"], 0);
    EXPECT_EQ(summary["complete"], true);
    EXPECT_EQ(summary["failures"], Json::array());
    EXPECT_GT(summary["schedules_per_second"], 0);

    const Json results = answer({"results"});
    ASSERT_EQ(results.size(), 12);
    int baselines = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const Json& row = results[i];
        EXPECT_EQ(keys(row),
                  (Words{"matrix", "machine", "operator", "dense", "schedule", "nickname", "status",
                         "median_ms", "spread_ms", "speedup_over_fixed_csr", "bytes", "engine",
                         "reference_ms", "scatter_ms", "error_ms", "drift_ms", "disturbance"}));
        EXPECT_THAT(row["engine"].get<std::string>(), ::testing::StartsWith("code "));
        if (row["status"] == "measured") { // on a busy computer one may be abandoned as too slow
            EXPECT_GE(row["error_ms"], 0);
            EXPECT_GT(row["reference_ms"], 0) << "the time of fixed CSR at that moment";
        }
        EXPECT_EQ(row["operator"], "spmm");
        EXPECT_EQ(row["dense"], 16);
        const bool follows =
            i > 0 && results[i - 1]["matrix"] == row["matrix"] && row["speedup_over_fixed_csr"].is_number();
        if (follows) {
            EXPECT_GE(results[i - 1]["speedup_over_fixed_csr"], row["speedup_over_fixed_csr"])
                << "the fastest first, at its moment";
        }
        baselines += row["schedule"] == "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32" ? 1 : 0;
    }
    EXPECT_EQ(baselines, 2);
    EXPECT_EQ(results.front()["matrix"], "arrow") << "sorted by matrix";
    EXPECT_EQ(results.back()["matrix"], "banded");
}

TEST_F(Collect, MeasuresNothingTwice) {
    const Words words{"collect", "--operator", "spmv", "--schedules", "4", "--threads", "2"};
    const Json first = answer(words);
    const Json second = answer(words);
    EXPECT_EQ(second["measured"], 0);
    EXPECT_EQ(second["failed"], 0);
    EXPECT_EQ(second["skipped"], first["measured"].get<int>() + first["failed"].get<int>());
    EXPECT_EQ(second["complete"], true);
    EXPECT_EQ(answer({"results"}).size(), second["skipped"]);
}

TEST_F(Collect, RemarksThatAnOperatorHasNoUseForADenseExtent) {
    const Words words{"collect", "--operator", "spmv", "--dense", "64", "--schedules", "1"};
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("--dense 64 is not used with spmv"));
    EXPECT_EQ(answer({"results", "--operator", "spmv", "--dense", "64"}).size(), 4)
        << "nor is it as a filter";
    EXPECT_THAT(run({"collect", "--operator", "spmm", "--dense", "64", "--schedules", "1"}).err,
                ::testing::Not(HasSubstr("not used")));
}

TEST_F(Collect, MeasuresThoseThatSampleWouldPrint) {
    const Words sample{"schedules", "sample",  "--matrix", "arrow",     "--operator", "sddmm",  "--dense",
                       "16",        "--count", "6",        "--threads", "2",          "--seed", "9"};
    const Json drawn = answer(sample);
    ASSERT_EQ(run({"collect", "--matrices", "arrow", "--operator", "sddmm", "--dense", "16", "--schedules",
                   "6", "--threads", "2", "--seed", "9"})
                  .exit_code,
              0);
    std::vector<std::string> measured;
    for (const Json& row : answer({"results"}))
        measured.push_back(row["schedule"]);
    EXPECT_EQ(measured.size(), drawn.size() + 1);
    for (const Json& schedule : drawn)
        EXPECT_THAT(measured, ::testing::Contains(schedule.get<std::string>()));
}

TEST_F(Collect, TakesSchedulesFromAFileWithItsOwnThreadCount) {
    write("lines.txt", "1 2 8 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 48 16 = 75.75\n\n"
                       "1 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 4\n");
    const Json summary =
        answer({"collect", "--matrices", "banded", "--from", "lines.txt", "--threads", "2", "--dense", "8"});
    EXPECT_EQ(summary["measured"], 3);
    for (const Json& row : answer({"results", "--matrix", "banded"}))
        EXPECT_THAT(row["schedule"].get<std::string>(), HasSubstr(" i1 2 "));
}

TEST_F(Collect, RefusesAFileOfWrongSchedulesWithItsLine) {
    write("lines.txt", "1 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 4\n1 2 3\n");
    const Outcome outcome = run({"collect", "--from", "lines.txt"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: lines.txt:2: "));
}

TEST_F(Collect, TellsWhatHappensAsEvents) {
    const Outcome outcome =
        run({"collect", "--schedules", "3", "--dense", "8", "--threads", "2", "--progress", "json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("error"))) << "but perhaps that the computer was busy";
    const auto all = events(outcome.out);
    ASSERT_EQ(all.size(), 1 + 2 + 8 + 1);
    EXPECT_EQ(keys(all.front()),
              (Words{"event", "job", "operator", "dense", "machine", "threads", "protocol"}));
    EXPECT_EQ(all.front()["event"], "start");
    EXPECT_EQ(all[1], (Json{{"event", "matrix"}, {"matrix", "banded"}, {"number", 1}, {"count", 2}}));
    for (int step = 0; step < 4; ++step) {
        const Json& event = all[static_cast<std::size_t>(2 + step)];
        EXPECT_EQ(keys(event), (Words{"event", "matrix", "schedule", "status", "median_ms", "spread_ms",
                                      "bytes", "reason", "done", "total", "seconds", "seconds_left"}));
        EXPECT_EQ(event["event"], "step");
        EXPECT_EQ(event["done"], step + 1);
        EXPECT_EQ(event["total"], 8);
    }
    Words end{"event"};
    end.insert(end.end(), summary_keys.begin(), summary_keys.end());
    end.emplace_back("stopped");
    EXPECT_EQ(keys(all.back()), end);
    EXPECT_EQ(all.back()["event"], "end");
}

TEST_F(Collect, TellsOfAnErrorAsAnEventToo) {
    const Outcome outcome = run({"collect", "--matrices", "nobody", "--progress", "json"});
    EXPECT_EQ(outcome.exit_code, 1);
    const auto all = events(outcome.out);
    EXPECT_EQ(all.back()["event"], "error");
    EXPECT_EQ(keys(all.back()), (Words{"event", "file", "line", "error", "stopped"}));
    EXPECT_THAT(outcome.err, HasSubstr("no matrix named 'nobody'"));

    const Outcome one_of_two = run({"collect", "--matrices", "nobody,arrow", "--schedules", "2", "--json"});
    EXPECT_EQ(one_of_two.exit_code, 1);
    EXPECT_THAT(one_of_two.err, HasSubstr("nobody: the workspace has no matrix of this name"));
    EXPECT_GT(Json::parse(one_of_two.out)["measured"].get<int>(), 0) << "the other one is measured";
}

TEST_F(Collect, ListsAMatrixThatCannotBeMeasuredAndMeasuresTheOthers) {
    std::filesystem::create_directory(folder() / "collected");
    write("collected/ghost.txt", "1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32 = 1.5\n");
    ASSERT_EQ(run({"import", "--waco", "collected", "--machine", "x"}).exit_code, 0);
    const Outcome outcome =
        run({"collect", "--matrices", "ghost,arrow", "--schedules", "2", "--dense", "8", "--json"});
    EXPECT_EQ(outcome.exit_code, 1);
    const Json summary = parsed(outcome.out);
    EXPECT_EQ(summary["measured"].get<int>() + summary["failed"].get<int>(), 3);
    ASSERT_EQ(summary["failures"].size(), 1);
    EXPECT_EQ(keys(summary["failures"][0]), (Words{"matrix", "schedule", "error"}));
    EXPECT_EQ(summary["failures"][0]["matrix"], "ghost");
    EXPECT_THAT(outcome.err, HasSubstr("ghost"));
}

TEST_F(Collect, EndsWithItsBudgetAndSaysThatItIsNotComplete) {
    const Json summary = answer({"collect", "--schedules", "1000", "--budget", "300ms", "--dense", "8"});
    EXPECT_EQ(summary["complete"], false);
    EXPECT_GT(summary["measured"], 0);
}

TEST_F(Collect, MeasuresWhatAGrayBoxLearnsMostFrom) {
    for (int size = 100; size < 107; ++size)
        ASSERT_EQ(run({"simulate", "uniform", "--param", fmt::format("rows={}", size), "--param", "cols=80",
                       "--name", fmt::format("uniform-{}", size)})
                      .exit_code,
                  0);
    const Outcome trained =
        run({"train", "--name", "gray", "--preset", "gray-box", "--simulated", "deviating:2", "--epochs", "1",
             "--dense", "8", "--no-baseline", "--threads", "1", "--quiet"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_THAT(run({"collect", "--for", "gray", "--schedules", "2", "--dense", "16"}).err,
                HasSubstr("expected --setting 'spmm dense=8'"));
    const Outcome collected =
        run({"collect", "--for", "gray", "--most", "2", "--schedules", "2", "--dense", "8"});
    ASSERT_EQ(collected.exit_code, 0) << collected.err;
    EXPECT_THAT(collected.err, HasSubstr("measured for gray: "));
    std::set<std::string> measured;
    const Json results = answer({"results"});
    for (const Json& row : results)
        measured.insert(row["matrix"].get<std::string>());
    EXPECT_EQ(measured.size(), 2);
    EXPECT_THAT(run({"collect", "--for", "no-model"}).err, HasSubstr("no model 'no-model'"));
}

TEST_F(Collect, ItsWorkspacesModelsTellTheirTimesBesideTheSimulatedOnes) {
    for (int size = 100; size < 105; ++size)
        ASSERT_EQ(run({"simulate", "uniform", "--param", fmt::format("rows={}", size), "--param", "cols=80",
                       "--name", fmt::format("uniform-{}", size)})
                      .exit_code,
                  0);
    for (const Words& more : {Words{"gray", "--preset", "gray-box"}, Words{"net"}}) {
        Words words{"train", "--simulated",   "deviating:2", "--epochs", "1",       "--dense",
                    "8",     "--no-baseline", "--threads",   "1",        "--quiet", "--name"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome trained = run(words);
        ASSERT_EQ(trained.exit_code, 0) << trained.err;
    }
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "mine"}).exit_code, 0);
    const Words plain{"whatif",    "--matrix", "uniform-100", "--dense", "8",
                      "--machine", "mine",     "--schedules", "5"};
    const auto asked = [&](const Words& more) {
        Words words = plain;
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    EXPECT_FALSE(answer(plain).contains("learned"));
    // Nothing was measured: the gray box is its simulator.
    const Json gray = answer(asked({"--model", "gray"}));
    EXPECT_EQ(keys(gray["learned"]), (Words{"model", "tells_times", "anchored", "winner", "lead"}));
    EXPECT_EQ(gray["learned"]["anchored"], false);
    EXPECT_EQ(gray["learned"]["winner"], gray["winner"]);
    for (const Json& each : gray["ranking"])
        EXPECT_NEAR(each["learned_ms"].get<double>() / each["ms"].get<double>(), 1, 1e-3);
    EXPECT_THAT(run(asked({"--model", "gray"})).out, HasSubstr("learned ms"));
    const Json net = answer(asked({"--model", "net"}));
    EXPECT_EQ(net["learned"]["tells_times"], false);
    EXPECT_EQ(net["ranking"][0]["learned_ms"], nullptr);
    EXPECT_TRUE(net["ranking"][0]["learned_score"].is_number());
    EXPECT_THAT(run(asked({"--model", "net"})).out, HasSubstr("relative score"));
    EXPECT_THAT(run(asked({"--model", "gray", "--set", "cores=2"})).err,
                HasSubstr("a model knows the machine as it is"));
    EXPECT_THAT(run({"whatif", "--matrix", "uniform-100", "--dense", "8", "--machine", "epyc-7543", "--model",
                     "gray"})
                    .err,
                HasSubstr("epyc-7543 is not in the workspace"));
}

TEST_F(Collect, StoresWhatIsTooLargeWithoutATime) {
    write("explodes.txt", "1 1 8 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 48 4\n");
    ASSERT_EQ(run({"simulate", "hyper-sparse", "--name", "thin"}).exit_code, 0);
    const Json summary = answer(
        {"collect", "--matrices", "thin", "--from", "explodes.txt", "--max-bytes", "1K", "--dense", "1"});
    EXPECT_GT(summary["failed"], 0);
    const Json results = answer({"results", "--matrix", "thin"});
    EXPECT_EQ(results.back()["status"], "too large");
    EXPECT_EQ(results.back()["median_ms"], nullptr);
    EXPECT_GT(results.back()["bytes"], 1024) << "the size that was predicted";
    EXPECT_EQ(results.back()["speedup_over_fixed_csr"], nullptr);
}

TEST_F(Collect, BestPicksOneScheduleForEachMatrix) {
    ASSERT_EQ(run({"collect", "--schedules", "5", "--dense", "8"}).exit_code, 0);
    const Json best = answer({"results", "--best"});
    ASSERT_EQ(best.size(), 2);
    for (const Json& row : best) {
        EXPECT_EQ(row["status"], "measured");
        EXPECT_GE(row["speedup_over_fixed_csr"], 1.0);
    }
    const std::string table = run({"results", "--best"}).out;
    EXPECT_THAT(table, HasSubstr("matrix  operator  dense"));
}

class Demo : public CliTest {};

TEST_F(Demo, MeasuresItsMatricesAndTheUsersAndWritesAReport) {
    write_matrix("mine.mtx");
    write("broken.mtx", "junk");
    const Words words{"demo",     "mine.mtx", "broken.mtx", "--schedules",  "2", "--dense", "8",
                      "--folder", "out",      "--json",     "--no-learning"};
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 1) << "one file could not be read";
    EXPECT_THAT(outcome.err, HasSubstr("sparsight-cli: error: broken.mtx:1: "));

    const Json json = parsed(outcome.out);
    EXPECT_EQ(keys(json),
              (Words{"workspace", "csv", "html", "complete", "failed", "matrices", "evaluation"}));
    EXPECT_EQ(json["complete"], true);
    ASSERT_EQ(json["failed"].size(), 1);
    EXPECT_EQ(json["failed"][0]["file"], "broken.mtx");
    ASSERT_EQ(json["matrices"].size(), 4);
    for (const Json& matrix : json["matrices"]) {
        EXPECT_EQ(keys(matrix), (Words{"matrix", "fixed_csr_ms", "best_ms", "speedup", "best_schedule"}));
        EXPECT_GT(matrix["fixed_csr_ms"], 0);
        EXPECT_GE(matrix["speedup"], 1.0) << "fixed CSR itself is among those that may win";
    }
    EXPECT_THAT(read("out/report.html"), HasSubstr("mine"));
    EXPECT_THAT(read("out/report.csv"), HasSubstr("mine"));
    EXPECT_EQ(answer({"results", "--workspace", "out/demo.sparsight"}).size(), 4 * 3);
    EXPECT_THAT(run({"demo", "--help"}).out, HasSubstr("default 310s, 150s without learning"));

    const Json again = parsed(run(words).out);
    EXPECT_EQ(again["matrices"], json["matrices"]) << "nothing is measured twice";
}

/// Beside a copy of sparsight-cli stands a program that makes models and chooses as sparsight-learn does.
class LearningDemo : public CliTest {
protected:
    LearningDemo() {
        std::filesystem::create_directory(folder() / "bin");
        std::error_code elsewhere;
        std::filesystem::create_hard_link(SPARSIGHT_CLI, program(), elsewhere);
        if (elsewhere)
            std::filesystem::copy_file(SPARSIGHT_CLI, program());
    }
    [[nodiscard]] std::filesystem::path program() const { return folder() / "bin" / "sparsight-cli"; }
    [[nodiscard]] Outcome demo(Words words) const {
        words.insert(words.begin(), {program().string(), "demo", "--schedules", "2", "--dense", "8",
                                     "--folder", "out", "--json"});
        return ChildProcess(words, folder()).finish();
    }
    /// As if the demo had been there and made it.
    void add_known_model(const std::string& name, const std::string& learned_from) const {
        auto workspace = Workspace::open(folder() / "out/demo.sparsight");
        ASSERT_TRUE(workspace) << workspace.error().text();
        const std::string description =
            R"({"input": {"operator": "spmm"}, "training": {"matrices": [")" + learned_from + R"("]}})";
        ASSERT_TRUE(add_model(*workspace, {name, {}, {}, description}, {}));
    }
    void write_learner(const std::string& script) const {
        const auto file = write("bin/sparsight-learn", "#!/bin/sh\n" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }
};

TEST_F(LearningDemo, ReportsWhatWasMeasuredWhereItCannotLearn) {
    const Outcome outcome = demo({});
    EXPECT_EQ(outcome.exit_code, 1);
    const Json json = parsed(outcome.out);
    EXPECT_EQ(json["evaluation"], nullptr);
    EXPECT_EQ(json["matrices"].size(), 3);
    ASSERT_EQ(json["failed"].size(), 1);
    EXPECT_THAT(json["failed"][0]["error"].get<std::string>(), HasSubstr("sparsight-learn"));
    EXPECT_THAT(read("out/report.html"), HasSubstr("demo-mesh"));
}

TEST_F(LearningDemo, PassesOnWhatTheTrainingComplainsAbout) {
    write_learner("echo \"$@\" >> \"$(dirname \"$0\")/asked\"\n"
                  "echo '{\"event\": \"error\", \"file\": null, \"line\": null, \"error\": \"it "
                  "diverged\"}'\nexit 1\n");
    const Outcome outcome = demo({});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("error: it diverged"));
    EXPECT_THAT(read("bin/asked"), HasSubstr("--preset demo --method fomaml"));
    const Json results = answer({"results", "--workspace", "out/demo.sparsight"});
    bool has_lessons = false;
    for (const Json& row : results) {
        has_lessons = has_lessons || row["matrix"].get<std::string>().starts_with("lesson-");
        EXPECT_FALSE(row["matrix"].get<std::string>().starts_with("held-out-")) << "to be asked about only";
    }
    EXPECT_TRUE(has_lessons);
    EXPECT_EQ(parsed(outcome.out)["matrices"].size(), 3) << "lessons are not looked at";
}

TEST_F(LearningDemo, FineTunesOnTheLessonsOfItsSplitAlone) {
    ASSERT_EQ(demo({"--no-learning"}).exit_code, 0);
    add_known_model("demo-meta", "lesson-1");
    write_learner("echo \"$@\" >> \"$(dirname \"$0\")/asked\"\n[ \"$1\" = train ] || exit 1\n"
                  "echo '{\"event\": \"end\", \"model\": \"it\", \"complete\": true, \"stopped\": false}'\n");
    EXPECT_EQ(demo({}).exit_code, 1);
    EXPECT_THAT(read("bin/asked"), HasSubstr("--name demo-meta --renew")) << "it may be of less data";
    EXPECT_THAT(read("bin/asked"), HasSubstr("finetune --model demo-meta"));
    EXPECT_THAT(read("bin/asked"), HasSubstr("--split demo ")) << "else its tests may be learned from";
}

TEST_F(LearningDemo, TakesNoModelOfAnEarlierDemoForOneThatWasCutShort) {
    ASSERT_EQ(demo({"--no-learning"}).exit_code, 0);
    add_known_model("demo-meta", "lesson-1");
    write_learner("echo '{\"event\": \"end\", \"model\": null, \"complete\": false, \"stopped\": true}'\n");
    const Outcome outcome = demo({});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the time for demo-meta was over before it was trained"));
}

TEST_F(LearningDemo, TellsNoFiguresOfMatricesThatWereLearnedFrom) {
    ASSERT_EQ(demo({"--no-learning"}).exit_code, 0);
    add_known_model("demo-meta", "lesson-1");
    add_known_model("demo-tuned", "demo-mesh");
    add_known_model("demo-gray-tuned", "lesson-1");
    write_learner("echo '{\"event\": \"end\", \"model\": \"it\", \"complete\": true, \"stopped\": false}'\n");
    const Outcome outcome = demo({"--budget", "2s"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("have learned from evaluated matrices (1, such as demo-mesh)"));
    EXPECT_EQ(parsed(outcome.out)["evaluation"], nullptr);
}

} // namespace sparsight::testing

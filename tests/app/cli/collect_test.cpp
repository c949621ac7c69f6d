#include "app/cli/cli_fixture.h"

#include <sstream>

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

    static std::vector<Json> events(const std::string& out) {
        std::vector<Json> events;
        std::istringstream stream(out);
        for (std::string line; std::getline(stream, line);)
            events.push_back(parsed(line));
        return events;
    }
};

const Words summary_keys{"measured", "failed",  "skipped", "seconds", "schedules_per_second",
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
        EXPECT_EQ(keys(row), (Words{"matrix", "machine", "operator", "dense", "schedule", "status",
                                    "median_ms", "spread_ms", "speedup_over_fixed_csr", "bytes"}));
        EXPECT_EQ(row["operator"], "spmm");
        EXPECT_EQ(row["dense"], 16);
        const bool follows =
            i > 0 && results[i - 1]["matrix"] == row["matrix"] && row["median_ms"].is_number();
        if (follows) {
            EXPECT_LE(results[i - 1]["median_ms"], row["median_ms"]) << "sorted by median";
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
    EXPECT_THAT(outcome.err, HasSubstr("--dense 64 is not used: spmv has no dense index"));
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

} // namespace sparsight::testing

#include "app/cli/cli_fixture.h"
#include "base/random.h"
#include "collection/measuring_domain.h"

#include <chrono>
#include <csignal>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <thread>

namespace sparsight::testing {

// The events of `--progress json`, which the window follows: the same frame around every command.

using ::testing::HasSubstr;

class JobEventStream : public CliTest {
protected:
    static std::vector<Json> named(const std::vector<Json>& all, const std::string& name) {
        std::vector<Json> some;
        std::ranges::copy_if(all, std::back_inserter(some),
                             [&](const Json& e) { return e["event"] == name; });
        return some;
    }
    /// Runs it; checks what all have in common: start first, one end or error, last, progress that only
    /// grows.
    std::vector<Json> followed(Words words, const std::string& job, int exit_code = 0) const {
        words.insert(words.end(), {"--progress", "json"});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
        const auto all = events(outcome.out);
        EXPECT_FALSE(all.empty());
        if (all.empty())
            return {Json::object()};
        EXPECT_EQ(all.front()["event"], "start");
        EXPECT_EQ(all.front()["job"], job);
        EXPECT_EQ(named(all, "end").size() + named(all, "error").size(), 1);
        EXPECT_THAT(all.back()["event"], ::testing::AnyOf("end", "error"));
        std::uint64_t done = 0;
        for (const Json& event : named(all, "progress")) {
            EXPECT_EQ(keys(event), (Words{"event", "stage", "done", "total", "seconds_left"}));
            EXPECT_GE(event["done"], done);
            done = event["done"];
        }
        return all;
    }
};

TEST_F(JobEventStream, ImportTellsOfEachFileAndCountsThemAtTheEnd) {
    write_matrix("a.mtx");
    write_matrix("b.mtx");
    write("broken.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 7\n");
    ASSERT_EQ(run({"import", "b.mtx"}).exit_code, 0);
    const auto all = followed({"import", "a.mtx", "broken.mtx", "b.mtx"}, "import", 1);
    EXPECT_EQ(all.front()["files"], 3);
    const auto imported = named(all, "imported");
    ASSERT_EQ(imported.size(), 2);
    EXPECT_EQ(keys(imported[0]), (Words{"event", "name", "rows", "cols", "nnz", "source", "duplicates_merged",
                                        "explicit_zeros", "already_there"}));
    EXPECT_EQ(imported[0]["name"], "a");
    const auto failed = named(all, "failed");
    ASSERT_EQ(failed.size(), 1);
    EXPECT_EQ(keys(failed[0]), (Words{"event", "file", "line", "error"}));
    EXPECT_EQ(failed[0]["line"], 3);
    const Json& end = all.back();
    EXPECT_EQ(keys(end),
              (Words{"event", "imported", "already_there", "failed", "seconds", "complete", "stopped"}));
    EXPECT_EQ(end["imported"], 2);
    EXPECT_EQ(end["already_there"], 1);
    EXPECT_EQ(end["failed"], 1);
    EXPECT_EQ(end["complete"], true);
    EXPECT_EQ(end["stopped"], false);
    const auto progress = named(all, "progress");
    EXPECT_EQ(progress.back()["done"], 3) << "the last one is always told";
    EXPECT_EQ(progress.back()["total"], 3);
}

TEST_F(JobEventStream, TheWorkspacesErrorIsTheOneTerminalEvent) {
    write_matrix("a.mtx");
    for (const Words& words : {Words{"import", "a.mtx"}, Words{"simulate", "arrow"}, Words{"collect"},
                               Words{"machine", "probe", "--facts-only"}}) {
        Words with = words;
        with.insert(with.end(), {"--workspace", "absent.sparsight", "--progress", "json"});
        const Outcome outcome = run(with);
        EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
        const auto all = events(outcome.out);
        ASSERT_FALSE(all.empty());
        EXPECT_EQ(keys(all.back()), (Words{"event", "file", "line", "error", "stopped"}));
        EXPECT_EQ(all.back()["event"], "error");
        EXPECT_EQ(all.back()["file"], "absent.sparsight");
        EXPECT_THAT(outcome.err, HasSubstr(all.back()["error"].get<std::string>()));
    }
}

TEST_F(JobEventStream, AWacoFolderTellsOfItsMatrices) {
    std::filesystem::create_directory(folder() / "collected");
    write("collected/ghost.txt", "1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32 = 1.5\n");
    const auto all = followed({"import", "--waco", "collected", "--machine", "x"}, "import");
    EXPECT_EQ(all.front()["folder"], "collected");
    EXPECT_EQ(all.back()["measurements"], 1);
    EXPECT_EQ(all.back()["complete"], true);
}

TEST_F(JobEventStream, SimulateTellsOfEachMatrix) {
    const Words uniform{"simulate", "uniform", "--param", "rows=40", "cols=40", "--count", "30"};
    const auto all = followed(uniform, "simulate");
    EXPECT_EQ(all.front()["family"], "uniform");
    EXPECT_EQ(all.front()["matrices"], 30);
    const auto simulated = named(all, "simulated");
    ASSERT_EQ(simulated.size(), 30);
    EXPECT_EQ(keys(simulated[0]), (Words{"event", "name", "rows", "cols", "nnz", "source", "already_there"}));
    EXPECT_EQ(keys(all.back()),
              (Words{"event", "simulated", "already_there", "failed", "seconds", "complete", "stopped"}));
    EXPECT_EQ(all.back()["simulated"], 30);
    EXPECT_EQ(named(all, "progress").back()["done"], 30);
    EXPECT_LT(named(all, "progress").size(), 3 + all.back()["seconds"].get<double>() * 10)
        << "ten a second at most";
}

TEST_F(JobEventStream, SimulateTellsOfACollectionAndOfItsOwnRefusal) {
    const auto all = followed({"simulate", "simulated-matrices", "--count", "4"}, "simulate");
    EXPECT_EQ(all.front()["matrices"], 4);
    EXPECT_EQ(named(all, "simulated").size(), 4);
    const Outcome refused = run({"simulate", "bandit", "--progress", "json"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(events(refused.out).back()["event"], "error");
}

TEST_F(JobEventStream, TheProbeTellsWhatItMeasuresAndEndsWithTheMachine) {
    const auto all = followed({"machine", "probe"}, "probe");
    const auto progress = named(all, "progress");
    EXPECT_EQ(progress.front()["total"], 5);
    EXPECT_EQ(progress.back()["done"], 5);
    const Json& end = all.back();
    EXPECT_TRUE(end["measured"]["copy_gb_per_s_one_thread"].is_number());
    EXPECT_FALSE(end["fingerprint"].get<std::string>().empty());
    EXPECT_EQ(end["complete"], true);
}

TEST_F(JobEventStream, ASignalEndsItWithAnEndThatSaysSo) {
    ASSERT_EQ(run({"simulate", "banded", "--param", "size=400", "--name", "banded"}).exit_code, 0);
    const std::vector<Words> commands{
        {"simulate", "banded", "--param", "size=30000", "--count", "100000", "--name", "many"},
        {"machine", "probe"},
        {"collect", "--schedules", "1000", "--dense", "8"}};
    for (const Words& words : commands) {
        for (const int signal : {SIGINT, SIGTERM}) {
            Words with = words;
            with.insert(with.end(), {"--progress", "json"});
            ChildProcess child(command_line(with), folder());
            std::vector<Json> all;
            while (const auto line = child.next_line()) {
                all.push_back(parsed(*line));
                if (all.size() == 2)
                    child.send(signal);
            }
            const Outcome outcome = child.finish();
            EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
            EXPECT_EQ(outcome.signal, 0);
            ASSERT_FALSE(all.empty());
            EXPECT_EQ(all.back()["event"], "end") << words[0];
            EXPECT_EQ(all.back()["complete"], false);
            EXPECT_EQ(all.back()["stopped"], true);
            EXPECT_EQ(named(all, "end").size(), 1);
        }
    }
}

/// As timeout(1) does, to the process and to its group. On a busy computer this test may be held up between
/// the two for longer than a repeat may take: such a try says nothing.
TEST_F(JobEventStream, ASignalThatIsSentTwiceAtOnceEndsItLikeOne) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds at_once{50};
    ASSERT_EQ(run({"simulate", "banded", "--param", "size=400", "--name", "banded"}).exit_code, 0);
    for (int repeat = 0; repeat < 5; ++repeat) {
        ChildProcess child(
            command_line({"collect", "--schedules", "1000", "--dense", "8", "--progress", "json"}), folder());
        std::vector<Json> all;
        Clock::duration between{};
        while (const auto line = child.next_line()) {
            all.push_back(parsed(*line));
            if (all.size() == 2) {
                const auto begin = Clock::now();
                child.send(SIGINT);
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                child.send(SIGINT);
                between = Clock::now() - begin;
            }
        }
        EXPECT_EQ(child.finish().exit_code, 130);
        ASSERT_FALSE(all.empty());
        if (between > at_once)
            continue;
        EXPECT_EQ(all.back()["event"], "end");
        EXPECT_EQ(all.back()["stopped"], true);
    }
}

TEST_F(JobEventStream, TheWorkGoesOnWhenNobodyReadsAnyMore) {
    ASSERT_EQ(run({"new"}).exit_code, 0);
    const std::string program = SPARSIGHT_CLI;
    // The first reader takes one line and goes; nobody reads stderr either.
    const std::string line = "'" + program +
                             "' simulate uniform --param rows=40 cols=40 --count 300 --progress json 2>&1 | "
                             "head -n 1; '" +
                             program + "' simulate arrow --count 1 --quiet > arrow.txt";
    const Outcome outcome = ChildProcess({"/bin/bash", "-c", line}, folder()).finish();
    EXPECT_THAT(outcome.out, HasSubstr("\"start\""));
    EXPECT_EQ(answer({"matrices"}).size(), 301);
}

TEST_F(JobEventStream, AFullDiskUnderTheEventsDoesNotStopTheWorkEither) {
    if (!std::filesystem::exists("/dev/full"))
        GTEST_SKIP() << "there is no /dev/full here";
    const std::string line = std::string("'") + SPARSIGHT_CLI +
                             "' simulate uniform --param rows=40 cols=40 density=5 --progress json "
                             "> /dev/full 2> /dev/full; '" +
                             SPARSIGHT_CLI +
                             "' import absent.mtx present.mtx --progress json > /dev/full 2> /dev/full";
    write_matrix("present.mtx");
    ASSERT_EQ(run({"new"}).exit_code, 0);
    const Outcome outcome = ChildProcess({"/bin/bash", "-c", line}, folder()).finish();
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_EQ(answer({"matrices"}).size(), 1) << "the complaint about the first could not be written";
}

TEST_F(JobEventStream, SaysThatItWasStoppedWhileItWaitedForItsTurnToMeasure) {
    ASSERT_EQ(run({"new"}).exit_code, 0);
    write_matrix("small.mtx");
    ASSERT_EQ(run({"import", "small.mtx"}).exit_code, 0);
    const auto turn = MeasurementLock::take({}, {});
    ASSERT_TRUE(turn);
    if (!turn->problem().empty())
        GTEST_SKIP() << turn->problem();
    for (const Words& words : {Words{"collect", "--schedules", "2"}, Words{"machine", "probe"}}) {
        SCOPED_TRACE(words[0]);
        ChildProcess child(
            {"/bin/bash", "-c", fmt::format("'{}' {} --progress json", SPARSIGHT_CLI, fmt::join(words, " "))},
            folder());
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        child.send(SIGTERM);
        const Outcome outcome = child.finish();
        EXPECT_EQ(outcome.exit_code, 130);
        EXPECT_THAT(outcome.err, HasSubstr("another program measures on this computer"));
        EXPECT_THAT(outcome.out, HasSubstr("stopped"));
    }
}

TEST_F(JobEventStream, TellsThatAWaitIsOverAndWhyNothingWasMeasured) {
    ASSERT_EQ(run({"new"}).exit_code, 0);
    write_matrix("small.mtx");
    ASSERT_EQ(run({"import", "small.mtx"}).exit_code, 0);
    const auto turn = MeasurementLock::take({}, {});
    ASSERT_TRUE(turn);
    if (!turn->problem().empty())
        GTEST_SKIP() << turn->problem();
    const auto all = events_and_warnings(
        run({"collect", "--schedules", "2", "--budget", "300ms", "--progress", "json"}).out);
    ASSERT_GE(all.size(), 5U);
    EXPECT_THAT(all[0]["warning"], HasSubstr("waiting until it is done"));
    EXPECT_EQ(all[1]["event"], "turn");
    EXPECT_THAT(all[2]["warning"], HasSubstr("for the whole time budget"));
    EXPECT_EQ(all[3]["event"], "start");
    EXPECT_EQ(all.back()["measured"], 0);
}

TEST_F(JobEventStream, ANameWithACommaCanBeMeasured) {
    write_matrix("a,b.mtx");
    write_matrix("all.mtx");
    ASSERT_EQ(run({"import", "a,b.mtx", "all.mtx"}).exit_code, 0);
    ASSERT_EQ(run({"collect", "--matrix", "a,b", "--schedules", "1", "--dense", "4"}).exit_code, 0);
    for (const Json& row : answer({"results"}))
        EXPECT_EQ(row["matrix"], "a,b");
    const auto all =
        followed({"collect", "--matrix=all", "--matrix=a,b", "--schedules", "1", "--dense", "4"}, "collect");
    EXPECT_EQ(named(all, "matrix").size(), 2);
    EXPECT_EQ(run({"collect", "--matrix", "all", "--matrices", "all"}).exit_code, 2);
}

namespace {

using Key = std::pair<std::string, std::string>; ///< matrix, schedule

Key key_of(const Json& json) {
    return {json["matrix"], json["schedule"]};
}

} // namespace

class InterruptedCollection : public CliTest {
protected:
    InterruptedCollection() {
        for (const char* family : {"banded", "arrow"})
            EXPECT_EQ(run({"simulate", family, "--param", "size=400", "--name", family}).exit_code, 0);
    }

    static Words words(int schedules) {
        return {"collect",    "--schedules", std::to_string(schedules), "--dense", "32", "--threads", "2",
                "--progress", "json"};
    }

    /// Adds the steps that are printed until `steps` more were seen; false when it ended before.
    static bool follow(ChildProcess& child, int steps, std::set<Key>& printed) {
        while (steps > 0) {
            const auto line = child.next_line();
            if (!line)
                return false;
            const Json event = Json::parse(*line, nullptr, false);
            if (event.is_discarded() || event["event"] != "step")
                continue;
            EXPECT_TRUE(printed.insert(key_of(event)).second) << "measured twice: " << *line;
            --steps;
        }
        return true;
    }

    /// What the workspace holds; it opens, and nothing is in it twice.
    [[nodiscard]] std::set<Key> stored() const {
        const Json results = answer({"results"});
        std::set<Key> keys;
        for (const Json& row : results)
            keys.insert(key_of(row));
        EXPECT_EQ(keys.size(), results.size()) << "stored twice";
        return keys;
    }
};

TEST_F(InterruptedCollection, FinishesTheMeasurementInFlightOnCtrlCAndGoesOnLater) {
    for (const int signal : {SIGINT, SIGTERM}) {
        std::set<Key> before = stored();
        std::set<Key> printed = before;
        ChildProcess child(command_line(words(40)), folder());
        ASSERT_TRUE(follow(child, 3, printed));
        child.send(signal);
        Json last;
        while (const auto line = child.next_line()) {
            last = parsed(*line);
            if (last["event"] == "step")
                printed.insert(key_of(last));
        }
        const Outcome outcome = child.finish();
        EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
        EXPECT_EQ(last["event"], "end");
        EXPECT_EQ(last["complete"], false);
        EXPECT_EQ(last["skipped"], before.size());
        EXPECT_LE(printed.size(), before.size() + 3 + 20) << "it stops soon";
        EXPECT_EQ(stored(), printed) << "exactly what it told of is stored";
    }
    const std::size_t kept = stored().size();
    const Json summary = answer({"collect", "--schedules", "40", "--dense", "32", "--threads", "2"});
    EXPECT_EQ(summary["skipped"], kept);
    EXPECT_EQ(summary["complete"], true);
    EXPECT_EQ(stored().size(),
              kept + summary["measured"].get<std::size_t>() + summary["failed"].get<std::size_t>());
}

TEST_F(InterruptedCollection, LosesNothingAndDoublesNothingWhenItIsKilledAtAnyMoment) {
    Random random(2024);
    std::set<Key> printed;
    std::size_t stored_before = 0;
    for (int kill = 0; kill < 10; ++kill) {
        ChildProcess child(command_line(words(60)), folder());
        follow(child, static_cast<int>(random.below(6)), printed);
        std::this_thread::sleep_for(std::chrono::microseconds(random.below(60'000)));
        child.send(SIGKILL);
        while (const auto line = child.next_line()) {
            const Json event = Json::parse(*line, nullptr, false); // the last line may be cut off
            if (!event.is_discarded() && event["event"] == "step")
                printed.insert(key_of(event));
        }
        EXPECT_EQ(child.finish().signal, SIGKILL);

        const std::set<Key> kept = stored();
        for (const Key& key : printed)
            EXPECT_TRUE(kept.contains(key)) << "lost: " << key.first << " " << key.second;
        EXPECT_GE(kept.size(), stored_before);
        stored_before = kept.size();
        // It may have been killed after it had stored a measurement and before it could tell of it.
        EXPECT_LE(kept.size(), printed.size() + static_cast<std::size_t>(kill) + 1);
    }
    const Json summary = answer({"collect", "--schedules", "60", "--dense", "32", "--threads", "2"});
    EXPECT_EQ(summary["complete"], true);
    EXPECT_EQ(summary["skipped"], stored_before);
    EXPECT_EQ(stored().size(), 2 * 61);
}

class InterruptedSimulation : public CliTest {};

TEST_F(InterruptedSimulation, LeavesALargeMatrixInTheMiddle) {
    ChildProcess child(command_line({"simulate", "uniform", "--param", "rows=50000000", "--param",
                                     "cols=50000000", "--param", "density=5e-8", "--progress", "json"}),
                       folder());
    Json event;
    while (const auto line = child.next_line()) {
        event = parsed(*line);
        if (event["event"] == "progress")
            child.send(SIGINT);
    }
    EXPECT_EQ(child.finish().exit_code, 130);
    EXPECT_EQ(event["event"], "end");
    EXPECT_EQ(event["stopped"], true);
    EXPECT_EQ(event["failed"], 0);
    EXPECT_TRUE(answer({"matrices"}).empty());
}

} // namespace sparsight::testing

#include "app/cli/cli_fixture.h"
#include "base/random.h"

#include <csignal>
#include <map>
#include <set>
#include <thread>

namespace sparsight::testing {

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
